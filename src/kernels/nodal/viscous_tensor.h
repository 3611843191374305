// SPDX-License-Identifier: Apache-2.0
// Viscous terms of quadrilaterals and hexahedra, at Gauss points whatever their map, line by line: the tables of lines.h. Behind
// faces lie values at nodes, which are interpolated to the points of the face, or at these points (POINT_CODE).

#define AFFINE 0
#define MULTILINEAR 1
#define AT_POINTS 2
#define COLUMNS (NODES / LINE)
#if MAP == AFFINE
#define GEOMETRY (DIM * DIM)
#elif MAP == MULTILINEAR
#define GEOMETRY (((1 << DIM) - 1) * DIM)
#else
#define GEOMETRY (NODES * (DIM * DIM + 1))
#endif

FUNCTION int stride_of(const int d) { return d == 0 ? 1 : d == 1 ? LINE : LINE * LINE; }
FUNCTION int start_of(const int d, int line) { return line / stride_of(d) * stride_of(d) * LINE + line % stride_of(d); }

FUNCTION void get_line(TEAM const real *values, const int d, int line, real *along)
{
  TEAM const real *from = values + start_of(d, line) * FIELDS;
  for (int j = 0; j < LINE; ++j)
    for (int k = 0; k < FIELDS; ++k) along[j * FIELDS + k] = from[j * stride_of(d) * FIELDS + k];
}

// `arrays` arrays of `words` values each: along the lines of direction d, times a line's matrix.
#define TURN_ARRAYS(name, table)                                                                                    \
  FUNCTION void name(TEAM real *values, const int d, const int arrays, const int words, const int lines)            \
  {                                                                                                                 \
    SHARE(item, arrays * lines)                                                                                     \
    {                                                                                                               \
      TEAM real *array = values + item / lines * words;                                                             \
      const int line = item % lines;                                                                                \
      real along[LINE * FIELDS];                                                                                    \
      get_line(array, d, line, along);                                                                              \
      for (int i = 0; i < LINE; ++i) {                                                                              \
        TEAM real *to = array + (start_of(d, line) + i * stride_of(d)) * FIELDS;                                    \
        UNROLL for (int k = 0; k < FIELDS; ++k) {                                                                   \
          real sum = table[i][0] * along[k];                                                                        \
          UNROLL for (int j = 1; j < LINE; ++j) sum += table[i][j] * along[j * FIELDS + k];                         \
          to[k] = sum;                                                                                              \
        }                                                                                                           \
      }                                                                                                             \
    }                                                                                                               \
    MEET;                                                                                                           \
  }
TURN_ARRAYS(arrays_to_points, to_points)
TURN_ARRAYS(arrays_to_nodes, to_nodes)

// The coordinates of Gauss point n, whose coordinate d is `at` where it lies on a face.
FUNCTION void point_coordinates(int n, scalar *r)
{
  r[0] = line_point[n % LINE];
  r[1] = line_point[n / LINE % LINE];
#if DIM == 3
  r[2] = line_point[n / (LINE * LINE)];
#endif
}

#if MAP == MULTILINEAR
// J grad r_d for all d, and J, from the coefficients of the map by products of coordinates, by bits, from 1 on.
FUNCTION real cofactors_at(GLOBAL const real *g, const scalar *r, real *out)
{
#if DIM == 2
  real t0[DIM], t1[DIM];
  for (int a = 0; a < DIM; ++a) {
    t0[a] = g[a] + r[1] * g[2 * DIM + a];
    t1[a] = g[DIM + a] + r[0] * g[2 * DIM + a];
  }
  out[0] = t1[1];
  out[1] = -t1[0];
  out[2] = -t0[1];
  out[3] = t0[0];
  return t0[0] * t1[1] - t0[1] * t1[0];
#else
  real t[DIM * DIM];  // dx_a / dr_d
  for (int a = 0; a < DIM; ++a) {
    t[a] = g[a] + r[1] * g[2 * DIM + a] + r[2] * (g[4 * DIM + a] + r[1] * g[6 * DIM + a]);
    t[DIM + a] = g[DIM + a] + r[0] * g[2 * DIM + a] + r[2] * (g[5 * DIM + a] + r[0] * g[6 * DIM + a]);
    t[2 * DIM + a] = g[3 * DIM + a] + r[0] * g[4 * DIM + a] + r[1] * (g[5 * DIM + a] + r[0] * g[6 * DIM + a]);
  }
  for (int d = 0; d < DIM; ++d) {
    const real *e = t + (d + 1) % DIM * DIM, *f = t + (d + 2) % DIM * DIM;
    for (int a = 0; a < DIM; ++a) {
      const int b = (a + 1) % DIM, c = (a + 2) % DIM;
      out[d * DIM + a] = e[b] * f[c] - e[c] * f[b];
    }
  }
  return t[0] * out[0] + t[1] * out[1] + t[2] * out[2];
#endif
}
#endif

