// SPDX-License-Identifier: Apache-2.0
// Quadrilaterals and hexahedra where threads are lanes: the method and the arrays of tensor.h. A thread takes a column of
// nodes along the last axis, so that rows of the derivative's matrix stay in its registers and, in the loop over the
// column, are constants of the text. DIRECT (linear, straight, one material in each element): the flux of the slopes is
// taken in place of the slopes of the flux.

#define COLUMNS (NODES / LINE)
#define POINT_GEOMETRY (CURVED ? DIM * DIM + 1 : 0)
#define POINT_MATERIAL (VARYING ? MATERIALS : 0)
#define GEOMETRY (CURVED ? NODES * POINT_GEOMETRY : DIM * DIM)

// Geometry and material at a node of an element.
FUNCTION void node_geometry(GLOBAL const scalar *geometry, int node, int d, real *g)
{
  UNROLL for (int axis = 0; axis < DIM; ++axis) g[axis] = geometry[node * POINT_GEOMETRY + d * DIM + axis];
}

FUNCTION void node_material(GLOBAL const scalar *material, GLOBAL const scalar *material_face, INDEX element, int node, real *m)
{
#if VARYING
  UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = material[(element * NODES + node) * MATERIALS + i];
#else
  load_material(material, ((GLOBAL const int *)material_face)[element], m);
#endif
}

#if CURVED || VARYING
// As surface_jumps() of simt_surface.h, with geometry or material at each face node.
FUNCTION void surface_jumps(GLOBAL const scalar *q, LOCAL const scalar *own, INDEX item, GLOBAL const scalar *geometry,
                            GLOBAL const scalar *material, GLOBAL const scalar *material_face, GLOBAL const int *neighbour,
                            GLOBAL const int *tables, LOCAL scalar *jump)
{
  for (int i = THREAD; i < BATCH * TRACE; i += THREADS) {
    const int e = i / TRACE, at = i - e * TRACE, face = at / FACE_NODES, j = at - face * FACE_NODES, node = tables[at];
    const INDEX element = item + e;
    const int slot = neighbour[(element * FACES + face) * 2], word = neighbour[(element * FACES + face) * 2 + 1];
    GLOBAL const scalar *behind = q + (INDEX)slot * ELEMENT + tables[TRACE + code_of(word) * FACE_NODES + j];
    real ql[FIELDS], qr[FIELDS], ml[MATERIALS], mr[MATERIALS], scaled[DIM], n[DIM], star[FIELDS], flow[FIELDS];
    UNROLL for (int k = 0; k < FIELDS; ++k) qr[k] = behind[k];
    UNROLL for (int k = 0; k < FIELDS; ++k) ql[k] = own[e * OWN_ROOM + own_node(node) + k];
#if VARYING
    UNROLL for (int k = 0; k < MATERIALS; ++k) {
      ml[k] = material_face[(element * TRACE + at) * 2 * MATERIALS + k];
      mr[k] = material_face[((element * TRACE + at) * 2 + 1) * MATERIALS + k];
    }
#else
    node_material(material, material_face, element, node, ml);
    load_material(material, material_row(word), mr);
#endif
    straight_normal(geometry + element * GEOMETRY + node * POINT_GEOMETRY, face, scaled);
    const real scale = unit_normal(scaled, n) * FACE_SCALE;
    numerical_flux(ql, ml, qr, mr, n, star);
    flux(ql, ml, n, flow);
    UNROLL for (int k = 0; k < FIELDS; ++k) jump[i * FIELDS + k] = scale * (flow[k] - star[k]);
  }
}
#endif

