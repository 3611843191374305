// SPDX-License-Identifier: Apache-2.0
// Numerical fluxes at the face nodes of straight elements with one material each: jump[element][face node][field] =
// scale * (F(q).n - F*), with the scale of the face and FACE_SCALE.

FUNCTION void surface_jumps(GLOBAL const scalar *q, LOCAL const scalar *own, GLOBAL const scalar *geometry,
                            GLOBAL const scalar *material, GLOBAL const int *material_of, GLOBAL const int *neighbour,
                            GLOBAL const int *tables, LOCAL scalar *jump)
{
  GLOBAL const int *face_node_of = tables, *neighbour_node_of = tables + TRACE;
  for (int i = THREAD; i < BATCH * TRACE; i += THREADS) {
    const int e = i / TRACE, at = i - e * TRACE, face = at / FACE_NODES, j = at - face * FACE_NODES;
    const int slot = neighbour[(e * FACES + face) * 2], word = neighbour[(e * FACES + face) * 2 + 1];
    GLOBAL const scalar *behind = q + (INDEX)slot * ELEMENT + neighbour_node_of[code_of(word) * FACE_NODES + j];
    LOCAL const scalar *before = own + e * OWN_ROOM + own_node(face_node_of[at]);
    real ql[FIELDS], qr[FIELDS], ml[MATERIALS], mr[MATERIALS], scaled[DIM], n[DIM], star[FIELDS], flow[FIELDS];
    UNROLL for (int k = 0; k < FIELDS; ++k) qr[k] = behind[k];
    UNROLL for (int k = 0; k < FIELDS; ++k) ql[k] = before[k];
    load_material(material, material_of[e], ml);
    load_material(material, material_row(word), mr);
    straight_normal(geometry + e * DIM * DIM, face, scaled);
    const real scale = unit_normal(scaled, n) * FACE_SCALE;
    numerical_flux(ql, ml, qr, mr, n, star);
    flux(ql, ml, n, flow);
    UNROLL for (int k = 0; k < FIELDS; ++k) jump[i * FIELDS + k] = scale * (flow[k] - star[k]);
  }
}
