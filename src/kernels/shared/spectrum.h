// SPDX-License-Identifier: Apache-2.0
// A running Fourier transform of sampled values by the trapezoidal rule: for each interval both of its ends are added, one after
// the other, so that the sums do not depend on how the samples were cut into batches. The host sets DOUBLES where the device has
// double precision, FREQUENCIES, and ROWS: samples lie in a ring of so many rows.

#if DOUBLES
typedef double total;
#else
typedef scalar total;
#endif

// sums[frequency][real, imaginary][item] += factors[interval][end][frequency][real, imaginary] * samples[row][item]
KERNEL void add_spectrum(GLOBAL const scalar *samples, GLOBAL const total *factors, GLOBAL total *sums, const INDEX count,
                         const INDEX first_row, const INDEX intervals)
{
  ITEMS(item)
  {
    for (int f = 0; f < FREQUENCIES; ++f) {
      total along = sums[2 * f * count + item], across = sums[(2 * f + 1) * count + item];
      for (INDEX i = 0; i < intervals; ++i)
        for (int end = 0; end < 2; ++end) {
          GLOBAL const total *factor = factors + ((2 * i + end) * FREQUENCIES + f) * 2;
          const total value = samples[(first_row + i + end) % ROWS * count + item];
          along += factor[0] * value;
          across += factor[1] * value;
        }
      sums[2 * f * count + item] = along;
      sums[(2 * f + 1) * count + item] = across;
    }
  }
}