// J grad r_d at Gauss point n for all d; 1/J is returned. AFFINE: J is divided out, and 1 is returned.
FUNCTION real metrics_at(GLOBAL const real *g, int n, real *out)
{
#if MAP == AFFINE
  for (int i = 0; i < DIM * DIM; ++i) out[i] = g[i];
  return splat(1.0);
#elif MAP == MULTILINEAR
  scalar r[DIM];
  point_coordinates(n, r);
  return 1.0 / cofactors_at(g, r, out);
#else
  for (int i = 0; i < DIM * DIM; ++i) out[i] = g[n * (DIM * DIM + 1) + i];
  return g[n * (DIM * DIM + 1) + DIM * DIM];
#endif
}

// The outward normal where a line in direction d ends, times |J_face| (AFFINE: over J).
FUNCTION void end_normal(GLOBAL const real *g, GLOBAL const real *normals, const int d, const int side, int line, real *out)
{
#if MAP == AT_POINTS
  for (int a = 0; a < DIM; ++a) out[a] = normals[((2 * d + side) * COLUMNS + line) * DIM + a];
#else
  real all[DIM * DIM];
#if MAP == AFFINE
  for (int i = 0; i < DIM * DIM; ++i) all[i] = g[i];
#else
  scalar r[DIM];
  point_coordinates(start_of(d, line), r);
  r[d] = side == 0 ? -1.0 : 1.0;
  cofactors_at(g, r, all);
#endif
  for (int a = 0; a < DIM; ++a) out[a] = side == 0 ? -all[d * DIM + a] : all[d * DIM + a];
#endif
}

// The neighbours' traces on the two faces where the lines in direction d end, at the points of the faces: traces[side][point].
FUNCTION void faces_behind(GLOBAL const scalar *all, GLOBAL const int *neighbour, const int d, TEAM real *traces)
{
  SHARE(i, 2 * COLUMNS)
  {
    real value[FIELDS];
    load_trace(all, neighbour, 2 * d + i / COLUMNS, i % COLUMNS, value);
    for (int k = 0; k < FIELDS; ++k) traces[i * FIELDS + k] = value[k];
  }
  MEET;
  for (int axis = 0; axis < DIM - 1; ++axis) arrays_to_points(traces, axis, 2, COLUMNS * FIELDS, COLUMNS / LINE);
#if BY_POINTS
  for (int side = 0; side < 2; ++side) take_points(all, neighbour, 2 * d + side, COLUMNS, traces + side * COLUMNS * FIELDS);
  MEET;
#endif
}

// The polynomial through values along a line, at its end.
FUNCTION void line_end(const real *along, const int side, real *out)
{
  for (int k = 0; k < FIELDS; ++k) {
    real sum = ends[side][0] * along[k];
    for (int j = 1; j < LINE; ++j) sum += ends[side][j] * along[j * FIELDS + k];
    out[k] = sum;
  }
}

