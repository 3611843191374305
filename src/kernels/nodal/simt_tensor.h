// SPDX-License-Identifier: Apache-2.0
// Quadrilaterals and hexahedra on GPUs: the methods, the arrays and the tables of lines.h, tensor.h and
// gauss.h. What their texts share.

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

// One row of a line's matrix, to_points or to_nodes, times its values.
FUNCTION void row_times(const int back, int i, const real *along, real *out)
{
  UNROLL for (int k = 0; k < FIELDS; ++k) out[k] = 0.0;
  UNROLL for (int j = 0; j < LINE; ++j) {
    const real entry = back ? to_nodes[i][j] : to_points[i][j];
    UNROLL for (int k = 0; k < FIELDS; ++k) out[k] += entry * along[j * FIELDS + k];
  }
}

// Values at the nodes of the lines in direction d become values at their points, or the other way round.
FUNCTION void turn_lines(const int back, int d, LOCAL scalar *values)
{
  for (int item = THREAD; item < BATCH * COLUMNS; item += THREADS) {
    const int e = item / COLUMNS, line = item - e * COLUMNS, start = line_start(d, line), stride = line_stride(d);
    real along[LINE * FIELDS];
    UNROLL for (int j = 0; j < LINE; ++j) load_own(values + e * OWN_ROOM, start + j * stride, along + j * FIELDS);
    UNROLL for (int i = 0; i < LINE; ++i) {
      real out[FIELDS];
      row_times(back, i, along, out);
      store_rate(out, values + e * OWN_ROOM, start + i * stride);
    }
  }
  BARRIER;
}

#if MAP == MULTILINEAR
// J grad r_d at a place, and dx/dr_d, of the map with the coefficients g[product of coordinates, by bits, from 1
// on][axis].
FUNCTION void tangent_at(GLOBAL const scalar *g, int d, const real *r, real *out)
{
  const int own = 1 << d;
  UNROLL for (int axis = 0; axis < DIM; ++axis) {
    real sum = 0.0;
    UNROLL for (int product = 1; product < (1 << DIM); ++product)
      if (product & own) {
        real factor = 1.0;
        UNROLL for (int other = 0; other < DIM; ++other)
          if (other != d && (product >> other & 1)) factor *= r[other];
        sum += factor * g[(product - 1) * DIM + axis];
      }
    out[axis] = sum;
  }
}

FUNCTION void direction_at(GLOBAL const scalar *g, int d, const real *r, real *out)
{
#if DIM == 2
  real across[DIM];
  tangent_at(g, 1 - d, r, across);
  out[0] = d == 0 ? across[1] : -across[1];
  out[1] = d == 0 ? -across[0] : across[0];
#else
  real a[DIM], b[DIM];
  tangent_at(g, (d + 1) % 3, r, a);
  tangent_at(g, (d + 2) % 3, r, b);
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
#endif
}

// The reference coordinates of a point.
FUNCTION void place_of(int point, real *r)
{
  r[0] = line_point[point % LINE];
  r[1] = line_point[point / LINE % LINE];
#if DIM == 3
  r[2] = line_point[point / (LINE * LINE)];
#endif
}
#endif

// J grad r_d at a point of an element with geometry g.
FUNCTION void direction_at_point(GLOBAL const scalar *g, int d, int point, real *out)
{
#if MAP == MULTILINEAR
  real r[DIM];
  place_of(point, r);
  direction_at(g, d, r, out);
#else
  UNROLL for (int axis = 0; axis < DIM; ++axis)
    out[axis] = g[(MAP == AT_POINTS ? point * (DIM * DIM + 1) : 0) + d * DIM + axis];
#endif
}

// 1/J at a point.
FUNCTION real over_jacobian(GLOBAL const scalar *g, int point)
{
#if MAP == MULTILINEAR
  real r[DIM], tangent[DIM], direction[DIM], sum = 0.0;
  place_of(point, r);
  tangent_at(g, 0, r, tangent);
  direction_at(g, 0, r, direction);
  UNROLL for (int axis = 0; axis < DIM; ++axis) sum += tangent[axis] * direction[axis];
  return 1.0 / sum;
#elif MAP == AT_POINTS
  return g[point * (DIM * DIM + 1) + DIM * DIM];
#else
  real all[DIM * DIM];
  UNROLL for (int k = 0; k < DIM * DIM; ++k) all[k] = g[k];
  return determinant(all);
#endif
}

// Energy of each element, q . M(x) q / 2 integrated at the Gauss points.
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out, const INDEX first)
{
  SHARED(memory);
  GROUP(item);
  copy_own(q + (first + item * BATCH) * ELEMENT, memory);
  COPY_CLOSE;
  COPY_WAIT(0);
  BARRIER;
  for (int d = 0; d < DIM; ++d) turn_lines(0, d, memory);
  // The sum of a column takes the place of its first value.
  for (int i = THREAD; i < BATCH * COLUMNS; i += THREADS) {
    const int e = i / COLUMNS;
    const INDEX element = item * BATCH + e;
    real sum = 0.0;
    for (int last = 0; last < LINE; ++last) {
      const int point = i - e * COLUMNS + last * COLUMNS;
      real values[FIELDS], moment[FIELDS], m[MATERIALS], density = 0.0;
      load_own(memory + e * OWN_ROOM, point, values);
      node_material(material, material_face, element, point, m);
      mass(m, values, moment);
      UNROLL for (int k = 0; k < FIELDS; ++k) density += 0.5 * values[k] * moment[k];
      sum += point_weight[point] * density / over_jacobian(geometry + element * GEOMETRY, point);
    }
    memory[e * OWN_ROOM + own_place(i - e * COLUMNS, 0)] = sum;
  }
  BARRIER;
  for (int e = THREAD; e < BATCH; e += THREADS) {
    real sum = 0.0;
    for (int column = 0; column < COLUMNS; ++column) sum += memory[e * OWN_ROOM + own_place(column, 0)];
    out[first + item * BATCH + e] = sum;
  }
}
