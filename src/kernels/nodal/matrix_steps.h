// SPDX-License-Identifier: Apache-2.0
// The steps of a product by matrix (tensor) cores: sizes, places of the matrices' fragments, and rows from shared memory.

#define PAIRS ((FIELDS + 1) / 2)
#define STEP (4 * FRAGMENT_STEPS)
#define VOLUME_STEPS ((NODES + STEP - 1) / STEP)
#define TRACE_STEPS ((TRACE + STEP - 1) / STEP)
#define NODE_TILES ((NODES + 7) / 8)
#define TILE_WARPS ((NODE_TILES + TILES - 1) / TILES)
#define LIFT_FRAGMENTS (NODE_TILES * VOLUME_STEPS * DIM * FRAGMENT_WORDS)
#define BEHIND_LIFT (LIFT_FRAGMENTS + NODE_TILES * TRACE_STEPS * FRAGMENT_WORDS)
#if ADJUSTED
#define POINT_TILES ((POINTS + 7) / 8)
#define POINT_STEPS ((POINTS + STEP - 1) / STEP)
#define FROM_POINTS (BEHIND_LIFT + POINT_TILES * VOLUME_STEPS * FRAGMENT_WORDS)
#define MASS_MATRIX (FROM_POINTS + NODE_TILES * POINT_STEPS * FRAGMENT_WORDS)  // the matrix to the points as it is
#else
#define MASS_MATRIX BEHIND_LIFT
#endif

// Zero where a step reaches beyond the last node: the matrix is zero there, but zero times what is not finite is not.
FUNCTION void clear_rest(LOCAL scalar *values, int room, int used, int steps)
{
  const int rest = steps * STEP * ROOM - used * ROOM;
  for (int i = THREAD; i < BATCH * rest; i += THREADS) values[i / rest * room + used * ROOM + i % rest] = 0.0;
}

// One step's rows for the fields 2 pair and 2 pair + 1 of this lane's element.
FUNCTION void load_rows(LOCAL const scalar *values, int step, int pair, Fragment *low, Fragment *high)
{
  scalar x[FRAGMENT_STEPS], y[FRAGMENT_STEPS];
  UNROLL for (int s = 0; s < FRAGMENT_STEPS; ++s) {
    LOCAL const scalar *from = values + (step * STEP + 4 * s + THREAD % 4) * ROOM + 2 * pair;
#if ROOM % 2 == 0
    const scalar2 both = *(LOCAL const scalar2 *)from;
    x[s] = both.x;
    y[s] = both.y;
#else
    x[s] = from[0];
    y[s] = 2 * pair + 1 < FIELDS ? from[1] : (scalar)0.0;
#endif
  }
  prepare_fragment(x, low);
  prepare_fragment(y, high);
}
