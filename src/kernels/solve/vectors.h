// SPDX-License-Identifier: Apache-2.0
// Operations on whole vectors of `count` numbers, in `chunks` parts of an item each.

KERNEL void copy_vector(GLOBAL const scalar *from, GLOBAL scalar *to, const INDEX count, const INDEX chunks)
{
  ITEMS(chunk) CHUNK(i, chunk, chunks, count) to[i] = from[i];
}

KERNEL void combine_vectors(GLOBAL const scalar *x, GLOBAL scalar *y, const scalar a, const scalar b, const INDEX count,
                            const INDEX chunks)
{
  ITEMS(chunk) CHUNK(i, chunk, chunks, count) y[i] = a * x[i] + b * y[i];
}

KERNEL void multiply_vectors(GLOBAL const scalar *d, GLOBAL const scalar *x, GLOBAL scalar *y, const INDEX count,
                             const INDEX chunks)
{
  ITEMS(chunk) CHUNK(i, chunk, chunks, count) y[i] = d[i] * x[i];
}

KERNEL void add_constant(GLOBAL scalar *y, const scalar c, const INDEX count, const INDEX chunks)
{
  ITEMS(chunk) CHUNK(i, chunk, chunks, count) y[i] += c;
}

KERNEL void dot_vectors(GLOBAL const scalar *x, GLOBAL const scalar *y, GLOBAL total *partial, const INDEX count,
                        const INDEX chunks)
{
  ITEMS(chunk)
  {
    total sum = 0;
    SUM_CHUNK(sum, i, chunk, chunks, count, (total)x[i] * (total)y[i]);
    partial[chunk] = sum;
  }
}

KERNEL void sum_vector(GLOBAL const scalar *x, GLOBAL total *partial, const INDEX count, const INDEX chunks)
{
  ITEMS(chunk)
  {
    total sum = 0;
    SUM_CHUNK(sum, i, chunk, chunks, count, (total)x[i]);
    partial[chunk] = sum;
  }
}
