// SPDX-License-Identifier: Apache-2.0
// The parts of a multigrid cycle: Chebyshev steps, products with sparse rows between levels, a dense inverse at the bottom.

// d = carry d + gain D^-1 (b - q), x = (old x) + d: one step of the Chebyshev iteration (Saad 2003, algorithm 12.1).
KERNEL void chebyshev_step(GLOBAL const scalar *inverse, GLOBAL const scalar *b, GLOBAL const scalar *q, GLOBAL scalar *d,
                           GLOBAL scalar *x, const scalar carry, const scalar gain, const INDEX count, const INDEX chunks)
{
  ITEMS(chunk) CHUNK(i, chunk, chunks, count)
  {
    const scalar step = carry * d[i] + gain * inverse[i] * (b[i] - q[i]);
    d[i] = step;
    x[i] += step;
  }
}

// The first one from x = 0.
KERNEL void chebyshev_first(GLOBAL const scalar *inverse, GLOBAL const scalar *b, GLOBAL scalar *d, GLOBAL scalar *x,
                            const scalar gain, const INDEX count, const INDEX chunks)
{
  ITEMS(chunk) CHUNK(i, chunk, chunks, count)
  {
    const scalar step = gain * inverse[i] * b[i];
    d[i] = step;
    x[i] = step;
  }
}

KERNEL void subtract(GLOBAL const scalar *b, GLOBAL const scalar *q, GLOBAL scalar *r, const INDEX count, const INDEX chunks)
{
  ITEMS(chunk) CHUNK(i, chunk, chunks, count) r[i] = b[i] - q[i];
}

// y_i = keep y_i + sum of value x[column] over row i
KERNEL void sparse_rows(GLOBAL const int *start, GLOBAL const int *column, GLOBAL const scalar *value,
                        GLOBAL const scalar *x, GLOBAL scalar *y, const scalar keep)
{
  ITEMS(i)
  {
    scalar sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
    y[i] = keep == 0.0 ? sum : keep * y[i] + sum;
  }
}

KERNEL void dense_rows(GLOBAL const scalar *matrix, GLOBAL const scalar *x, GLOBAL scalar *y, const INDEX count)
{
  ITEMS(i)
  {
    scalar sum = 0.0;
    for (INDEX k = 0; k < count; ++k) sum += matrix[i * count + k] * x[k];
    y[i] = sum;
  }
}
