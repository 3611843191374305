// SPDX-License-Identifier: Apache-2.0
// Blocks of elements where vectors are lanes: a thread takes a block, holds its unknowns in the cache, adds up there what the
// elements give, in their order, and writes what is no other block's. Sums of unknowns in several blocks go to `sums`.
// head[block] = {first of its unknowns, how many, how many of no other block, its first sum}; local[batch][node][lane].

#define GATHER_BLOCK(u, x)                                                          \
  scalar u[MOST + 1];                                                               \
  for (int i = 0; i < block_unknowns; ++i) u[i] = x[unknown[block_first + i]];      \
  u[MOST] = 0.0

#define OPEN_BLOCK                                                                                   \
  const int block_first = head[4 * block], block_unknowns = head[4 * block + 1];                     \
  scalar sum[MOST + 1];                                                                              \
  for (int i = 0; i < block_unknowns; ++i) sum[i] = 0.0;                                             \
  sum[MOST] = 0.0

#define FOR_BATCHES(batch) for (INDEX batch = block * batches, batch##_end = batch + batches; batch < batch##_end; ++batch)

FUNCTION void add_to_block(scalar *sum, GLOBAL const unsigned short *local, const real *y, const int places)
{
  for (int n = 0; n < places; ++n)
    UNROLL for (int l = 0; l < LANES; ++l) sum[local[n * LANES + l]] += lane(y[n], l);
}

FUNCTION void close_block(const scalar *sum, GLOBAL const int *head, GLOBAL const int *unknown, GLOBAL scalar *y,
                          GLOBAL scalar *sums, const INDEX count)
{
  const int first = head[0], unknowns = head[1], own = head[2];
  for (int i = 0; i < own; ++i)
    if (unknown[first + i] < count) y[unknown[first + i]] = sum[i];
  for (int i = own; i < unknowns; ++i) sums[head[3] + i - own] = sum[i];
}

// Ends block_apply(), with the block's part in x . y.
#define CLOSE_APPLY(u)                                                                                            \
  close_block(sum, head + 4 * block, unknown, y, sums, count);                                                    \
  total dot = 0;                                                                                                  \
  SUM_CHUNK(dot, i, (INDEX)0, (INDEX)1, (INDEX)block_unknowns, (total)u[i] * (total)sum[i]);                      \
  DOT_OF(block) = dot