// The volume's part at a node of a column, whose values are `along`.
#if DIRECT
FUNCTION void volume_sum(LOCAL const scalar *own, const real *g, const real *m, const real *row, const real *along, int column,
                         int last, real *sum)
{
  UNROLL for (int f = 0; f < FIELDS; ++f) sum[f] = 0.0;
  int stride = 1, rest = column;
  UNROLL for (int d = 0; d < DIM; ++d) {
    real slope[FIELDS], f[FIELDS];
    const int start = column + last * COLUMNS - rest % LINE * stride;
    UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] = 0.0;
    UNROLL for (int j = 0; j < LINE; ++j)
      if (d == DIM - 1) {
        UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] += derivative[last][j] * along[j * FIELDS + k];
      } else {
        LOCAL const scalar *value = own + own_node(start + j * stride);
        UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] += row[d * LINE + j] * value[k];
      }
    flux(slope, m, g + d * DIM, f);
    UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] -= f[k];
    rest /= LINE;
    stride *= LINE;
  }
}
#else
FUNCTION void volume_sum(LOCAL const scalar *own, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                         GLOBAL const scalar *material_face, INDEX element, int node, real *sum)
{
  UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] = 0.0;
  int stride = 1;
  for (int d = 0; d < DIM; ++d, stride *= LINE) {
    const int place = node / stride % LINE, start = node - place * stride;
    real slope[FIELDS], change[FIELDS], g[DIM], m[MATERIALS], q[FIELDS], f[FIELDS];
    UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] = change[k] = 0.0;
    for (int j = 0; j < LINE; ++j) {
      const int n = start + j * stride;
      const real entry = derivative[place][j];
      UNROLL for (int k = 0; k < FIELDS; ++k) q[k] = own[own_node(n) + k];
      node_geometry(geometry + element * GEOMETRY, n, d, g);
      node_material(material, material_face, element, n, m);
      flux(q, m, g, f);
      UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] += entry * f[k];
      UNROLL for (int k = 0; k < FIELDS; ++k) change[k] += entry * q[k];
    }
#if SPLIT
    node_geometry(geometry + element * GEOMETRY, node, d, g);
    node_material(material, material_face, element, node, m);
    flux(change, m, g, f);
    UNROLL for (int k = 0; k < FIELDS; ++k) slope[k] = 0.5 * (slope[k] + f[k]);
#endif
    UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] -= slope[k];
  }
}
#endif

