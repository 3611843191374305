// SPDX-License-Identifier: Apache-2.0
// Shared parts of the SIMD kernels of quadrilaterals and hexahedra. LINE nodes make a line along an axis; the COLUMNS lines
// along an axis are numbered as the nodes of the two faces at which they end. Tables of a line: derivative[i][j] and
// nodal_lift[end][i] at its Gauss-Lobatto nodes; to_points[i][j] and to_nodes[i][j] between these and its Gauss points, which
// integrate products of two polynomials exactly; point_weight[n] of the element's Gauss points. MAP says what is known of the
// geometry: AFFINE, one grad r_d for each element with J divided out; MULTILINEAR, the coefficients of the map by products of
// reference coordinates; AT_POINTS, J grad r_d and 1/J at each Gauss point.

#define AFFINE 0
#define MULTILINEAR 1
#define AT_POINTS 2
#define COLUMNS (NODES / LINE)
#define POINT_MATERIAL (VARYING ? MATERIALS : 0)
#define MATERIAL_ROOM ((VARYING ? NODES : 1) * MATERIALS)
#if MAP == AFFINE
#define GEOMETRY (DIM * DIM)
#elif MAP == MULTILINEAR
#define GEOMETRY (((1 << DIM) - 1) * DIM)
#else
#define GEOMETRY (NODES * (DIM * DIM + 1))
#endif

// Loops over a line whose values stay in registers.
#if LINE * FIELDS <= 48
#define UNROLL_LINE UNROLL
#else
#define UNROLL_LINE
#endif

template <int D>
constexpr int line_stride = D == 0 ? 1 : D == 1 ? LINE : LINE * LINE;

template <int D>
FUNCTION int line_start(int line)
{
  return line / line_stride<D> * line_stride<D> * LINE + line % line_stride<D>;
}

template <int D>
FUNCTION void load_line(const real *values, int line, real (*along)[FIELDS])
{
  const real *from = values + line_start<D>(line) * FIELDS;
  UNROLL for (int j = 0; j < LINE; ++j)
    UNROLL for (int k = 0; k < FIELDS; ++k) along[j][k] = from[j * line_stride<D> * FIELDS + k];
}

// One row of a line's matrix times its values.
FUNCTION void row_times(const scalar *row, const real (*along)[FIELDS], real *out)
{
  UNROLL for (int k = 0; k < FIELDS; ++k) out[k] = row[0] * along[0][k];
  UNROLL for (int j = 1; j < LINE; ++j)
    UNROLL for (int k = 0; k < FIELDS; ++k) out[k] += row[j] * along[j][k];
}

// Values along every line in direction D, multiplied by the matrix of a line; `to` may be `from`.
template <int D>
FUNCTION void turn_lines(const scalar (*matrix)[LINE], const real *from, real *to)
{
  for (int line = 0; line < COLUMNS; ++line) {
    real along[LINE][FIELDS];
    load_line<D>(from, line, along);
    real *out = to + line_start<D>(line) * FIELDS;
    UNROLL_LINE for (int i = 0; i < LINE; ++i) row_times(matrix[i], along, out + i * line_stride<D> * FIELDS);
  }
}

#if !PAIRS
// From values at the nodes of an element to values at its Gauss points.
FUNCTION void turn_to_points(const real *nodes, real *points)
{
  turn_lines<0>(to_points, nodes, points);
  turn_lines<1>(to_points, points, points);
#if DIM == 3
  turn_lines<2>(to_points, points, points);
#endif
}
#endif

#if MAP == MULTILINEAR
// Along a line in direction D: J grad r_D is a polynomial of its coordinate, and dx/dr_D is constant.
struct LineMap {
  real term[DIM][DIM], tangent[DIM];
};

