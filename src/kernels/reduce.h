// SPDX-License-Identifier: Apache-2.0
// Sums and searches over long arrays that stay on the device, in three levels: many chunks, few chunks, one result. The
// tree depends on the sizes alone, never on the number of threads. Where threads are lanes, chunk c takes the values c,
// c + chunks, ...; on a CPU it takes consecutive ones. The host sets DOUBLES where the device has double precision.

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

// partial[place + chunk] = sum of values[first ..] over the chunk
KERNEL void sum_values(GLOBAL const scalar *values, GLOBAL total *partial, const INDEX first, const INDEX count,
                       const INDEX chunks, const INDEX place)
{
  ITEMS(chunk)
  {
    total sum = 0;
    CHUNK(i, chunk, chunks, count) sum += values[first + i];
    partial[place + chunk] = sum;
  }
}

KERNEL void sum_totals(GLOBAL const total *values, GLOBAL total *partial, const INDEX count, const INDEX chunks, const INDEX place)
{
  ITEMS(chunk)
  {
    total sum = 0;
    CHUNK(i, chunk, chunks, count) sum += values[i];
    partial[place + chunk] = sum;
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

// verdict = {1 + lowest index or 0, step}: of the first watch that found something; later ones leave it alone.
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
