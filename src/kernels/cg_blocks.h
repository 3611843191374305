// SPDX-License-Identifier: Apache-2.0
// The operator of continuous elements, block by block: y = (a M + b K) x, M with rhoC and K with k, and its diagonal. The text
// before this gives element_product() and element_diagonal(). dots[block] = the block's part in x . y.

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
    dots[block] = all;
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

// CHAIN cells that stand in the same lane of batches in turn are a fan (cg/chains.hpp): cell t has the AXIS first places and two
// of the others, AXIS + t and the next.
#define AXIS (NODES - 2)
#define PLACES_OF_CHAIN (NODES + CHAIN - 1)
#define CHAIN_OF(batch) (local + (batch) / CHAIN * PLACES_OF_CHAIN * LANES)
#define FOR_CHAINS(batch) \
  for (INDEX batch = block * batches, batch##_end = batch + batches; batch < batch##_end; batch += CHAIN)
// Batches between asking for the numbers of straight elements and their use: a product takes less time than memory does.
#define AHEAD 9

FUNCTION void ask_ahead(GLOBAL const scalar *geometry, GLOBAL const unsigned short *local)
{
#if AFFINE
  for (int m = 0; m < CHAIN * GEOMETRY; ++m) prefetch(geometry + m * LANES);
  for (int n = 0; n < PLACES_OF_CHAIN; n += 4) prefetch(local + n * LANES);
#endif
}

#define PLACE_IN_CHAIN(t, n) ((n) < AXIS ? (n) : (n) + (t))
#if CHAIN == 1
#define OVER_CHAIN(act) act(0, y)
#else
#define OVER_CHAIN(act)                                                           \
  for (int n = 0; n < PLACES_OF_CHAIN; ++n) y[n] = splat(0.0);                    \
  UNROLL for (int t = 0; t < CHAIN; ++t)                                          \
  {                                                                               \
    real part[NODES];                                                             \
    act(t, part);                                                                 \
    for (int n = 0; n < NODES; ++n) y[PLACE_IN_CHAIN(t, n)] += part[n];           \
  }
#endif
#define GEOMETRY_IN_CHAIN(t) (geometry + (t) * GEOMETRY_SIZE * LANES)
#define MATERIAL_IN_CHAIN(t) (material + (t) * batch_step)

FUNCTION void chain_product(const real *u, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                            const INDEX batch_step, GLOBAL const scalar *matrix, const scalar a, const scalar b, real *y)
{
#if CHAIN == 1
#define VALUES_OF_CELL(t) u
#else
  real values[CHAIN][NODES];
  for (int t = 0; t < CHAIN; ++t)
    for (int n = 0; n < NODES; ++n) values[t][n] = u[PLACE_IN_CHAIN(t, n)];
#define VALUES_OF_CELL(t) values[t]
#endif
#define PRODUCT_OF_CELL(t, to) \
  element_product(VALUES_OF_CELL(t), GEOMETRY_IN_CHAIN(t), MATERIAL_IN_CHAIN(t), matrix, a, b, to)
  OVER_CHAIN(PRODUCT_OF_CELL);
}

FUNCTION void chain_diagonal(GLOBAL const scalar *geometry, GLOBAL const scalar *material, const INDEX batch_step,
                             GLOBAL const scalar *matrix, const scalar a, const scalar b, real *y)
{
#define DIAGONAL_OF_CELL(t, to) element_diagonal(GEOMETRY_IN_CHAIN(t), MATERIAL_IN_CHAIN(t), matrix, a, b, to)
  OVER_CHAIN(DIAGONAL_OF_CELL);
}

BLOCK_APPLY
{
  ITEMS(block)
  {
    OPEN_BLOCK;
    GATHER_BLOCK(u, x);
    FOR_CHAINS(batch)
    {
      ask_ahead(GEOMETRY_OF(batch + AHEAD), CHAIN_OF(batch + AHEAD));
      real in[PLACES_OF_CHAIN], out[PLACES_OF_CHAIN];
      for (int n = 0; n < PLACES_OF_CHAIN; ++n)
        UNROLL for (int l = 0; l < LANES; ++l) set_lane(in[n], l, u[CHAIN_OF(batch)[n * LANES + l]]);
      chain_product(in, GEOMETRY_OF(batch), MATERIAL_OF(block, batch), batch_step, matrix, a, b, out);
      add_to_block(sum, CHAIN_OF(batch), out, PLACES_OF_CHAIN);
    }
    close_block(sum, head + 4 * block, unknown, y, sums, count);
    total dot = 0;
    SUM_CHUNK(dot, i, (INDEX)0, (INDEX)1, (INDEX)block_unknowns, (total)u[i] * (total)sum[i]);
    dots[block] = dot;
  }
}

BLOCK_DIAGONAL
{
  ITEMS(block)
  {
    OPEN_BLOCK;
    FOR_CHAINS(batch)
    {
      real out[PLACES_OF_CHAIN];
      chain_diagonal(GEOMETRY_OF(batch), MATERIAL_OF(block, batch), batch_step, matrix, a, b, out);
      add_to_block(sum, CHAIN_OF(batch), out, PLACES_OF_CHAIN);
    }
    close_block(sum, head + 4 * block, unknown, y, sums, count);
  }
}

#endif