KERNEL void gradients(GLOBAL const scalar *q, GLOBAL scalar *gradient, GLOBAL const scalar *geometry, GLOBAL const scalar *normals,
                      GLOBAL const int *neighbour, GLOBAL const scalar *matrix, const INDEX first, const INDEX plane)
{
  FOR_TEAMS(item)
  {
    const INDEX element = first + item;
    GLOBAL const real *g = (GLOBAL const real *)geometry + item * GEOMETRY;
    GLOBAL const real *face_normals = (GLOBAL const real *)normals + item * FACES * COLUMNS * DIM;
    GLOBAL const int *around = neighbour + item * FACES * 2 * LANES;
    TEAM real *points = room, *slopes = points + ELEMENT, *traces = slopes + DIM * ELEMENT;
    load_values(q + element * ELEMENT * LANES, points);
    MEET;
    for (int d = 0; d < DIM; ++d) arrays_to_points(points, d, 1, ELEMENT, COLUMNS);
    SHARE(i, DIM * ELEMENT) slopes[i] = splat(0.0);
    for (int d = 0; d < DIM; ++d) {
      faces_behind(q, around, d, traces);
      SHARE(line, COLUMNS)
      {
        real along[LINE * FIELDS], jump[2 * FIELDS], scaled[2 * DIM];
        get_line(points, d, line, along);
        for (int side = 0; side < 2; ++side) {
          real own[FIELDS];
          line_end(along, side, own);
          for (int k = 0; k < FIELDS; ++k)
            jump[side * FIELDS + k] = 0.5 * (traces[(side * COLUMNS + line) * FIELDS + k] - own[k]);
          end_normal(g, face_normals, d, side, line, scaled + side * DIM);
        }
        for (int i = 0; i < LINE; ++i) {
          const int n = start_of(d, line) + i * stride_of(d);
          real all[DIM * DIM];
          metrics_at(g, n, all);
          for (int k = 0; k < FIELDS; ++k) {
            real slope = point_derivative[i][0] * along[k];
            for (int j = 1; j < LINE; ++j) slope += point_derivative[i][j] * along[j * FIELDS + k];
            const real low = end_weights[0][i] * jump[k], high = end_weights[1][i] * jump[FIELDS + k];
            for (int a = 0; a < DIM; ++a)
              slopes[a * ELEMENT + n * FIELDS + k] += slope * all[d * DIM + a] + low * scaled[a] + high * scaled[DIM + a];
          }
        }
      }
      MEET;
    }
#if MAP != AFFINE
    SHARE(n, NODES)
    {
      real all[DIM * DIM];
      const real over = metrics_at(g, n, all);
      for (int a = 0; a < DIM; ++a)
        for (int k = 0; k < FIELDS; ++k) slopes[a * ELEMENT + n * FIELDS + k] *= over;
    }
    MEET;
#endif
    for (int d = 0; d < DIM; ++d) arrays_to_nodes(slopes, d, DIM, ELEMENT, COLUMNS);
    SHARE(i, DIM * NODES)
    {
      real value[FIELDS];
      for (int k = 0; k < FIELDS; ++k) value[k] = slopes[i * FIELDS + k];
      store_values(value, i % NODES, gradient + i / NODES * plane + element * ELEMENT * LANES);
    }
    MEET;
  }
}