#if DIM == 2
template <int D>
FUNCTION void map_line(const real *g, int line, LineMap *map)
{
  const real *across = g + (1 - D) * DIM, *along = g + D * DIM, *both = g + 2 * DIM;
  const scalar sign = D == 0 ? 1.0 : -1.0;
  map->term[0][0] = sign * across[1];
  map->term[0][1] = -sign * across[0];
  map->term[1][0] = sign * both[1];
  map->term[1][1] = -sign * both[0];
  for (int i = 0; i < DIM; ++i) map->tangent[i] = along[i] + line_point[line] * both[i];
}
#else
FUNCTION void add_cross(const real *a, const real *b, real *out)
{
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

// With E and F the next axes in cyclic order: J grad r_D = dx/dr_E x dx/dr_F, each of them linear along the line.
template <int D>
FUNCTION void map_line(const real *g, int line, LineMap *map)
{
  constexpr int E = (D + 1) % 3, F = (D + 2) % 3, d = 1 << D, e = 1 << E, f = 1 << F;
  const scalar low = line_point[line % LINE], high = line_point[line / LINE];
  const scalar at_e = E < F ? low : high, at_f = E < F ? high : low;
  const real *of = g - DIM;  // by products of coordinates, 1 to 7
  real e0[DIM], e1[DIM], f0[DIM], f1[DIM];
  UNROLL for (int i = 0; i < DIM; ++i) {
    e0[i] = of[e * DIM + i] + at_f * of[(e + f) * DIM + i];
    f0[i] = of[f * DIM + i] + at_e * of[(e + f) * DIM + i];
    e1[i] = of[(d + e) * DIM + i] + at_f * of[7 * DIM + i];
    f1[i] = of[(d + f) * DIM + i] + at_e * of[7 * DIM + i];
    map->tangent[i] = of[d * DIM + i] + at_e * of[(d + e) * DIM + i] + at_f * f1[i];
    map->term[0][i] = map->term[1][i] = map->term[2][i] = real{};
  }
  add_cross(e0, f0, map->term[0]);
  add_cross(e0, f1, map->term[1]);
  add_cross(e1, f0, map->term[1]);
  add_cross(e1, f1, map->term[2]);
}
#endif

FUNCTION void direction_at(const LineMap *map, scalar at, real *out)
{
  UNROLL for (int i = 0; i < DIM; ++i) {
    out[i] = map->term[DIM - 1][i];
    UNROLL for (int k = DIM - 2; k >= 0; --k) out[i] = out[i] * at + map->term[k][i];
  }
}
template <int D>
FUNCTION void direction_at_point(const LineMap *map, int j, real *out)
{
  direction_at(map, line_point[j], out);
}
template <int D>
FUNCTION void direction_at_end(const LineMap *map, int side, real *out)
{
  direction_at(map, side == 0 ? -1.0 : 1.0, out);
}
template <int D>
FUNCTION real over_jacobian(const LineMap *map, int, const real *direction)
{
  real sum = map->tangent[0] * direction[0];
  UNROLL for (int i = 1; i < DIM; ++i) sum += map->tangent[i] * direction[i];
  return 1.0 / sum;
}
#elif MAP == AT_POINTS
struct LineMap {
  const real *g;
};
template <int D>
FUNCTION void map_line(const real *g, int line, LineMap *map)
{
  map->g = g + line_start<D>(line) * (DIM * DIM + 1);
}
template <int D>
FUNCTION void direction_at_point(const LineMap *map, int j, real *out)
{
  UNROLL for (int i = 0; i < DIM; ++i) out[i] = map->g[j * line_stride<D> * (DIM * DIM + 1) + D * DIM + i];
}
template <int D>
FUNCTION real over_jacobian(const LineMap *map, int j, const real *)
{
  return map->g[j * line_stride<D> * (DIM * DIM + 1) + DIM * DIM];
}
#else
struct LineMap {
  const real *g;
};
template <int D>
FUNCTION void map_line(const real *g, int, LineMap *map)
{
  map->g = g;
}
template <int D>
FUNCTION void direction_at_point(const LineMap *map, int, real *out)
{
  UNROLL for (int i = 0; i < DIM; ++i) out[i] = map->g[D * DIM + i];
}
template <int D>
FUNCTION void direction_at_end(const LineMap *map, int, real *out)
{
  direction_at_point<D>(map, 0, out);
}
template <int D>
FUNCTION real over_jacobian(const LineMap *map, int, const real *)
{
  return determinant(map->g);
}
#endif

// Energy of each element, q . M(x) q / 2 integrated at the Gauss points, or with PAIRS at the nodes.
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out,
                   const INDEX first, const INDEX slot)
{
  real points[ELEMENT];
  ITEMS(item)
  {
    const INDEX batch = first + item;
    const real *g = (const real *)geometry + item * GEOMETRY;
    const real *m = (const real *)material + item * MATERIAL_ROOM;
    load_batch(q + batch * ELEMENT * LANES, points);
#if !PAIRS
    turn_to_points(points, points);
#endif
    real sum = real{};
    for (int line = 0; line < COLUMNS; ++line) {
      LineMap map;
      map_line<0>(g, line, &map);
      for (int j = 0; j < LINE; ++j) {
        const int n = line * LINE + j;
        real moment[FIELDS], direction[DIM], density = real{};
        direction_at_point<0>(&map, j, direction);
        mass(m + n * POINT_MATERIAL, points + n * FIELDS, moment);
        for (int i = 0; i < FIELDS; ++i) density += 0.5 * points[n * FIELDS + i] * moment[i];
        sum += point_weight[n] * density / over_jacobian<0>(&map, j, direction);
      }
    }
    ((real *)out)[slot + item] = sum;
  }
}
