// SPDX-License-Identifier: Apache-2.0
// Operations on states of a level set whatever their elements are: sums of them, and their values at points.

// out = ca a + cb b + cc c + cd d, `stride` numbers an item; only the first `terms` are read.
KERNEL void combine(GLOBAL scalar *out, GLOBAL const scalar *a, const scalar ca, GLOBAL const scalar *b, const scalar cb,
                    GLOBAL const scalar *c, const scalar cc, GLOBAL const scalar *d, const scalar cd, const INDEX stride,
                    const INDEX terms)
{
  ITEMS(chunk)
  {
    for (INDEX i = chunk * stride; i < (chunk + 1) * stride; ++i) {
      scalar sum = ca * a[i];
      if (terms > 1) sum += cb * b[i];
      if (terms > 2) sum += cc * c[i];
      if (terms > 3) sum += cd * d[i];
      out[i] = sum;
    }
  }
}

// Values at points: each has a slot and the weights of its modes.
KERNEL void sample(GLOBAL const scalar *q, GLOBAL const int *slot, GLOBAL const scalar *weight, GLOBAL scalar *samples,
                   const INDEX offset)
{
  ITEMS(item)
  {
    GLOBAL const scalar *own = q + (INDEX)(slot[item] / WIDTH) * MODES * WIDTH + slot[item] % WIDTH;
    real sum = 0.0;
    for (int m = 0; m < MODES; ++m) sum += weight[item * MODES + m] * own[m * WIDTH];
    samples[offset + item] = sum;
  }
}
