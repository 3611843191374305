// SPDX-License-Identifier: Apache-2.0
// Quadrilaterals and hexahedra whose map is not affine or whose material varies, on GPUs: the method and the arrays of
// gauss.h. A thread takes a line of nodes or points into registers; values at the points, traces behind the faces, the
// sums of the directions and the maps (but for MAP == AT_POINTS) lie in shared memory. The last axis is turned to its
// points while its terms are found, the first one back to nodes as soon as its rates are: 2 DIM passes over the
// element instead of 3 DIM.

// Values at nodes become values at points along an axis of the element, and traces behind its faces along an axis of the
// faces; those of boundaries are at points already. All lines are shared out among the threads.
FUNCTION void turn_to_points(const int axis, GLOBAL const int *neighbour, LOCAL scalar *points, LOCAL scalar *jump)
{
  const int lines = COLUMNS / LINE;
  for (int item = THREAD; item < BATCH * (COLUMNS + FACES * lines); item += THREADS) {
    if (item < BATCH * COLUMNS) {
      const int e = item / COLUMNS, line = item - e * COLUMNS;
      turn_line(0, points + e * OWN_ROOM + own_place(line_start(axis, line), 0), own_place(line_stride(axis), 0), NEXT_OWN);
    } else {
      const int trace = item - BATCH * COLUMNS, face = trace / lines, line = trace - face * lines, e = face / FACES;
      const int start = (face - e * FACES) * COLUMNS + (axis == 0 ? line * LINE : line);
      if (code_of(neighbour[face * 2 + 1]) != POINT_CODE)
        turn_line(0, jump + e * JUMP_ROOM + jump_place(start, 0), jump_place(axis == 0 ? 1 : LINE, 0), NEXT_JUMP);
    }
  }
  BARRIER;
}

// F* |J_face| at an end of a line with the values `along`; where SPLIT, less half of F(q) . n |J_face|.
FUNCTION void end_flux(const real *along, LOCAL const scalar *jump, const LineMap *map, GLOBAL const scalar *normals, const real *m,
                       GLOBAL const scalar *material, GLOBAL const scalar *material_face, GLOBAL const int *neighbour, INDEX element,
                       const int d, const int side, int line, real *star)
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
  UNROLL for (int k = 0; k < MATERIALS; ++k) ml[k] = m[k];
  load_material(material, material_row(neighbour[(element * FACES + face) * 2 + 1]), mr);
#endif
#if MAP == AT_POINTS
  UNROLL for (int axis = 0; axis < DIM; ++axis)
    scaled[axis] = normals[((element * FACES + face) * COLUMNS + line) * DIM + axis];
#else
  direction_at_end(map, d, side, scaled);
  if (side == 0)
    UNROLL for (int axis = 0; axis < DIM; ++axis) scaled[axis] = -scaled[axis];
#endif
  real square = 0.0;
  UNROLL for (int axis = 0; axis < DIM; ++axis) square += scaled[axis] * scaled[axis];
  const real inverse = inverse_root(square), length = square * inverse;
  UNROLL for (int axis = 0; axis < DIM; ++axis) n[axis] = scaled[axis] * inverse;
  numerical_flux(ql, ml, qr, mr, n, star);
#if SPLIT
  real own[FIELDS];
  flux(ql, ml, n, own);
  UNROLL for (int k = 0; k < FIELDS; ++k) star[k] -= 0.5 * own[k];
#endif
  UNROLL for (int k = 0; k < FIELDS; ++k) star[k] *= length;
}

