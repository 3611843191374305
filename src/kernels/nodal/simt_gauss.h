// SPDX-License-Identifier: Apache-2.0
// Quadrilaterals and hexahedra whose map is not affine or whose material varies, on GPUs: the method
// and the arrays of gauss.h. A thread takes a line of nodes or points into registers; values at the points, traces
// behind the faces and the sums of the directions lie in shared memory.

// Traces behind the faces, from values at nodes to values at points along an axis of the faces; those of boundaries are
// there already.
FUNCTION void turn_traces(int axis, GLOBAL const int *neighbour, LOCAL scalar *jump)
{
  const int lines = COLUMNS / LINE, stride = axis == 0 ? 1 : LINE;
  for (int item = THREAD; item < BATCH * FACES * lines; item += THREADS) {
    const int e = item / (FACES * lines), face = item / lines % FACES, line = item % lines;
    const int start = face * COLUMNS + (axis == 0 ? line * LINE : line);
    real along[LINE * FIELDS];
    if (code_of(neighbour[(e * FACES + face) * 2 + 1]) == POINT_CODE) continue;
    UNROLL for (int j = 0; j < LINE; ++j) load_jump(jump + e * JUMP_ROOM, start + j * stride, along + j * FIELDS);
    UNROLL for (int i = 0; i < LINE; ++i) {
      real out[FIELDS];
      row_times(0, i, along, out);
      store_node(out, jump + e * JUMP_ROOM + jump_place(start + i * stride, 0), NEXT_JUMP);
    }
  }
  BARRIER;
}

// n |J_face| at a point of a face.
FUNCTION void scaled_normal(GLOBAL const scalar *g, GLOBAL const scalar *normals, INDEX element, int d, int side, int line, real *out)
{
#if MAP == AT_POINTS
  UNROLL for (int axis = 0; axis < DIM; ++axis)
    out[axis] = normals[((element * FACES + 2 * d + side) * COLUMNS + line) * DIM + axis];
#else
#if MAP == MULTILINEAR
  real r[DIM];
  place_of(line_start(d, line), r);
  UNROLL for (int axis = 0; axis < DIM; ++axis) r[axis] = axis == d ? 2 * side - 1 : r[axis];
  direction_at(g, d, r, out);
#else
  direction_at_point(g, d, 0, out);
#endif
  UNROLL for (int axis = 0; axis < DIM; ++axis) out[axis] = side == 0 ? -out[axis] : out[axis];
#endif
}

// F* |J_face| at an end of a line with the values `along`; where SPLIT, less half of F(q) . n |J_face|.
FUNCTION void end_flux(const real *along, LOCAL const scalar *jump, GLOBAL const scalar *g, GLOBAL const scalar *normals,
                       GLOBAL const scalar *material, GLOBAL const scalar *material_face, GLOBAL const int *neighbour, INDEX element,
                       int d, int side, int line, real *star)
{
  const int face = 2 * d + side;
  real ql[FIELDS], qr[FIELDS], ml[MATERIALS], mr[MATERIALS], scaled[DIM], n[DIM];
  UNROLL for (int k = 0; k < FIELDS; ++k) ql[k] = 0.0;
  UNROLL for (int j = 0; j < LINE; ++j)
    UNROLL for (int k = 0; k < FIELDS; ++k) ql[k] += ends[side][j] * along[j * FIELDS + k];
  load_jump(jump, face * COLUMNS + line, qr);
#if VARYING
  const INDEX at = (element * FACES + face) * COLUMNS + line;
  UNROLL for (int k = 0; k < MATERIALS; ++k) {
    ml[k] = material_face[at * 2 * MATERIALS + k];
    mr[k] = material_face[(at * 2 + 1) * MATERIALS + k];
  }
#else
  node_material(material, material_face, element, 0, ml);
  load_material(material, material_row(neighbour[(element * FACES + face) * 2 + 1]), mr);
#endif
  scaled_normal(g, normals, element, d, side, line, scaled);
  const real length = unit_normal(scaled, n);
  numerical_flux(ql, ml, qr, mr, n, star);
#if SPLIT
  real own[FIELDS];
  flux(ql, ml, n, own);
  UNROLL for (int k = 0; k < FIELDS; ++k) star[k] -= 0.5 * own[k];
#endif
  UNROLL for (int k = 0; k < FIELDS; ++k) star[k] *= length;
}

