// SPDX-License-Identifier: Apache-2.0
// The weight-adjusted mass of adjusted.h by matrix cores. The balance of the moving fields passes through shared memory,
// [node][moving]; each warp of an octet takes tiles of 8 points, where a lane holds all moving and reacting fields of two points of
// its element; what it weighs lies [point][moving], and each warp projects it to its own tiles of nodes. V and P lie as fragments,
// [tile][step], behind those of LIFT; material[element][point][i] holds the weights. An element has BALANCE_ROOM words for its balance,
// and behind them those for its points, within the room of its traces.

#define MOVING_PAIRS ((MOVING + 1) / 2)
#define REACTING_PAIRS ((REACTING + 1) / 2)

// One step's rows of two fields of this lane's element, in rows of `stride` words; `second` < 0: there is one field.
FUNCTION void load_columns(LOCAL const scalar *values, int stride, int step, int first, int second, Fragment *low, Fragment *high)
{
  scalar x[FRAGMENT_STEPS], y[FRAGMENT_STEPS];
  UNROLL for (int s = 0; s < FRAGMENT_STEPS; ++s) {
    LOCAL const scalar *from = values + (step * STEP + 4 * s + THREAD % 4) * stride;
    x[s] = from[first];
    y[s] = second >= 0 ? from[second] : (scalar)0.0;
  }
  prepare_fragment(x, low);
  prepare_fragment(y, high);
}

// Adds the source to the sums of the warp's nodes and keeps the balance of the moving fields.
FUNCTION void store_balance(GLOBAL const scalar *source, int first, real *sum, LOCAL scalar *balance)
{
  UNROLL for (int j = 0; j < TILES; ++j)
    UNROLL for (int k = 0; k < 2; ++k) {
      const int node = (first + j) * 8 + 2 * (THREAD % 4) + k;
      if (node < NODES) {
        real total[FIELDS];
        UNROLL for (int i = 0; i < FIELDS; ++i) {
#if HAS_SOURCE
          sum[(j * PAIRS + i / 2) * 4 + i % 2 * 2 + k] += source[node * FIELDS + i];
#endif
          total[i] = sum[(j * PAIRS + i / 2) * 4 + i % 2 * 2 + k];
        }
        UNROLL for (int i = 0; i < MOVING; ++i) balance[node * MOVING + i] = total[MOVING_FIELD(i)];
      }
    }
}

// Zero in the rows behind the last node and the last tile of points, which steps read.
FUNCTION void clear_balance(LOCAL scalar *all)
{
  const int nodes = (VOLUME_STEPS * STEP - NODES) * MOVING;
  for (int i = THREAD; i < BATCH * nodes; i += THREADS) all[i / nodes * JUMP_ROOM + NODES * MOVING + i % nodes] = 0.0;
}

FUNCTION void weigh_points(LOCAL const scalar *own, LOCAL const scalar *balance, GLOBAL const scalar *weights,
                           GLOBAL const scalar *matrix, int warp, LOCAL scalar *weighed, LOCAL scalar *scratch)
{
  for (int begin = 0; begin < POINT_TILES; begin += TILE_WARPS) {
    const int tile = begin + warp < POINT_TILES ? begin + warp : POINT_TILES - 1;
    FOR_WARPS(begin + warp < POINT_TILES)
    {
      real sum[MOVING_PAIRS * 4], state[REACTING_PAIRS * 4 + 1];
      UNROLL for (int i = 0; i < MOVING_PAIRS * 4; ++i) sum[i] = 0.0;
      UNROLL for (int i = 0; i < REACTING_PAIRS * 4; ++i) state[i] = 0.0;
      GLOBAL const scalar *fragment = matrix + BEHIND_LIFT + tile * VOLUME_STEPS * FRAGMENT_WORDS;
      UNROLL for (int step = 0; step < VOLUME_STEPS; ++step) {
        Fragment b;
        load_fragment(fragment + step * FRAGMENT_WORDS, &b);
        UNROLL for (int p = 0; p < MOVING_PAIRS; ++p) {
          Fragment low, high;
          load_columns(balance, MOVING, step, 2 * p, 2 * p + 1 < MOVING ? 2 * p + 1 : -1, &low, &high);
          matrix_step(sum + p * 4, &low, &high, &b, scratch);
        }
        UNROLL for (int p = 0; p < REACTING_PAIRS; ++p) {
          Fragment low, high;
          load_columns(own, ROOM, step, REACTING_FIELD(2 * p), 2 * p + 1 < REACTING ? REACTING_FIELD(2 * p + 1) : -1, &low, &high);
          matrix_step(state + p * 4, &low, &high, &b, scratch);
        }
      }
      UNROLL for (int k = 0; k < 2; ++k) {
        const int point = tile * 8 + 2 * (THREAD % 4) + k, known = point < POINTS ? point : POINTS - 1;
        real weight[WEIGHTS], in[MOVING], value[REACTING + 1], rate[MOVING];
        UNROLL for (int i = 0; i < WEIGHTS; ++i) weight[i] = weights[known * WEIGHTS + i];
        UNROLL for (int i = 0; i < MOVING; ++i) in[i] = sum[i / 2 * 4 + i % 2 * 2 + k];
        UNROLL for (int i = 0; i < REACTING; ++i) value[i] = state[i / 2 * 4 + i % 2 * 2 + k];
        adjust_point(weight, in, value, rate);
        UNROLL for (int i = 0; i < MOVING; ++i) weighed[point * MOVING + i] = rate[i];
      }
    }
  }
}

// moved[tile][pair][4]: the rates of the moving fields at the warp's nodes.
FUNCTION void project_points(LOCAL const scalar *weighed, GLOBAL const scalar *matrix, int first, LOCAL scalar *scratch, real *moved)
{
  UNROLL for (int i = 0; i < TILES * MOVING_PAIRS * 4; ++i) moved[i] = 0.0;
  ROLL for (int step = 0; step < POINT_STEPS; ++step) {
    Fragment low[MOVING_PAIRS], high[MOVING_PAIRS];
    UNROLL for (int p = 0; p < MOVING_PAIRS; ++p)
      load_columns(weighed, MOVING, step, 2 * p, 2 * p + 1 < MOVING ? 2 * p + 1 : -1, low + p, high + p);
    UNROLL for (int j = 0; j < TILES; ++j) {
      const int tile = first + j < NODE_TILES ? first + j : NODE_TILES - 1;
      Fragment b;
      load_fragment(matrix + FROM_POINTS + (tile * POINT_STEPS + step) * FRAGMENT_WORDS, &b);
      UNROLL for (int p = 0; p < MOVING_PAIRS; ++p) matrix_step(moved + (j * MOVING_PAIRS + p) * 4, low + p, high + p, &b, scratch);
    }
  }
}
