// SPDX-License-Identifier: Apache-2.0
// Lines, quadrilaterals and hexahedra with volume terms by two-point fluxes, on GPUs: the method and the arrays of pairs.h. The
// traces behind the faces make way for F* |J_face| / w, the state for the model's variables; then, axis by axis, a thread takes a
// line of nodes into registers, where each pair is computed once for both of its nodes.

// The axis of a face and which of its ends it is; a line's first face is opposite of its first node, as those of simplices are.
FUNCTION int face_axis(int face) { return SIMPLEX ? 0 : face / 2; }
FUNCTION int face_end(int face) { return SIMPLEX ? 1 - face : face % 2; }
FUNCTION int end_face(int d, int side) { return SIMPLEX ? 1 - side : 2 * d + side; }

// J grad r_d at the end of a line where a face is.
FUNCTION void face_direction(MAPS const scalar *g, const int d, int end, int line, real *out)
{
  LineMap map;
  map_line(g, d, line, &map);
  direction_at_point(&map, d, end * ORDER, out);
}

FUNCTION void make_end_fluxes(const INDEX item, LOCAL const scalar *own, MAPS const scalar *maps, GLOBAL const scalar *material,
                              GLOBAL const scalar *material_face, GLOBAL const int *neighbour, GLOBAL const int *tables,
                              LOCAL scalar *jump)
{
  for (int i = THREAD; i < BATCH * TRACE; i += THREADS) {
    const int e = i / TRACE, at = i - e * TRACE, face = at / FACE_NODES, line = at - face * FACE_NODES, end = face_end(face);
    LOCAL scalar *here = jump + e * JUMP_ROOM + jump_place(at, 0);
    real ql[FIELDS], qr[FIELDS], ml[MATERIALS], mr[MATERIALS], scaled[DIM], n[DIM], star[FIELDS];
    load_own(own + e * OWN_ROOM, tables[at], ql);
    load_node(here, NEXT_JUMP, qr);
    UNROLL for (int d = 0; d < DIM; ++d)
      if (face_axis(face) == d) face_direction(maps + e * GEOMETRY, d, end, line, scaled);
    if (end == 0)
      UNROLL for (int axis = 0; axis < DIM; ++axis) scaled[axis] = -scaled[axis];
    const real scale = unit_normal(scaled, n) * over_weight[ORDER];
#if VARYING
    const INDEX place = (item + e) * TRACE + at;
    UNROLL for (int k = 0; k < MATERIALS; ++k) {
      ml[k] = material_face[place * 2 * MATERIALS + k];
      mr[k] = material_face[(place * 2 + 1) * MATERIALS + k];
    }
#else
    node_material(material, material_face, item + e, 0, ml);
    load_material(material, material_row(neighbour[(e * FACES + face) * 2 + 1]), mr);
#endif
    numerical_flux(ql, ml, qr, mr, n, star);
    UNROLL for (int k = 0; k < FIELDS; ++k) star[k] *= scale;
    store_node(star, here, NEXT_JUMP);
  }
  BARRIER;
}

FUNCTION void find_variables(const INDEX item, LOCAL scalar *own, GLOBAL const scalar *material, GLOBAL const scalar *material_face)
{
#if HAS_VARIABLES
  for (int i = THREAD; i < BATCH * NODES; i += THREADS) {
    const int e = i / NODES, node = i - e * NODES;
    real q[FIELDS], v[FIELDS], m[MATERIALS];
    node_material(material, material_face, item + e, node, m);
    load_own(own + e * OWN_ROOM, node, q);
    variables_of(q, m, v);
    store_rate(v, own + e * OWN_ROOM, node);
  }
  BARRIER;
#endif
}

// The terms of the pairs of nodes of a line, subtracted from `total`.
FUNCTION void pair_terms(const real *along, const LineMap *map, const int d, const INDEX element, int start, GLOBAL const scalar *material,
                         GLOBAL const scalar *material_face, real *total)
{
  real m[MATERIALS], both[DIM], here[DIM], there[DIM];
  const int stride = line_stride(d);
  node_material(material, material_face, element, start, m);
  UNROLL for (int i = 0; i < LINE; ++i) {
    direction_at_point(map, d, i, here);
    UNROLL for (int j = i + 1; j < LINE; ++j) {
      real f[FIELDS];
      direction_at_point(map, d, j, there);
      UNROLL for (int k = 0; k < DIM; ++k) both[k] = here[k] + there[k];
#if VARYING
      real other[MATERIALS];
      node_material(material, material_face, element, start + i * stride, m);
      node_material(material, material_face, element, start + j * stride, other);
      UNROLL for (int k = 0; k < MATERIALS; ++k) m[k] = 0.5 * (m[k] + other[k]);
#endif
      two_point_flux(along + i * FIELDS, along + j * FIELDS, m, both, f);
      UNROLL for (int k = 0; k < FIELDS; ++k) {
        total[i * FIELDS + k] -= derivative[i][j] * f[k];
        total[j * FIELDS + k] -= derivative[j][i] * f[k];
      }
    }
  }
}

