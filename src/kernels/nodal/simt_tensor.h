// SPDX-License-Identifier: Apache-2.0
// Quadrilaterals and hexahedra on GPUs: the methods, the arrays and the tables of lines.h, tensor.h and gauss.h. These sources
// share the functions below.

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

// The first node of a line and the distance of its nodes; lines are numbered as the nodes of the faces at their ends.
FUNCTION int line_start(int d, int line)
{
  return d == 0 ? line * LINE : d == DIM - 1 ? line : line % LINE + line / LINE * (LINE * LINE);
}
FUNCTION int line_stride(int d) { return d == 0 ? 1 : d == 1 ? LINE : LINE * LINE; }

FUNCTION void node_material(GLOBAL const scalar *material, GLOBAL const scalar *material_face, INDEX element, int node, real *m)
{
#if VARYING
  UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = material[(element * NODES + node) * MATERIALS + i];
#else
  load_material(material, ((GLOBAL const int *)material_face)[element], m);
#endif
}

#if !PAIRS
// One row of a line's matrix, to_points or to_nodes, times its values.
FUNCTION void row_times(const int back, int i, const real *along, real *out)
{
  UNROLL for (int k = 0; k < FIELDS; ++k) out[k] = 0.0;
  UNROLL for (int j = 0; j < LINE; ++j) {
    const real entry = back ? to_nodes[i][j] : to_points[i][j];
    UNROLL for (int k = 0; k < FIELDS; ++k) out[k] += entry * along[j * FIELDS + k];
  }
}

// LINE nodes from `first` on, `step` words from one to the next, whose pairs of fields lie `next` words from each other, are
// multiplied by the matrix to_points, or to_nodes.
FUNCTION void turn_line(const int back, LOCAL scalar *first, const int step, const int next)
{
  real along[LINE * FIELDS];
  UNROLL for (int j = 0; j < LINE; ++j) load_node(first + j * step, next, along + j * FIELDS);
  UNROLL for (int i = 0; i < LINE; ++i) {
    real out[FIELDS];
    row_times(back, i, along, out);
    store_node(out, first + i * step, next);
  }
}

// Values at the nodes of the lines in direction d become values at their points, or the other way round.
FUNCTION void turn_lines(const int back, const int d, LOCAL scalar *values)
{
  for (int item = THREAD; item < BATCH * COLUMNS; item += THREADS) {
    const int e = item / COLUMNS, line = item - e * COLUMNS;
    turn_line(back, values + e * OWN_ROOM + own_place(line_start(d, line), 0), own_place(line_stride(d), 0), NEXT_OWN);
  }
  BARRIER;
}
#endif

// The geometry of a batch: read where it is if it lies at points, else from shared memory, to which its copy begins here.
#if MAP == AT_POINTS
#define MAPS GLOBAL
FUNCTION MAPS const scalar *begin_maps(GLOBAL const scalar *geometry, LOCAL scalar *room) { return geometry; }
#else
#define MAPS LOCAL
FUNCTION MAPS const scalar *begin_maps(GLOBAL const scalar *geometry, LOCAL scalar *room)
{
  for (int i = THREAD; i < BATCH * GEOMETRY; i += THREADS) copy_1(room + i, geometry + i);
  return room;
}
#endif

// The data of J grad r_d and 1/J along the lines in a direction.
#if MAP == MULTILINEAR
// J grad r_d along a line, by powers of its coordinate, and dx/dr_d, which is constant there.
typedef struct {
  real term[DIM][DIM], tangent[DIM];
} LineMap;

