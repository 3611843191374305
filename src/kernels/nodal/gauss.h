// SPDX-License-Identifier: Apache-2.0
// Quadrilaterals and hexahedra whose map is not affine or whose material varies: weak form at Gauss points, line by
// line,
//   rate_p = M(x)^-1 [ 1/(J w_p) ( sum_d (d phi_p/dr_d, G_d) - <phi_p, F* |J_face|> ) + R + S ],   G_d = F(q) . J grad r_d,
// with phi_p the Lagrange polynomial of point p, whose mass matrix is diagonal there. The unknowns stay values at
// Gauss-Lobatto nodes: they are interpolated to the points, the rates back, without loss. On bilinear and trilinear
// maps the rule is exact for the volume and face terms, so that the energy does not grow. SPLIT (other maps, linear,
// material not in the flux): half of the weak volume term is replaced by half of the strong one, which keeps the energy
// whatever the rule (Kopriva and Gassner 2016). Arrays by lane: geometry as MAP says; normals[batch][face][point][axis]
// = n |J_face| where MAP is AT_POINTS; material[batch][point][i] where VARYING, else [batch][i];
// material_face[batch][face][point][own i .., behind i ..] where VARYING, else [batch][face][i] (behind). Tables
// besides those of lines.h: line_point[j]; weak[i][j], ends[end][j], end_weights[end][i] of the polynomial through
// values at the points; point_derivative[i][j] where SPLIT. Behind boundaries (POINT_CODE) the state lies at the points
// of the face.

// Values behind a face at its points.
FUNCTION void behind_at_points(const scalar *all, const int *neighbour, int face, real *out)
{
  Behind behind;
  look_behind(all, neighbour, face, &behind);
  real traces[COLUMNS * FIELDS];
  for (int j = 0; j < COLUMNS; ++j) load_behind(&behind, j, traces + j * FIELDS);
  // Lines of the face, along its first axis and then along its second one.
  for (int row = 0; row < COLUMNS / LINE; ++row) {
    real along[LINE][FIELDS];
    load_line<0>(traces, row, along);
    UNROLL_LINE for (int i = 0; i < LINE; ++i) row_times(to_points[i], along, out + (row * LINE + i) * FIELDS);
  }
#if DIM == 3
  for (int column = 0; column < LINE; ++column) {
    real along[LINE][FIELDS];
    load_line<1>(out, column, along);
    UNROLL_LINE for (int i = 0; i < LINE; ++i) row_times(to_points[i], along, out + (column + i * LINE) * FIELDS);
  }
#endif
  for (int l = 0; l < LANES; ++l) {
    if (neighbour[(2 * face + 1) * LANES + l] != POINT_CODE) continue;
    const scalar *from = all + (INDEX)neighbour[2 * face * LANES + l] * BEHIND;
    for (int i = 0; i < COLUMNS * FIELDS; ++i) set_lane(out[i], l, from[i]);
  }
}

struct Batch {
  const scalar *all;
  const int *neighbour;
  const real *g, *normals, *m, *face_m;
  const real *given;  // sources at the points
};

// F* |J_face| at both ends of a line; where SPLIT, less half of F(q) . n |J_face|. Material that is constant, own_m and face_m[side],
// is a copy, so that what the flux computes of it alone is computed once for all lines.
template <int D>
FUNCTION void end_fluxes(const Batch *batch, int line, const LineMap *map, const real (*along)[FIELDS], const real *behind,
                         const real *own_m, const real *face_m, real (*star)[FIELDS])
{
  UNROLL for (int side = 0; side < 2; ++side) {
    const int face = 2 * D + side, at = face * COLUMNS + line;
    real ql[FIELDS], scaled[DIM], normal[DIM];
    row_times(ends[side], along, ql);
#if MAP == AT_POINTS
    UNROLL for (int i = 0; i < DIM; ++i) scaled[i] = batch->normals[at * DIM + i];
#else
    direction_at_end<D>(map, side, scaled);
    if (side == 0)
      UNROLL for (int i = 0; i < DIM; ++i) scaled[i] = -scaled[i];
#endif
    real square = scaled[0] * scaled[0];
    UNROLL for (int i = 1; i < DIM; ++i) square += scaled[i] * scaled[i];
    const real inverse = inverse_root(square), length = square * inverse;
    UNROLL for (int i = 0; i < DIM; ++i) normal[i] = scaled[i] * inverse;
#if VARYING
    const real *ml = batch->face_m + at * 2 * MATERIALS, *mr = ml + MATERIALS;
#else
    const real *ml = own_m, *mr = face_m + side * MATERIALS;
#endif
    numerical_flux(ql, ml, behind + (side * COLUMNS + line) * FIELDS, mr, normal, star[side]);
#if SPLIT
    real own[FIELDS];
    flux(ql, ml, normal, own);
    UNROLL for (int k = 0; k < FIELDS; ++k) star[side][k] -= 0.5 * own[k];
#endif
    UNROLL for (int k = 0; k < FIELDS; ++k) star[side][k] *= length;
  }
}