// From the sum of all directions at a node to its rate.
FUNCTION void finish_node(const INDEX element, int node, const LineMap *map, const int d, int j, GLOBAL const scalar *state,
                          GLOBAL const scalar *material, GLOBAL const scalar *material_face, GLOBAL const scalar *source, real *sum,
                          real *rate)
{
  real m[MATERIALS], q[FIELDS];
#if MAP != AFFINE
  const real over = over_jacobian_at(map, d, j);
  UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] *= over;
#endif
#if HAS_SOURCE
  UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += source[node * FIELDS + k];
#endif
  node_material(material, material_face, element, node, m);
#if HAS_REACTION
  UNROLL for (int k = 0; k < FIELDS; ++k) q[k] = state[node * FIELDS + k];
#endif
  balance_to_rate(m, q, sum, rate);
}

FUNCTION void derive_lines(const int d, const INDEX item, LOCAL const scalar *variables, LOCAL const scalar *jump, LOCAL scalar *rates,
                           MAPS const scalar *maps, GLOBAL const scalar *q, GLOBAL const scalar *material,
                           GLOBAL const scalar *material_face, GLOBAL const scalar *source)
{
  for (int i = THREAD; i < BATCH * COLUMNS; i += THREADS) {
    const int e = i / COLUMNS, line = i - e * COLUMNS, start = line_start(d, line), stride = line_stride(d);
    real along[LINE * FIELDS], total[LINE * FIELDS];
    LineMap map;
    map_line(maps + e * GEOMETRY, d, line, &map);
    UNROLL for (int j = 0; j < LINE; ++j) {
      load_own(variables + e * OWN_ROOM, start + j * stride, along + j * FIELDS);
      if (d > 0) load_own(rates + e * RATE_ROOM, start + j * stride, total + j * FIELDS);
      else UNROLL for (int k = 0; k < FIELDS; ++k) total[j * FIELDS + k] = 0.0;
    }
    UNROLL for (int side = 0; side < 2; ++side) {
      real star[FIELDS];
      load_jump(jump + e * JUMP_ROOM, end_face(d, side) * FACE_NODES + line, star);
      UNROLL for (int k = 0; k < FIELDS; ++k) total[side * ORDER * FIELDS + k] -= star[k];
    }
    pair_terms(along, &map, d, item + e, start, material, material_face, total);
    UNROLL for (int j = 0; j < LINE; ++j) {
      const int node = start + j * stride;
      if (d < DIM - 1) {
        store_rate(total + j * FIELDS, rates + e * RATE_ROOM, node);
      } else {
        real rate[FIELDS];
        finish_node(item + e, node, &map, d, j, q + (INDEX)e * ELEMENT, material, material_face, source + (INDEX)e * ELEMENT,
                    total + j * FIELDS, rate);
        store_rate(rate, rates + e * RATE_ROOM, node);
      }
    }
  }
  BARRIER;
}

FUNCTION void elements(const int update, LOCAL scalar *memory, const INDEX item, STAGE_PARAMETERS)
{
  const INDEX slot = (first + item) * ELEMENT;
  GLOBAL const int *around = neighbour + item * FACES * 2;
  LOCAL scalar *own = memory, *jump = own + BATCH * OWN_ROOM, *rates = jump + BATCH * JUMP_ROOM;
  MAPS const scalar *maps = begin_maps(geometry + item * GEOMETRY, rates + BATCH * RATE_ROOM);
  copy_own(q + slot, own);
  copy_behind(q, around, tables, jump);
  COPY_CLOSE;
  if (update)
    for (int i = THREAD * 128; i < BATCH * ELEMENT * (int)sizeof(scalar); i += THREADS * 128)
      ask_for((GLOBAL const char *)(residual + slot) + i);
  COPY_WAIT(0);
  BARRIER;
  make_end_fluxes(item, own, maps, material, material_face, around, tables, jump);
  find_variables(item, own, material, material_face);
  UNROLL for (int d = 0; d < DIM; ++d)
    derive_lines(d, item, own, jump, rates, maps, q + slot, material, material_face, source + slot);
  wide state[KEPT], left[KEPT];
  if (update && EARLY) begin_update(q + slot, residual + slot, state, left);
  end_update(update, q + slot, rates, state, left, residual + slot, next + slot, a, b, dt);
}