// From the coefficients g[product of coordinates, by bits, from 1 on][axis] of an element's map.
#if DIM == 2
FUNCTION void map_line(MAPS const scalar *g, const int d, int line, LineMap *map)
{
  MAPS const scalar *across = g + (1 - d) * DIM, *along = g + d * DIM, *both = g + 2 * DIM;
  const scalar sign = d == 0 ? 1.0 : -1.0;
  map->term[0][0] = sign * across[1];
  map->term[0][1] = -sign * across[0];
  map->term[1][0] = sign * both[1];
  map->term[1][1] = -sign * both[0];
  UNROLL for (int i = 0; i < DIM; ++i) map->tangent[i] = along[i] + line_point[line] * both[i];
}
#else
FUNCTION void add_cross(const real *a, const real *b, real *out)
{
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

// With E and F the next axes in cyclic order: J grad r_d = dx/dr_E x dx/dr_F, each of them linear along the line.
FUNCTION void map_line(MAPS const scalar *g, const int d, int line, LineMap *map)
{
  const int next = (d + 1) % 3, last = (d + 2) % 3, own = 1 << d, e = 1 << next, f = 1 << last;
  const real low = line_point[line % LINE], high = line_point[line / LINE];
  const real at_e = next < last ? low : high, at_f = next < last ? high : low;
  real e0[DIM], e1[DIM], f0[DIM], f1[DIM];
  UNROLL for (int i = 0; i < DIM; ++i) {
    e0[i] = g[(e - 1) * DIM + i] + at_f * g[(e + f - 1) * DIM + i];
    f0[i] = g[(f - 1) * DIM + i] + at_e * g[(e + f - 1) * DIM + i];
    e1[i] = g[(own + e - 1) * DIM + i] + at_f * g[6 * DIM + i];
    f1[i] = g[(own + f - 1) * DIM + i] + at_e * g[6 * DIM + i];
    map->tangent[i] = g[(own - 1) * DIM + i] + at_e * g[(own + e - 1) * DIM + i] + at_f * f1[i];
    UNROLL for (int power = 0; power < DIM; ++power) map->term[power][i] = 0.0;
  }
  add_cross(e0, f0, map->term[0]);
  add_cross(e0, f1, map->term[1]);
  add_cross(e1, f0, map->term[1]);
  add_cross(e1, f1, map->term[2]);
}
#endif

FUNCTION void direction_at(const LineMap *map, real at, real *out)
{
  UNROLL for (int i = 0; i < DIM; ++i) {
    out[i] = map->term[DIM - 1][i];
    UNROLL for (int k = DIM - 2; k >= 0; --k) out[i] = out[i] * at + map->term[k][i];
  }
}
FUNCTION void direction_at_point(const LineMap *map, const int d, int j, real *out) { direction_at(map, line_point[j], out); }
FUNCTION void direction_at_end(const LineMap *map, const int d, const int side, real *out)
{
  direction_at(map, side == 0 ? -1.0 : 1.0, out);
}
FUNCTION real over_jacobian_at(const LineMap *map, const int d, int j)
{
  real direction[DIM], sum = 0.0;
  direction_at_point(map, d, j, direction);
  UNROLL for (int i = 0; i < DIM; ++i) sum += map->tangent[i] * direction[i];
  return 1.0 / sum;
}
#else
// The element's geometry: the same along all lines (AFFINE), or at the points of this one, `step` words from each other.
typedef struct {
  MAPS const scalar *g;
  int step;
} LineMap;

FUNCTION void map_line(MAPS const scalar *g, const int d, int line, LineMap *map)
{
  map->g = MAP == AT_POINTS ? g + line_start(d, line) * (DIM * DIM + 1) : g;
  map->step = MAP == AT_POINTS ? line_stride(d) * (DIM * DIM + 1) : 0;
}
FUNCTION void direction_at_point(const LineMap *map, const int d, int j, real *out)
{
  UNROLL for (int i = 0; i < DIM; ++i) out[i] = map->g[j * map->step + d * DIM + i];
}
FUNCTION void direction_at_end(const LineMap *map, const int d, const int side, real *out) { direction_at_point(map, d, 0, out); }
FUNCTION real over_jacobian_at(const LineMap *map, const int d, int j)
{
#if MAP == AT_POINTS
  return map->g[j * map->step + DIM * DIM];
#else
  real all[DIM * DIM];
  UNROLL for (int k = 0; k < DIM * DIM; ++k) all[k] = map->g[k];
  return determinant(all);
#endif
}
#endif

// The end of a stage for a batch whose rates lie in shared memory. The residual and the state, which is read again, are
// loaded before the rates are turned back, where registers have room for them, so that their latency is hidden.
#define WIDE_COUNT (BATCH * ELEMENT / WIDE)
#define EARLY (ROUNDS(WIDE_COUNT) * WIDE <= 32)
#define KEPT (EARLY ? ROUNDS(WIDE_COUNT) : 1)
FUNCTION void begin_update(GLOBAL const scalar *q, GLOBAL const scalar *residual, wide *state, wide *left)
{
  UNROLL for (int round = 0; round < KEPT; ++round) {
    const int i = round * THREADS + THREAD;
    if (i < WIDE_COUNT) {
      state[round] = ((GLOBAL const wide *)q)[i];
      left[round] = ((GLOBAL const wide *)residual)[i];
    }
  }
}
FUNCTION void end_update(const int update, GLOBAL const scalar *q, LOCAL const scalar *rates, const wide *state, const wide *left,
                         GLOBAL scalar *residual, GLOBAL scalar *next, scalar a, scalar b, scalar dt)
{
  UNROLL for (int round = 0; round < ROUNDS(WIDE_COUNT); ++round) {
    const int i = round * THREADS + THREAD, e = i / (ELEMENT / WIDE), k = (i - e * (ELEMENT / WIDE)) * WIDE;
    if (i < WIDE_COUNT) {
      wide r = *(LOCAL const wide *)(rates + e * RATE_ROOM + scalar_place(k));
      if (update) {
        const int kept = EARLY ? round : 0;
        r = wide_sum(a, EARLY ? left[kept] : ((GLOBAL const wide *)residual)[i], dt, r);
        store_past((GLOBAL wide *)residual + i, r);
        r = wide_sum(1.0, EARLY ? state[kept] : ((GLOBAL const wide *)q)[i], b, r);
      }
      ((GLOBAL wide *)next)[i] = r;
    }
  }
}

// Energy of each element, q . M(x) q / 2 integrated at the Gauss points, or with PAIRS at the nodes.
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out,
                   const INDEX first, const INDEX slot)
{
  SHARED(memory);
  GROUP(item);
  MAPS const scalar *maps = begin_maps(geometry + item * BATCH * GEOMETRY, memory + BATCH * OWN_ROOM);
  copy_own(q + (first + item * BATCH) * ELEMENT, memory);
  COPY_CLOSE;
  COPY_WAIT(0);
  BARRIER;
#if !PAIRS
  UNROLL for (int d = 0; d < DIM; ++d) turn_lines(0, d, memory);
#endif
  // The sum of a column takes the place of its first value.
  for (int i = THREAD; i < BATCH * COLUMNS; i += THREADS) {
    const int e = i / COLUMNS;
    const INDEX element = item * BATCH + e;
    real sum = 0.0;
    LineMap map;
    map_line(maps + e * GEOMETRY, DIM - 1, i - e * COLUMNS, &map);
    for (int last = 0; last < LINE; ++last) {
      const int point = i - e * COLUMNS + last * COLUMNS;
      real values[FIELDS], moment[FIELDS], m[MATERIALS], density = 0.0;
      load_own(memory + e * OWN_ROOM, point, values);
      node_material(material, material_face, element, point, m);
      mass(m, values, moment);
      UNROLL for (int k = 0; k < FIELDS; ++k) density += 0.5 * values[k] * moment[k];
      sum += point_weight[point] * density / over_jacobian_at(&map, DIM - 1, last);
    }
    memory[e * OWN_ROOM + own_place(i - e * COLUMNS, 0)] = sum;
  }
  BARRIER;
  for (int e = THREAD; e < BATCH; e += THREADS) {
    real sum = 0.0;
    for (int column = 0; column < COLUMNS; ++column) sum += memory[e * OWN_ROOM + own_place(column, 0)];
    out[slot + item * BATCH + e] = sum;
  }
}
