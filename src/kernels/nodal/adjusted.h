// SPDX-License-Identifier: Apache-2.0
// Straight simplices inside which material varies: from the balance r of the moving fields, and with a reaction from the values q of the
// reacting ones, to their rates,
//   rate = P [ w(x) V r + w'(x) V q ],
// V to the POINTS points of a rule, P back: the weight-adjusted inverse of the mass matrix (Chan, Hewett and Warburton 2017). Behind
// [-D | LIFT] in `matrix` lie V and P in blocks of ADJUST_ROWS rows; material[batch][point][i][lane] holds the WEIGHTS weights.

#define TO_POINTS (NODES * (DIM * NODES + FACES * FACE_NODES))
#define FROM_POINTS (TO_POINTS + POINTS * NODES)

// out[row][column] for ROWS rows and WIDTH columns.
template <int ROWS, int K, int WIDTH>
FUNCTION void adjust_rows(const scalar *RESTRICT matrix, const real *RESTRICT in, real *RESTRICT out)
{
  constexpr int tile = WIDTH % ADJUST_FIELDS == 0 ? ADJUST_FIELDS : 1;
  for (int c = 0; c < WIDTH; c += tile) multiply_tile<ROWS, K, false, WIDTH, tile>(matrix, in + c, out + c);
}

template <int ROWS>
FUNCTION void weigh_rows(const scalar *to_points, const real *balance, const real *value, const real *weights, real *weighed)
{
  real at_points[ROWS * MOVING], values[ROWS * REACTING + 1];
  adjust_rows<ROWS, NODES, MOVING>(to_points, balance, at_points);
  if constexpr (REACTING > 0) adjust_rows<ROWS, NODES, REACTING>(to_points, value, values);
  UNROLL for (int r = 0; r < ROWS; ++r)
    adjust_point(weights + r * WEIGHTS, at_points + r * MOVING, values + r * REACTING, weighed + r * MOVING);
}

// Rates of the moving fields at the points.
FUNCTION void weigh_points(const real *q, const real *sums, const real *weights, const scalar *to_points, real *weighed)
{
  real balance[NODES * MOVING], value[NODES * REACTING + 1];
  for (int n = 0; n < NODES; ++n) {
    UNROLL for (int i = 0; i < MOVING; ++i) balance[n * MOVING + i] = sums[n * FIELDS + MOVING_FIELD(i)];
    UNROLL for (int i = 0; i < REACTING; ++i) value[n * REACTING + i] = q[n * FIELDS + REACTING_FIELD(i)];
  }
  int at = 0;
  for (; at + ADJUST_ROWS <= POINTS; at += ADJUST_ROWS)
    weigh_rows<ADJUST_ROWS>(to_points + at * NODES, balance, value, weights + at * WEIGHTS, weighed + at * MOVING);
  if constexpr (POINTS % ADJUST_ROWS != 0)
    weigh_rows<POINTS % ADJUST_ROWS>(to_points + at * NODES, balance, value, weights + at * WEIGHTS, weighed + at * MOVING);
}

// The rates and the update of ROWS nodes from `row` on.
template <bool STAGE, int ROWS>
FUNCTION void finish_adjusted(const scalar *from_points, const real *weighed, const real *q, const real *m, real *sums, int row,
                              real *residual, scalar *next, scalar a, scalar b, scalar dt)
{
  real moved[ROWS * MOVING];
  adjust_rows<ROWS, POINTS, MOVING>(from_points + row * POINTS, weighed, moved);
  for (int r = 0; r < ROWS; ++r) {
    const int n = row + r;
    real rate[FIELDS];
    balance_to_rate(m, q + n * FIELDS, sums + n * FIELDS, rate);
    UNROLL for (int i = 0; i < MOVING; ++i) rate[MOVING_FIELD(i)] = moved[r * MOVING + i];
    update_node<STAGE>(rate, q + n * FIELDS, residual + n * FIELDS, next, n, a, b, dt);
  }
}

// Energy of each element, q . M(x) q / 2 integrated at the points.
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out,
                   const INDEX first, const INDEX slot)
{
  real own[ELEMENT];
  ITEMS(item)
  {
    const real *g = (const real *)geometry + item * DIM * DIM, *weights = (const real *)material + item * POINTS * WEIGHTS;
    const real *m = (const real *)material_face + (item * (2 * FACES + 1) + 2 * FACES) * MATERIALS;
    load_batch(q + (first + item) * ELEMENT * LANES, own);
    real sum = real{};
    for (int at = 0; at < POINTS; ++at) {
      // Rows of a block lie beside each other.
      const int block = at / ADJUST_ROWS * ADJUST_ROWS, rows = block + ADJUST_ROWS <= POINTS ? ADJUST_ROWS : POINTS - block;
      real here[FIELDS];
      for (int i = 0; i < FIELDS; ++i) here[i] = real{};
      for (int n = 0; n < NODES; ++n) {
        const real entry = splat(matrix[TO_POINTS + block * NODES + n * rows + at - block]);
        for (int i = 0; i < FIELDS; ++i) here[i] += entry * own[n * FIELDS + i];
      }
      sum += point_weight[at] * adjusted_density(weights + at * WEIGHTS, m, here);
    }
    ((real *)out)[slot + item] = sum / determinant(g);
  }
}