// The terms of direction D at all points. The last axis comes first: its lines are interpolated to their points on the
// way. The first axis comes last: its lines end with the rates, which go back to the nodes in this direction.
template <int D>
FUNCTION void derive_lines(const Batch *batch, real *points, real *sum)
{
  real behind[2 * COLUMNS * FIELDS];
  for (int side = 0; side < 2; ++side) behind_at_points(batch->all, batch->neighbour, 2 * D + side, behind + side * COLUMNS * FIELDS);
  real own_m[MATERIALS], face_m[2 * MATERIALS];
  UNROLL for (int i = 0; i < MATERIALS; ++i) own_m[i] = batch->m[i];
#if !VARYING
  UNROLL for (int i = 0; i < 2 * MATERIALS; ++i) face_m[i] = batch->face_m[2 * D * MATERIALS + i];
#endif
  for (int line = 0; line < COLUMNS; ++line) {
    constexpr int step = line_stride<D> * FIELDS;
    const int start = line_start<D>(line);
    real along[LINE][FIELDS], flow[LINE][FIELDS], star[2][FIELDS];
    if constexpr (D == DIM - 1) {
      load_line<D>(points, line, flow);
      UNROLL_LINE for (int i = 0; i < LINE; ++i) {
        row_times(to_points[i], flow, along[i]);
        UNROLL for (int k = 0; k < FIELDS; ++k) points[start * FIELDS + i * step + k] = along[i][k];
      }
    } else {
      load_line<D>(points, line, along);
    }
    LineMap map;
    map_line<D>(batch->g, line, &map);
    end_fluxes<D>(batch, line, &map, along, behind, own_m, face_m, star);
    real over[LINE];  // 1/J, for the last direction
    UNROLL_LINE for (int j = 0; j < LINE; ++j) {
      real here[DIM];
      direction_at_point<D>(&map, j, here);
      flux(along[j], VARYING ? batch->m + (start + j * line_stride<D>) * MATERIALS : own_m, here, flow[j]);
#if MAP != AFFINE
      if constexpr (D == 0) over[j] = over_jacobian<D>(&map, j, here);
#endif
    }
    real rates[LINE][FIELDS];
    UNROLL_LINE for (int i = 0; i < LINE; ++i) {
      real *out = sum + start * FIELDS + i * step, total[FIELDS];
      row_times(weak[i], flow, total);
#if SPLIT
      real slope[FIELDS], local[FIELDS], here[DIM];
      row_times(point_derivative[i], along, slope);
      direction_at_point<D>(&map, i, here);
      flux(slope, VARYING ? batch->m + (start + i * line_stride<D>) * MATERIALS : own_m, here, local);
      UNROLL for (int k = 0; k < FIELDS; ++k) total[k] = 0.5 * (total[k] - local[k]);
#endif
      UNROLL for (int k = 0; k < FIELDS; ++k) {
        total[k] -= end_weights[0][i] * star[0][k] + end_weights[1][i] * star[1][k];
        if (D != DIM - 1) total[k] += out[k];
      }
      if constexpr (D == 0) {
        const int n = start + i;
#if MAP != AFFINE
        UNROLL for (int k = 0; k < FIELDS; ++k) total[k] *= over[i];
#endif
#if HAS_SOURCE
        UNROLL for (int k = 0; k < FIELDS; ++k) total[k] += batch->given[n * FIELDS + k];
#endif
        balance_to_rate(VARYING ? batch->m + n * MATERIALS : own_m, along[i], total, rates[i]);
      } else {
        UNROLL for (int k = 0; k < FIELDS; ++k) out[k] = total[k];
      }
    }
    if constexpr (D == 0)
      UNROLL_LINE for (int i = 0; i < LINE; ++i) row_times(to_nodes[i], rates, sum + (start + i) * FIELDS);
  }
}

template <bool STAGE>
FUNCTION void elements(GLOBAL const scalar *q, GLOBAL scalar *next, GLOBAL scalar *residual, GLOBAL const scalar *geometry,
                       GLOBAL const scalar *normals, GLOBAL const scalar *material,
                       GLOBAL const scalar *material_face, GLOBAL const int *neighbour, GLOBAL const scalar *matrix,
                       GLOBAL const scalar *source, INDEX first, scalar a, scalar b, scalar dt)
{
  real own[ELEMENT], points[ELEMENT], sum[ELEMENT], given[HAS_SOURCE ? ELEMENT : 1];
#if STREAM
  real staged[ELEMENT];
#endif
  ITEMS(item)
  {
    const INDEX at = first + item;
    const int *around = neighbour + item * FACES * 2 * LANES;
    const Batch batch = {q, around, (const real *)geometry + item * GEOMETRY,
                         (const real *)normals + item * FACES * COLUMNS * DIM, (const real *)material + item * MATERIAL_ROOM,
                         (const real *)material_face + item * FACES * (VARYING ? COLUMNS * 2 : 1) * MATERIALS, given};
    load_batch(q + at * ELEMENT * LANES, own);
    prefetch_behind(q, around + FACES * 2 * LANES, 0, FACES * LANES);
#if HAS_SOURCE
    load_batch(source + at * ELEMENT * LANES, given);
    turn_to_points(given, given);
#endif
    turn_lines<0>(to_points, own, points);
#if DIM == 3
    turn_lines<1>(to_points, points, points);
    derive_lines<2>(&batch, points, sum);
#endif
    derive_lines<1>(&batch, points, sum);
    derive_lines<0>(&batch, points, sum);
#if DIM == 3
    turn_lines<1>(to_nodes, sum, sum);
#endif
#if STREAM
    scalar *out = (scalar *)staged;
#else
    scalar *out = next + at * ELEMENT * LANES;
#endif
    for (int line = 0; line < COLUMNS; ++line) {
      real along[LINE][FIELDS];
      load_line<DIM - 1>(sum, line, along);
      UNROLL_LINE for (int i = 0; i < LINE; ++i) {
        const int n = line + i * COLUMNS;
        real rate[FIELDS];
        row_times(to_nodes[i], along, rate);
        update_node<STAGE>(rate, own + n * FIELDS, (real *)residual + (at * NODES + n) * FIELDS, out, n, a, b, dt);
      }
    }
#if STREAM
    stream_batch(out, next + at * ELEMENT * LANES);
#endif
  }
#if STREAM
  stream_fence();
#endif
}
