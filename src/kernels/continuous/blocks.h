// SPDX-License-Identifier: Apache-2.0
// The operator of continuous elements, block by block: y = (a M + b K) x, M with rhoC and K with k, and its diagonal. The text
// before this gives element_product() and element_diagonal(). DOT_OF(block) = the block's part in x . y.

// Steps from block to block and from batch to batch: one of them is 0.
#define MATERIAL_OF(block, batch) (material + (block) * block_step + (batch) * batch_step)
#define GEOMETRY_OF(batch) (geometry + (batch) * GEOMETRY_SIZE * LANES)
#define LOCAL_OF(batch) (local + (batch) * NODES * LANES)


#if SIMT

BLOCK_APPLY
{
  SHARED(room);
  GROUP(block);
  const int first = head[4 * block], unknowns = head[4 * block + 1];
  for (int i = THREAD; i < unknowns; i += THREADS) room[i] = x[unknown[first + i]];
  if (THREAD == 0) room[MOST] = 0.0;
  BARRIER;
  total dot = 0;
  for (int slot = THREAD; slot < batches; slot += THREADS) {
    const INDEX batch = block * batches + slot;
    real u[NODES], result[NODES];
    for (int n = 0; n < NODES; ++n) u[n] = room[LOCAL_OF(batch)[n]];
    element_product(u, GEOMETRY_OF(batch), MATERIAL_OF(block, batch), matrix, a, b, result);
    for (int n = 0; n < NODES; ++n) {
      room[RESULTS + n * batches + slot] = result[n];
      dot += (total)u[n] * (total)result[n];
    }
  }
  BARRIER;
  close_block(room + RESULTS, list_start + block * (MOST + 1), list_place + block * batches * NODES, head + 4 * block,
              unknown, y, sums, count);
  BARRIER;
  room[THREAD] = dot;
  BARRIER;
  if (THREAD == 0) {
    total all = 0;
    for (int thread = 0; thread < THREADS; ++thread) all += room[thread];
    DOT_OF(block) = all;
  }
}

BLOCK_DIAGONAL
{
  SHARED(room);
  GROUP(block);
  for (int slot = THREAD; slot < batches; slot += THREADS) {
    const INDEX batch = block * batches + slot;
    real result[NODES];
    element_diagonal(GEOMETRY_OF(batch), MATERIAL_OF(block, batch), matrix, a, b, result);
    for (int n = 0; n < NODES; ++n) room[RESULTS + n * batches + slot] = result[n];
  }
  BARRIER;
  close_block(room + RESULTS, list_start + block * (MOST + 1), list_place + block * batches * NODES, head + 4 * block,
              unknown, y, sums, count);
}

#else

// Batches between the prefetch of the data of straight elements and their use: a product takes less time than memory does.
#define AHEAD 9

FUNCTION void ask_ahead(GLOBAL const scalar *geometry, GLOBAL const unsigned short *local)
{
#if AFFINE
  for (int m = 0; m < GEOMETRY; ++m) prefetch(geometry + m * LANES);
  for (int n = 0; n < NODES; n += 4) prefetch(local + n * LANES);
#endif
}

BLOCK_APPLY
{
  ITEMS(block)
  {
    OPEN_BLOCK;
    GATHER_BLOCK(u, x);
    FOR_BATCHES(batch)
    {
      ask_ahead(GEOMETRY_OF(batch + AHEAD), LOCAL_OF(batch + AHEAD));
      real in[NODES], out[NODES];
      for (int n = 0; n < NODES; ++n)
        UNROLL for (int l = 0; l < LANES; ++l) set_lane(in[n], l, u[LOCAL_OF(batch)[n * LANES + l]]);
      element_product(in, GEOMETRY_OF(batch), MATERIAL_OF(block, batch), matrix, a, b, out);
      add_to_block(sum, LOCAL_OF(batch), out, NODES);
    }
    CLOSE_APPLY(u);
  }
}

BLOCK_DIAGONAL
{
  ITEMS(block)
  {
    OPEN_BLOCK;
    FOR_BATCHES(batch)
    {
      real out[NODES];
      element_diagonal(GEOMETRY_OF(batch), MATERIAL_OF(block, batch), matrix, a, b, out);
      add_to_block(sum, LOCAL_OF(batch), out, NODES);
    }
    close_block(sum, head + 4 * block, unknown, y, sums, count);
  }
}

#endif
