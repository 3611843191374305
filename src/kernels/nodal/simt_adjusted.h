// SPDX-License-Identifier: Apache-2.0
// The weight-adjusted mass of adjusted.h on GPUs, with threads alone: a thread takes one point, then one node, of INLINE elements. The
// matrices V and P lie [column][row]; material[element][point][i] holds the weights.

// Rates of the moving fields at the points, weighed[element][point][moving], from the balance at the nodes.
FUNCTION void weigh_points(LOCAL const scalar *own, LOCAL const scalar *sums, GLOBAL const scalar *weights,
                           GLOBAL const scalar *to_points, LOCAL scalar *weighed)
{
  for (int i = THREAD; i < SETS * POINTS; i += THREADS) {
    const int set = i / POINTS, point = i - set * POINTS, begin = set * INLINE;
    real balance[INLINE * MOVING], value[INLINE * REACTING + 1];
    UNROLL for (int k = 0; k < INLINE * MOVING; ++k) balance[k] = 0.0;
    UNROLL for (int k = 0; k < INLINE * REACTING; ++k) value[k] = 0.0;
    for (int n = 0; n < NODES; ++n) {
      const real entry = to_points[n * POINTS + point];
      UNROLL for (int e = 0; e < INLINE; ++e) {
        LOCAL const scalar *sum = sums + (begin + e) * RATE_ROOM, *state = own + (begin + e) * OWN_ROOM;
        UNROLL for (int k = 0; k < MOVING; ++k) balance[e * MOVING + k] += entry * sum[own_place(n, MOVING_FIELD(k))];
        UNROLL for (int k = 0; k < REACTING; ++k) value[e * REACTING + k] += entry * state[own_place(n, REACTING_FIELD(k))];
      }
    }
    UNROLL for (int e = 0; e < INLINE; ++e) {
      real weight[WEIGHTS], rate[MOVING];
      UNROLL for (int k = 0; k < WEIGHTS; ++k) weight[k] = weights[((begin + e) * POINTS + point) * WEIGHTS + k];
      adjust_point(weight, balance + e * MOVING, value + e * REACTING, rate);
      UNROLL for (int k = 0; k < MOVING; ++k) weighed[(begin + e) * JUMP_ROOM + point * MOVING + k] = rate[k];
    }
  }
}

// The balance at the nodes, in `rates`, makes way for the rates.
FUNCTION void project_points(LOCAL const scalar *weighed, LOCAL const scalar *own, GLOBAL const scalar *media,
                             GLOBAL const scalar *from_points, LOCAL scalar *rates)
{
  for (int i = THREAD; i < SETS * NODES; i += THREADS) {
    const int set = i / NODES, n = i - set * NODES, begin = set * INLINE;
    real moved[INLINE * MOVING];
    UNROLL for (int k = 0; k < INLINE * MOVING; ++k) moved[k] = 0.0;
    for (int point = 0; point < POINTS; ++point) {
      const real entry = from_points[point * NODES + n];
      UNROLL for (int e = 0; e < INLINE; ++e)
        UNROLL for (int k = 0; k < MOVING; ++k)
          moved[e * MOVING + k] += entry * weighed[(begin + e) * JUMP_ROOM + point * MOVING + k];
    }
    UNROLL for (int e = 0; e < INLINE; ++e) {
      real m[MATERIALS], old[FIELDS], sum[FIELDS], rate[FIELDS];
      load_inside(media, 0, begin + e, m);
      load_own(own + (begin + e) * OWN_ROOM, n, old);
      load_own(rates + (begin + e) * RATE_ROOM, n, sum);
      balance_to_rate(m, old, sum, rate);
      UNROLL for (int k = 0; k < MOVING; ++k) rate[MOVING_FIELD(k)] = moved[e * MOVING + k];
      store_rate(rate, rates + (begin + e) * RATE_ROOM, n);
    }
  }
}
