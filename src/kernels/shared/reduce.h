// SPDX-License-Identifier: Apache-2.0
// Sums and searches over long arrays that stay on the device, in three levels: many chunks, few chunks, one result. Where
// SIMT, chunk c takes the values c, c + chunks, ...; on a CPU it takes consecutive ones. The host sets DOUBLES
// where the device has double precision, and LOW and HIGH.

#if DOUBLES
typedef double total;
#else
typedef scalar total;
#endif

#if SIMT
#define CHUNK(i, chunk, chunks, count) for (INDEX i = chunk; i < count; i += chunks)
#else
#define CHUNK(i, chunk, chunks, count) \
  for (INDEX i = count * chunk / chunks, i##_end = count * (chunk + 1) / chunks; i < i##_end; ++i)
#endif

// Sums are kept in whole numbers, so that their order does not matter: digit d counts 2^(32 (d - LOW)), LOW digits lie below
// the point and HIGH above it. A remainder below the lowest digit is dropped, value by value; the entry behind the digits
// counts values that are too large for the highest, or not finite.
#define DIGITS (LOW + HIGH)
#define ENTRIES (DIGITS + 1)

FUNCTION void add_digits(const total value, INDEX *entry)
{
  const total unit = 4294967296.0, part = 1.0 / unit;
  const INDEX sign = value < 0 ? -1 : 1;
  const total size = value < 0 ? -value : value;
  const int start = size < 1 ? LOW - 1 : DIGITS - 1;
  // The highest digit that may be there stands before the point; products with `unit` and `part` are exact.
  total rest = size < 1 ? size * unit : size;
  if (!(size < 1)) UNROLL for (int d = LOW; d < DIGITS - 1; ++d) rest *= part;
  if (!(rest < unit)) {
    entry[DIGITS] += 1;
    return;
  }
  UNROLL for (int d = DIGITS - 1; d >= 0; --d)
    if (d <= start) {
      const INDEX whole = (INDEX)rest;
      entry[d] += sign * whole;
      rest = (rest - (total)whole) * unit;
    }
}

// partial[place + chunk][entry] = sum of values[first ..] over the chunk
KERNEL void sum_values(GLOBAL const scalar *values, GLOBAL INDEX *partial, const INDEX first, const INDEX count,
                       const INDEX chunks, const INDEX place)
{
  ITEMS(chunk)
  {
    INDEX sum[ENTRIES];
    UNROLL for (int d = 0; d < ENTRIES; ++d) sum[d] = 0;
    CHUNK(i, chunk, chunks, count) add_digits(values[first + i], sum);
    UNROLL for (int d = 0; d < ENTRIES; ++d) partial[(place + chunk) * ENTRIES + d] = sum[d];
  }
}

// An item for each entry of each chunk.
KERNEL void sum_totals(GLOBAL const INDEX *values, GLOBAL INDEX *partial, const INDEX count, const INDEX chunks, const INDEX place)
{
  ITEMS(item)
  {
    const INDEX chunk = item / ENTRIES, entry = item % ENTRIES;
    INDEX sum = 0;
    CHUNK(i, chunk, chunks, count) sum += values[i * ENTRIES + entry];
    partial[place * ENTRIES + item] = sum;
  }
}

// lowest[place + chunk] = 1 + the first index of a value of the chunk that is not finite, or 0.
KERNEL void watch(GLOBAL const scalar *q, GLOBAL INDEX *lowest, const INDEX first, const INDEX count, const INDEX chunks,
                  const INDEX place)
{
  ITEMS(chunk)
  {
    // Only a difference of finite equals is zero: infinities and NaN give NaN. Looked for without a branch, then found.
    int broken = 0;
    CHUNK(i, chunk, chunks, count) broken |= !(q[first + i] - q[first + i] == 0);
    INDEX found = 0;
    if (broken)
      CHUNK(i, chunk, chunks, count)
        if (found == 0 && !(q[first + i] - q[first + i] == 0)) found = first + i + 1;
    lowest[place + chunk] = found;
  }
}

// The watch for batches of `width` elements whose kernel has checked already: marks[element] is 0 where all of its `numbers`
// values are finite. They lie as [batch][number][element].
KERNEL void watch_marks(GLOBAL const scalar *q, GLOBAL const scalar *marks, GLOBAL INDEX *lowest, const INDEX count,
                        const INDEX chunks, const INDEX width, const INDEX numbers)
{
  ITEMS(chunk)
  {
    INDEX found = 0;
    CHUNK(i, chunk, chunks, count)
      if (!(marks[i] == 0))
        for (INDEX k = 0; k < numbers; ++k) {
          const INDEX at = (i / width * numbers + k) * width + i % width;
          if (!(q[at] - q[at] == 0) && (found == 0 || at + 1 < found)) found = at + 1;
        }
    lowest[chunk] = found;
  }
}

// The lowest of what was found; chunks in which nothing was found do not count.
KERNEL void lowest_found(GLOBAL const INDEX *values, GLOBAL INDEX *lowest, const INDEX count, const INDEX chunks)
{
  ITEMS(chunk)
  {
    INDEX found = 0;
    CHUNK(i, chunk, chunks, count)
    {
      const INDEX value = values[i];
      if (value > 0 && (found == 0 || value < found)) found = value;
    }
    lowest[chunk] = found;
  }
}

// verdict = {1 + lowest index or 0, step}: of the first watch that found something; later ones do not change it.
KERNEL void judge(GLOBAL const INDEX *values, GLOBAL INDEX *verdict, const INDEX count, const INDEX step)
{
  ITEMS(item)
  {
    INDEX found = 0;
    for (INDEX i = 0; i < count; ++i) {
      const INDEX value = values[i];
      if (value > 0 && (found == 0 || value < found)) found = value;
    }
    if (verdict[0] == 0 && found > 0) {
      verdict[0] = found;
      verdict[1] = step;
    }
  }
}
