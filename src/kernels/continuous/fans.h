// SPDX-License-Identifier: Apache-2.0
// Straight linear simplices in fans of FAN (cg/blocks/chains.hpp). A fan's stiffness is known by a weight for each of its edges:
// (K u)_i = sum over the edges i j of w_ij (u_i - u_j); cells that share an edge have added up theirs. geometry = [batch of
// fans][edges, then rhoC |J| / (DIM + 2)! of each cell but for STEADY problems][lane], 0 in empty slots. NEXT_STEP is the host's.

#define FAN CHAIN
#define AXIS (DIM - 1)
#define PLACES (AXIS + FAN + 1)
// Edges: of the axis, from it to the rim, along the rim.
#define AXIS_EDGES (DIM - 2)
#define EDGES (AXIS_EDGES + AXIS * (FAN + 1) + FAN)
#define VALUES (EDGES + (STEADY ? 0 : FAN))
#define NUMBERS_OF(batch) (local + (batch) / FAN * PLACES * LANES)
#define VALUES_OF(batch) (geometry + (batch) / FAN * VALUES * LANES)
// Batches of cells between asking for their numbers and their use: a product takes less time than memory does.
#define AHEAD (12 * FAN)
// The numbers are read again where they are needed again: there are too many to be kept in registers.
#define FORGET(pointer) __asm__("" : "+r"(pointer))
#define FOR_FANS(batch) for (INDEX batch = block * batches, batch##_end = batch + batches; batch < batch##_end; batch += FAN)

FUNCTION void ask_ahead(GLOBAL const scalar *values, GLOBAL const unsigned short *number)
{
  for (int i = 0; i < VALUES; ++i) prefetch_far(values + i * LANES);
  for (int n = 0; n < PLACES * LANES; n += 32) prefetch_far(number + n);
}

#define OVER_EDGES(act)                                                                       \
  do {                                                                                        \
    int edge = 0;                                                                             \
    if (AXIS_EDGES > 0) act(0, 1, edge++);                                                    \
    UNROLL for (int r = 0; r <= FAN; ++r)                                                     \
      UNROLL for (int c = 0; c < AXIS; ++c) act(c, AXIS + r, edge++);                         \
    UNROLL for (int r = 0; r < FAN; ++r) act(AXIS + r, AXIS + r + 1, edge++);                 \
  } while (0)
// The place of a cell's node.
#define PLACE_OF(t, n) ((n) < AXIS ? (n) : (n) + (t))

FUNCTION void fan_product(const real *u, GLOBAL const scalar *values, const scalar a, const scalar b, real *y)
{
  for (int n = 0; n < PLACES; ++n) y[n] = splat(0.0);
#define FLOW(i, j, edge)                                           \
  {                                                                \
    const real flow = load(values + (edge) * LANES) * (u[i] - u[j]); \
    y[i] += flow;                                                  \
    y[j] -= flow;                                                  \
  }
  OVER_EDGES(FLOW);
  for (int n = 0; n < PLACES; ++n) y[n] *= b;
#if !STEADY
  if (a != 0.0) {
    UNROLL for (int t = 0; t < FAN; ++t) {
      const real m = a * load(values + (EDGES + t) * LANES);
      real all = splat(0.0);
      for (int n = 0; n < NODES; ++n) all += u[PLACE_OF(t, n)];
      for (int n = 0; n < NODES; ++n) y[PLACE_OF(t, n)] += m * (all + u[PLACE_OF(t, n)]);
    }
  }
#endif
}

FUNCTION void fan_diagonal(GLOBAL const scalar *values, const scalar a, const scalar b, real *y)
{
  for (int n = 0; n < PLACES; ++n) y[n] = splat(0.0);
#define ENDS(i, j, edge)                              \
  {                                                   \
    const real weight = load(values + (edge) * LANES); \
    y[i] += weight;                                   \
    y[j] += weight;                                   \
  }
  OVER_EDGES(ENDS);
  for (int n = 0; n < PLACES; ++n) y[n] *= b;
#if !STEADY
  for (int t = 0; t < FAN; ++t)
    for (int n = 0; n < NODES; ++n) y[PLACE_OF(t, n)] += 2.0 * a * load(values + (EDGES + t) * LANES);
#endif
}

BLOCK_APPLY
{
  ITEMS(block)
  {
    OPEN_BLOCK;
    GATHER_BLOCK(u, x);
    // The first unknowns of the next block are prefetched meanwhile. Behind the last block the array has room for these loads.
    GLOBAL const int *next = unknown + block_first + block_unknowns;
    FOR_FANS(batch)
    {
      GLOBAL const unsigned short *number = NUMBERS_OF(batch);
      ask_ahead(VALUES_OF(batch + AHEAD), NUMBERS_OF(batch + AHEAD));
      prefetch_far(x + *next);
      prefetch_far(next + 16 * NEXT_STEP);
      next += NEXT_STEP;
      real in[PLACES], out[PLACES];
      UNROLL for (int n = 0; n < PLACES; ++n) in[n] = pick_lanes(u, number + n * LANES);
      fan_product(in, VALUES_OF(batch), a, b, out);
      FORGET(number);
      UNROLL for (int n = 0; n < PLACES; ++n) add_to_block(sum, number + n * LANES, out + n, 1);
    }
    CLOSE_APPLY(u);
  }
}

BLOCK_DIAGONAL
{
  ITEMS(block)
  {
    OPEN_BLOCK;
    FOR_FANS(batch)
    {
      real out[PLACES];
      fan_diagonal(VALUES_OF(batch), a, b, out);
      add_to_block(sum, NUMBERS_OF(batch), out, PLACES);
    }
    close_block(sum, head + 4 * block, unknown, y, sums, count);
  }
}