// The end of a stage for a batch whose rates lie in shared memory and whose state is read again.
FUNCTION void update_again(const int update, GLOBAL const scalar *q, LOCAL const scalar *rates, GLOBAL scalar *residual,
                           GLOBAL scalar *next, scalar a, scalar b, scalar dt)
{
  for (int i = THREAD; i < BATCH * ELEMENT; i += THREADS) {
    const int e = i / ELEMENT, k = i - e * ELEMENT;
    scalar r = rates[e * RATE_ROOM + scalar_place(k)];
    if (update) {
      r = a * residual[i] + dt * r;
      residual[i] = r;
      r = q[i] + b * r;
    }
    next[i] = r;
  }
}

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, STAGE_PARAMETERS)
{
  const INDEX slot = (first + item) * ELEMENT;
  GLOBAL const int *around = neighbour + item * FACES * 2;
  LOCAL scalar *points = memory, *jump = points + BATCH * OWN_ROOM, *rates = jump + BATCH * JUMP_ROOM;
  copy_own(q + slot, points);
  copy_behind(q, around, tables, jump);
  COPY_CLOSE;
  COPY_WAIT(0);
  BARRIER;
  for (int axis = 0; axis < DIM - 1; ++axis) turn_traces(axis, around, jump);
  for (int d = 0; d < DIM; ++d) turn_lines(0, d, points);
  for (int d = 0; d < DIM; ++d) {
    for (int i = THREAD; i < BATCH * COLUMNS; i += THREADS) {
      const int e = i / COLUMNS, line = i - e * COLUMNS, start = line_start(d, line), stride = line_stride(d);
      const INDEX element = item + e;
      GLOBAL const scalar *g = geometry + element * GEOMETRY;
      real along[LINE * FIELDS], flow[LINE * FIELDS], star[2 * FIELDS], m[MATERIALS];
      UNROLL for (int j = 0; j < LINE; ++j) load_own(points + e * OWN_ROOM, start + j * stride, along + j * FIELDS);
      UNROLL for (int side = 0; side < 2; ++side)
        end_flux(along, jump + e * JUMP_ROOM, g, normals, material, material_face, neighbour, element, d, side, line,
                 star + side * FIELDS);
      UNROLL for (int j = 0; j < LINE; ++j) {
        real direction[DIM];
        direction_at_point(g, d, start + j * stride, direction);
        node_material(material, material_face, element, start + j * stride, m);
        flux(along + j * FIELDS, m, direction, flow + j * FIELDS);
      }
      UNROLL for (int n = 0; n < LINE; ++n) {
        const int point = start + n * stride;
        real sum[FIELDS];
        UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] = 0.0;
        UNROLL for (int j = 0; j < LINE; ++j)
          UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += weak[n][j] * flow[j * FIELDS + k];
#if SPLIT
        real slope[FIELDS], local[FIELDS], direction[DIM];
        UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] = 0.0;
        UNROLL for (int j = 0; j < LINE; ++j)
          UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] += point_derivative[n][j] * along[j * FIELDS + k];
        direction_at_point(g, d, point, direction);
        node_material(material, material_face, element, point, m);
        flux(slope, m, direction, local);
        UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] = 0.5 * (sum[k] - local[k]);
#endif
        UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] -= end_weights[0][n] * star[k] + end_weights[1][n] * star[FIELDS + k];
        if (d > 0) {
          real before[FIELDS];
          load_own(rates + e * RATE_ROOM, point, before);
          UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += before[k];
        }
#if MAP != AFFINE
        if (d == DIM - 1) {
          const real over = over_jacobian(g, point);
          UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] *= over;
        }
#endif
        store_rate(sum, rates + e * RATE_ROOM, point);
      }
    }
    BARRIER;
  }
  for (int i = THREAD; i < BATCH * NODES; i += THREADS) {
    const int e = i / NODES, point = i - e * NODES;
    const INDEX element = item + e;
    real values[FIELDS], sum[FIELDS], rate[FIELDS], m[MATERIALS];
    load_own(points + e * OWN_ROOM, point, values);
    load_own(rates + e * RATE_ROOM, point, sum);
#if HAS_SOURCE
    // Given at nodes.
    for (int n = 0; n < NODES; ++n) {
      const real entry = to_points[point % LINE][n % LINE] * to_points[point / LINE % LINE][n / LINE % LINE] *
                         (DIM == 3 ? to_points[point / (LINE * LINE) % LINE][n / (LINE * LINE) % LINE] : (real)1.0);
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += entry * source[slot + (INDEX)(e * NODES + n) * FIELDS + k];
    }
#endif
    node_material(material, material_face, element, point, m);
    balance_to_rate(m, values, sum, rate);
    store_rate(rate, rates + e * RATE_ROOM, point);
  }
  BARRIER;
  for (int d = 0; d < DIM; ++d) turn_lines(1, d, rates);
  update_again(update, q + slot, rates, residual + slot, next + slot, a, b, dt);
}
