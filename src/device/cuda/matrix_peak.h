// SPDX-License-Identifier: Apache-2.0
// The kernel that measures the peak of matrix (tensor) cores: products that wait for nothing. An item is a group of warps; the
// host defines ACCUMULATORS, products that each warp has under way.

KERNEL void matrix_products(GLOBAL scalar *out, const scalar a, const scalar b, const INDEX repeats)
{
  GROUP(item);
  const scalar rows[2] = {a * THREAD, a + THREAD}, columns[2] = {b, b * THREAD};
  scalar sums[ACCUMULATORS][4];
  Fragment low, high, right;
  prepare_fragment(rows, &low);
  prepare_fragment(rows, &high);
  prepare_fragment(columns, &right);
  UNROLL for (int k = 0; k < ACCUMULATORS; ++k)
    UNROLL for (int i = 0; i < 4; ++i) sums[k][i] = (scalar)k;
  ROLL for (INDEX r = 0; r < repeats; ++r)
    UNROLL for (int k = 0; k < ACCUMULATORS; ++k) matrix_step(sums[k], &low, &high, &right, out);
  scalar total = 0;
  UNROLL for (int k = 0; k < ACCUMULATORS; ++k)
    UNROLL for (int i = 0; i < 4; ++i) total += sums[k][i];
  out[item * THREADS + THREAD] = total;
}
