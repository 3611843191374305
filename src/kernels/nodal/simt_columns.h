// SPDX-License-Identifier: Apache-2.0
// Any quadrilaterals and hexahedra where threads are lanes. A thread takes a column of nodes along the last axis, so that
// rows of the derivative's matrix stay in its registers and, in the loop over the column, are constants of the text. DIRECT
// (linear, straight, one material in each element): the flux of the slopes is taken in place of the slopes of the flux.

#if CURVED || VARYING
// As make_jumps(), with geometry or material at each face node.
FUNCTION void make_point_jumps(LOCAL const scalar *own, INDEX item, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                               GLOBAL const scalar *material_face, GLOBAL const int *neighbour, GLOBAL const int *tables,
                               LOCAL scalar *jump)
{
  for (int i = THREAD; i < BATCH * TRACE; i += THREADS) {
    const int e = i / TRACE, at = i - e * TRACE, face = at / FACE_NODES, node = tables[at];
    const INDEX element = item + e;
    LOCAL scalar *here = jump + e * JUMP_ROOM + jump_place(at, 0);
    real ql[FIELDS], qr[FIELDS], ml[MATERIALS], mr[MATERIALS], scaled[DIM], n[DIM], star[FIELDS], flow[FIELDS];
    load_node(here, NEXT_JUMP, qr);
    load_own(own + e * OWN_ROOM, node, ql);
#if VARYING
    UNROLL for (int k = 0; k < MATERIALS; ++k) {
      ml[k] = material_face[(element * TRACE + at) * 2 * MATERIALS + k];
      mr[k] = material_face[((element * TRACE + at) * 2 + 1) * MATERIALS + k];
    }
#else
    node_material(material, material_face, element, node, ml);
    load_material(material, material_row(neighbour[(element * FACES + face) * 2 + 1]), mr);
#endif
    straight_normal(geometry + element * GEOMETRY + node * POINT_GEOMETRY, face, scaled);
    const real scale = unit_normal(scaled, n) * FACE_SCALE;
    numerical_flux(ql, ml, qr, mr, n, star);
    flux(ql, ml, n, flow);
    UNROLL for (int k = 0; k < FIELDS; ++k) flow[k] = scale * (flow[k] - star[k]);
    store_node(flow, here, NEXT_JUMP);
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
        real value[FIELDS];
        load_own(own, start + j * stride, value);
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
      load_own(own, n, q);
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
    if (place[d] == 0 || place[d] == ORDER) {
      real value[FIELDS];
      load_jump(jump, (place[d] == 0 ? 2 * d : 2 * d + 1) * FACE_NODES + at, value);
      UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += value[k];
    }
  }
}

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, STAGE_PARAMETERS)
{
  const INDEX slot = (first + item) * ELEMENT;
  GLOBAL const int *around = neighbour + item * FACES * 2;
  LOCAL scalar *own = memory, *jump = own + BATCH * OWN_ROOM, *unit = jump + BATCH * JUMP_ROOM;
#if STAGED
  LOCAL scalar *rates = unit + BATCH * NORMAL_ROOM;
#endif
#if CURVED || VARYING
  copy_own(q + slot, own);
  copy_behind(q, around, tables, jump);
  COPY_CLOSE;
  COPY_WAIT(0);
  BARRIER;
  make_point_jumps(own, item, geometry, material, material_face, neighbour, tables, jump);
#else
  begin_batch(update, q, slot, residual, geometry + item * DIM * DIM, around, tables, own, jump, unit);
  COPY_WAIT(1);
  BARRIER;
  find_normals(unit);
  COPY_WAIT(0);
  BARRIER;
  make_jumps(own, unit, material, (GLOBAL const int *)material_face + item, around, tables, jump);
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
    UNROLL for (int k = 0; k < DIM * DIM; ++k) g[k] = unit[BATCH * FACES * 4 + e * DIM * DIM + k];
    UNROLL for (int d = 0; d < DIM - 1; ++d)
      UNROLL for (int j = 0; j < LINE; ++j) row[d * LINE + j] = derivative[place[d]][j];
    UNROLL for (int j = 0; j < LINE; ++j)
      load_own(own + e * OWN_ROOM, column + j * COLUMNS, along + j * FIELDS);
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
      surface_sum(jump + e * JUMP_ROOM, place, sum);
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
      load_own(own + e * OWN_ROOM, node, old);
      balance_to_rate(m, old, sum, rate);
#if STAGED
      store_rate(rate, rates + e * RATE_ROOM, node);
#else
      UNROLL for (int k = 0; k < FIELDS; ++k) {
        real r = rate[k];
        if (update) {
          r = a * residual[at + k] + dt * r;
          residual[at + k] = r;
          r = old[k] + b * r;
        }
        next[at + k] = r;
      }
#endif
    }
  }
#if STAGED
  BARRIER;
  update_batch(update, own, rates, residual + slot, next + slot, a, b, dt);
#endif
}