// The terms of direction d along every line. With the last axis, which comes first, the line is turned to its points,
// and so is the source, which lies in `rates` then; with the first axis, which comes last, the rates are turned back.
FUNCTION void derive_lines(const int d, const INDEX item, LOCAL scalar *points, LOCAL const scalar *jump, LOCAL scalar *rates,
                           MAPS const scalar *maps, GLOBAL const scalar *normals, GLOBAL const scalar *material,
                           GLOBAL const scalar *material_face, GLOBAL const int *neighbour)
{
  for (int i = THREAD; i < BATCH * COLUMNS; i += THREADS) {
    const int e = i / COLUMNS, line = i - e * COLUMNS, start = line_start(d, line), stride = line_stride(d);
    const INDEX element = item + e;
    LOCAL scalar *own = points + e * OWN_ROOM, *sums = rates + e * RATE_ROOM;
    real along[LINE * FIELDS], flow[LINE * FIELDS], star[2 * FIELDS], m[MATERIALS];
#if SPLIT
    real turned[LINE * FIELDS];
#else
    real *turned = along;
#endif
    LineMap map;
    if (d == DIM - 1) {
      UNROLL for (int j = 0; j < LINE; ++j) load_own(own, start + j * stride, flow + j * FIELDS);
      UNROLL for (int j = 0; j < LINE; ++j) {
        row_times(0, j, flow, along + j * FIELDS);
        store_rate(along + j * FIELDS, own, start + j * stride);
      }
    } else {
      UNROLL for (int j = 0; j < LINE; ++j) load_own(own, start + j * stride, along + j * FIELDS);
    }
    map_line(maps + e * GEOMETRY, d, line, &map);
    node_material(material, material_face, element, start, m);
    UNROLL for (int side = 0; side < 2; ++side)
      end_flux(along, jump + e * JUMP_ROOM, &map, normals, m, material, material_face, neighbour, element, d, side, line,
               star + side * FIELDS);
#if HAS_SOURCE
    if (d == DIM - 1) {
      // Times J, since all sums are divided by it; those of AFFINE maps are so already.
      real given[LINE * FIELDS];
      UNROLL for (int j = 0; j < LINE; ++j) load_own(sums, start + j * stride, given + j * FIELDS);
      UNROLL for (int j = 0; j < LINE; ++j) {
        row_times(0, j, given, flow);
#if MAP != AFFINE
        const real over = over_jacobian_at(&map, d, j);
        UNROLL for (int k = 0; k < FIELDS; ++k) flow[k] /= over;
#endif
        store_rate(flow, sums, start + j * stride);
      }
    }
#endif
    UNROLL for (int j = 0; j < LINE; ++j) {
      real direction[DIM];
      direction_at_point(&map, d, j, direction);
#if VARYING
      node_material(material, material_face, element, start + j * stride, m);
#endif
      flux(along + j * FIELDS, m, direction, flow + j * FIELDS);
    }
    UNROLL for (int n = 0; n < LINE; ++n) {
      const int point = start + n * stride;
      real sum[FIELDS];
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] = 0.0;
      UNROLL for (int j = 0; j < LINE; ++j)
        UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += weak[n][j] * flow[j * FIELDS + k];
#if VARYING
      node_material(material, material_face, element, point, m);
#endif
#if SPLIT
      real slope[FIELDS], local[FIELDS], direction[DIM];
      UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] = 0.0;
      UNROLL for (int j = 0; j < LINE; ++j)
        UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] += point_derivative[n][j] * along[j * FIELDS + k];
      direction_at_point(&map, d, n, direction);
      flux(slope, m, direction, local);
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] = 0.5 * (sum[k] - local[k]);
#endif
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] -= end_weights[0][n] * star[k] + end_weights[1][n] * star[FIELDS + k];
      if (d < DIM - 1 || HAS_SOURCE) {
        real before[FIELDS];
        load_own(sums, point, before);
        UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += before[k];
      }
      if (d > 0) {
        store_rate(sum, sums, point);
      } else {
        real rate[FIELDS];
#if MAP != AFFINE
        const real over = over_jacobian_at(&map, d, n);
        UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] *= over;
#endif
        balance_to_rate(m, along + n * FIELDS, sum, rate);
        UNROLL for (int k = 0; k < FIELDS; ++k) turned[n * FIELDS + k] = rate[k];
      }
    }
    if (d == 0)
      UNROLL for (int n = 0; n < LINE; ++n) {
        row_times(1, n, turned, flow);
        store_rate(flow, sums, start + n * stride);
      }
  }
  BARRIER;
}

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, STAGE_PARAMETERS)
{
  const INDEX slot = (first + item) * ELEMENT;
  GLOBAL const int *around = neighbour + item * FACES * 2;
  LOCAL scalar *points = memory, *jump = points + BATCH * OWN_ROOM, *rates = jump + BATCH * JUMP_ROOM;
  MAPS const scalar *maps = begin_maps(geometry + item * GEOMETRY, rates + BATCH * RATE_ROOM);
  copy_own(q + slot, points);
  copy_behind(q, around, tables, jump);
#if HAS_SOURCE
  copy_own(source + slot, rates);
#endif
  COPY_CLOSE;
  if (update)
    for (int i = THREAD * 128; i < BATCH * ELEMENT * (int)sizeof(scalar); i += THREADS * 128)
      ask_for((GLOBAL const char *)(residual + slot) + i);
  COPY_WAIT(0);
  BARRIER;
  UNROLL for (int axis = 0; axis < DIM - 1; ++axis) {
#if HAS_SOURCE
    turn_lines(0, axis, rates);
#endif
    turn_to_points(axis, around, points, jump);
  }
#if DIM == 3
  derive_lines(2, item, points, jump, rates, maps, normals, material, material_face, neighbour);
#endif
  derive_lines(1, item, points, jump, rates, maps, normals, material, material_face, neighbour);
  derive_lines(0, item, points, jump, rates, maps, normals, material, material_face, neighbour);
  wide state[KEPT], left[KEPT];
  if (update && EARLY) begin_update(q + slot, residual + slot, state, left);
#if DIM == 3
  turn_lines(1, 1, rates);
#endif
  turn_lines(1, DIM - 1, rates);
  end_update(update, q + slot, rates, state, left, residual + slot, next + slot, a, b, dt);
}