KERNEL void divergence(GLOBAL const scalar *q, GLOBAL const scalar *gradient, GLOBAL scalar *source, GLOBAL const scalar *geometry,
                       GLOBAL const scalar *normals, GLOBAL const scalar *material, GLOBAL const scalar *material_face,
                       GLOBAL const int *neighbour, GLOBAL const scalar *matrix, GLOBAL const scalar *penalty, const INDEX first,
                       const INDEX plane)
{
  FOR_TEAMS(item)
  {
    const INDEX element = first + item;
    GLOBAL const real *g = (GLOBAL const real *)geometry + item * GEOMETRY;
    GLOBAL const real *face_normals = (GLOBAL const real *)normals + item * FACES * COLUMNS * DIM;
    GLOBAL const int *around = neighbour + item * FACES * 2 * LANES;
    // Values and then gradients, here and behind the faces.
    TEAM real *points = room, *sum = points + (1 + DIM) * ELEMENT, *traces = sum + ELEMENT;
    load_values(q + element * ELEMENT * LANES, points);
    for (int a = 0; a < DIM; ++a) load_values(gradient + a * plane + element * ELEMENT * LANES, points + (1 + a) * ELEMENT);
    MEET;
    for (int d = 0; d < DIM; ++d) arrays_to_points(points, d, 1 + DIM, ELEMENT, COLUMNS);
    SHARE(i, ELEMENT) sum[i] = splat(0.0);
    for (int d = 0; d < DIM; ++d) {
      faces_behind(q, around, d, traces);
      for (int a = 0; a < DIM; ++a) faces_behind(gradient + a * plane, around, d, traces + (1 + a) * 2 * COLUMNS * FIELDS);
      SHARE(line, COLUMNS)
      {
        real along[(1 + DIM) * LINE * FIELDS], star[2 * FIELDS];
        for (int i = 0; i <= DIM; ++i) get_line(points + i * ELEMENT, d, line, along + i * LINE * FIELDS);
        for (int side = 0; side < 2; ++side) {
          const int face = 2 * d + side;
          real ql[FIELDS], qr[FIELDS], dl[FIELDS * DIM], dr[FIELDS * DIM], ml[MATERIALS], mr[MATERIALS], scaled[DIM], n[DIM], f[FIELDS];
          TEAM const real *behind = traces + (side * COLUMNS + line) * FIELDS;
          line_end(along, side, ql);
          for (int k = 0; k < FIELDS; ++k) qr[k] = behind[k];
          load_gradient(behind + 2 * COLUMNS * FIELDS, 2 * COLUMNS * FIELDS, dr);
          for (int a = 0; a < DIM; ++a) {
            real slope[FIELDS];
            line_end(along + (1 + a) * LINE * FIELDS, side, slope);
            for (int k = 0; k < FIELDS; ++k) dl[k * DIM + a] = slope[k];
          }
          end_normal(g, face_normals, d, side, line, scaled);
          const real length = normal_length(scaled, n), steep = ((GLOBAL const real *)penalty)[item * FACES + face];
          face_materials(material, material_face, around, item, face, line, ml, mr);
          face_flux(ql, dl, ml, qr, dr, mr, n, steep, at_wall(around, face), f);
          for (int k = 0; k < FIELDS; ++k) star[side * FIELDS + k] = length * f[k];
        }
        real flow[LINE * FIELDS];
        for (int j = 0; j < LINE; ++j) {
          const int n = start_of(d, line) + j * stride_of(d);
          real all[DIM * DIM], dq[FIELDS * DIM], m[MATERIALS];
          metrics_at(g, n, all);
          for (int a = 0; a < DIM; ++a)
            for (int k = 0; k < FIELDS; ++k) dq[k * DIM + a] = along[((1 + a) * LINE + j) * FIELDS + k];
          own_material(material, material_face, item, n, m);
          viscous_flux(along + j * FIELDS, dq, m, all + d * DIM, flow + j * FIELDS);
        }
        for (int i = 0; i < LINE; ++i) {
          const int n = start_of(d, line) + i * stride_of(d);
          for (int k = 0; k < FIELDS; ++k) {
            real total = end_weights[0][i] * star[k] + end_weights[1][i] * star[FIELDS + k];
            for (int j = 0; j < LINE; ++j) total -= weak[i][j] * flow[j * FIELDS + k];
            sum[n * FIELDS + k] += total;
          }
        }
      }
      MEET;
    }
#if MAP != AFFINE
    SHARE(n, NODES)
    {
      real all[DIM * DIM];
      const real over = metrics_at(g, n, all);
      for (int k = 0; k < FIELDS; ++k) sum[n * FIELDS + k] *= over;
    }
    MEET;
#endif
    for (int d = 0; d < DIM; ++d) arrays_to_nodes(sum, d, 1, ELEMENT, COLUMNS);
    SHARE(n, NODES)
    {
      real value[FIELDS];
      for (int k = 0; k < FIELDS; ++k) value[k] = sum[n * FIELDS + k];
      write_source(value, n, source + element * ELEMENT * LANES);
    }
    MEET;
  }
}
