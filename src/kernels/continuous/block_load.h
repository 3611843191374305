// SPDX-License-Identifier: Apache-2.0
// The integrals of f v, block by block: kernels/continuous/source.h in the blocks of kernels/cg_block_*.h.

FUNCTION void element_load(GLOBAL const scalar *points, GLOBAL const scalar *weight, GLOBAL const scalar *values,
                           const double t, real *y)
{
  for (int n = 0; n < NODES; ++n) y[n] = splat(0.0);
  for (int p = 0; p < POINTS; ++p) {
    const real f = weighted_source(p, points, weight, t);
    for (int n = 0; n < NODES; ++n) y[n] += values[p * NODES + n] * f;
  }
}

KERNEL void block_load(GLOBAL const int *head, GLOBAL const int *unknown, GLOBAL const unsigned short *local,
                       GLOBAL const unsigned short *list_start, GLOBAL const unsigned short *list_place,
                       GLOBAL const scalar *points, GLOBAL const scalar *weight, GLOBAL const scalar *values,
                       GLOBAL scalar *y, GLOBAL scalar *sums, const double t, const INDEX batches, const INDEX count)
{
#if SIMT
  SHARED(room);
  GROUP(block);
  for (int slot = THREAD; slot < batches; slot += THREADS) {
    const INDEX batch = block * batches + slot;
    real result[NODES];
    element_load(points + batch * PLACES_SIZE, weight + batch * WEIGHT_SIZE, values, t, result);
    for (int n = 0; n < NODES; ++n) room[RESULTS + n * batches + slot] = result[n];
  }
  BARRIER;
  close_block(room + RESULTS, list_start + block * (MOST + 1), list_place + block * batches * NODES, head + 4 * block,
              unknown, y, sums, count);
#else
  ITEMS(block)
  {
    OPEN_BLOCK;
    FOR_BATCHES(batch)
    {
      real out[NODES];
      element_load(points + batch * PLACES_SIZE * LANES, weight + batch * WEIGHT_SIZE * LANES, values, t, out);
      add_to_block(sum, local + batch * NODES * LANES, out, NODES);
    }
    close_block(sum, head + 4 * block, unknown, y, sums, count);
  }
#endif
}