// What the faces that a node lies on add to it.
FUNCTION void surface_sum(LOCAL const scalar *jump, const int *place, real *sum)
{
  UNROLL for (int d = 0; d < DIM; ++d) {
    int at = 0, stride = 1;
    UNROLL for (int axis = 0; axis < DIM; ++axis)
      if (axis != d) {
        at += place[axis] * stride;
        stride *= LINE;
      }
    if (place[d] == 0)
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += jump[(2 * d * FACE_NODES + at) * FIELDS + k];
    if (place[d] == ORDER)
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += jump[((2 * d + 1) * FACE_NODES + at) * FIELDS + k];
  }
}

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, GLOBAL const scalar *q, GLOBAL scalar *next,
                       GLOBAL scalar *residual, GLOBAL const scalar *geometry, GLOBAL const scalar *normals,
                       GLOBAL const scalar *material, GLOBAL const scalar *material_face, GLOBAL const int *neighbour,
                       GLOBAL const scalar *matrix, GLOBAL const int *tables, GLOBAL const scalar *source, const INDEX first,
                       const scalar a, const scalar b, const scalar dt)
{
  const INDEX slot = (first + item) * ELEMENT;
  LOCAL scalar *own = memory, *jump = memory + BATCH * OWN_ROOM;
#if STAGED
  LOCAL scalar *rates = jump + BATCH * TRACE * FIELDS;
#endif
  load_batch(q + slot, own);
  BARRIER;
#if CURVED || VARYING
  surface_jumps(q, own, item, geometry, material, material_face, neighbour, tables, jump);
#else
  surface_jumps(q, own, geometry + item * DIM * DIM, material, (GLOBAL const int *)material_face + item, neighbour + item * FACES * 2,
                tables, jump);
#endif
  BARRIER;
  for (int i = THREAD; i < BATCH * COLUMNS; i += THREADS) {
    const int e = i / COLUMNS, column = i - e * COLUMNS;
    const INDEX element = item + e;
    int place[3];
    real m[MATERIALS];
    place[0] = column % LINE;
    place[1] = column / LINE;
#if DIRECT
    real g[DIM * DIM], row[(DIM - 1) * LINE], along[LINE * FIELDS];
    UNROLL for (int k = 0; k < DIM * DIM; ++k) g[k] = geometry[element * DIM * DIM + k];
    UNROLL for (int d = 0; d < DIM - 1; ++d)
      UNROLL for (int j = 0; j < LINE; ++j) row[d * LINE + j] = derivative[place[d]][j];
    UNROLL for (int j = 0; j < LINE; ++j)
      UNROLL for (int k = 0; k < FIELDS; ++k) along[j * FIELDS + k] = own[e * OWN_ROOM + own_node(column + j * COLUMNS) + k];
    node_material(material, material_face, element, 0, m);
    UNROLL for (int last = 0; last < LINE; ++last) {
#else
    for (int last = 0; last < LINE; ++last) {
#endif
      const int node = column + last * COLUMNS;
      const INDEX at = slot + (INDEX)(e * NODES + node) * FIELDS;
      real sum[FIELDS], old[FIELDS], rate[FIELDS];
      place[DIM - 1] = last;
#if DIRECT
      volume_sum(own + e * OWN_ROOM, g, m, row, along, column, last, sum);
#else
      volume_sum(own + e * OWN_ROOM, geometry, material, material_face, element, node, sum);
#endif
      surface_sum(jump + e * TRACE * FIELDS, place, sum);
#if !DIRECT
      node_material(material, material_face, element, node, m);
#endif
#if CURVED
      const real inverse = geometry[element * GEOMETRY + node * POINT_GEOMETRY + DIM * DIM];
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] *= inverse;
#endif
#if HAS_SOURCE
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += source[at + k];
#endif
#if DIRECT
      UNROLL for (int k = 0; k < FIELDS; ++k) old[k] = along[last * FIELDS + k];
#else
      UNROLL for (int k = 0; k < FIELDS; ++k) old[k] = own[e * OWN_ROOM + own_node(node) + k];
#endif
      balance_to_rate(m, old, sum, rate);
#if STAGED
      UNROLL for (int k = 0; k < FIELDS; ++k) rates[e * OWN_ROOM + own_node(node) + k] = rate[k];
#else
      UNROLL for (int k = 0; k < FIELDS; ++k)
        update_scalar(update, rate[k], old[k], residual + at + k, next + at + k, a, b, dt);
#endif
    }
  }
#if STAGED
  BARRIER;
  for (int i = THREAD; i < BATCH * ELEMENT; i += THREADS) {
    const int e = i / ELEMENT, place = e * OWN_ROOM + own_place(i - e * ELEMENT);
    update_scalar(update, rates[place], own[place], residual + slot + i, next + slot + i, a, b, dt);
  }
#endif
}

// Energy of each element, q . M(x) q / 2 integrated at the nodes.
KERNEL void energy(GLOBAL const scalar *q, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                   GLOBAL const scalar *material_face, GLOBAL const scalar *matrix, GLOBAL scalar *out, const INDEX first)
{
  SHARED(memory);
  GROUP(item);
  for (int i = THREAD; i < BATCH * COLUMNS; i += THREADS) {
    const int e = i / COLUMNS;
    const INDEX element = item * BATCH + e;
    real sum = 0.0;
    for (int last = 0; last < LINE; ++last) {
      const int node = i - e * COLUMNS + last * COLUMNS;
      real values[FIELDS], moment[FIELDS], m[MATERIALS], density = 0.0;
      UNROLL for (int k = 0; k < FIELDS; ++k) values[k] = q[((first + element) * NODES + node) * FIELDS + k];
      node_material(material, material_face, element, node, m);
      mass(m, values, moment);
      UNROLL for (int k = 0; k < FIELDS; ++k) density += 0.5 * values[k] * moment[k];
#if CURVED
      sum += point_weight[node] * density / geometry[element * GEOMETRY + node * POINT_GEOMETRY + DIM * DIM];
#else
      real g[DIM * DIM];
      UNROLL for (int k = 0; k < DIM * DIM; ++k) g[k] = geometry[element * GEOMETRY + k];
      sum += point_weight[node] * density / determinant(g);
#endif
    }
    memory[i] = sum;
  }
  BARRIER;
  write_sums(memory, COLUMNS, out + first + item * BATCH);
}
