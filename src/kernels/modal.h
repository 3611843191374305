// SPDX-License-Identifier: Apache-2.0
// The modal operator on affine elements, weak form in orthonormal modes phi:
//   w_i = sum_d (d_d phi_i, F(q) . grad r_d) - <phi_i, F*> |J_face| / J + (phi_i, reaction + source),   rate = P [ M^-1 w ].
// The contractions with the element's numbers are generated before this text (dg/modal_text.cpp): weak(d, ..) and
// strong(level, d, ..) of derivatives, trace(face, ..), lift(face, ..), and where material varies the triple products
// weak_product(d, ..), strong_product(d, ..) and product(..). Constants: DIM, FIELDS, MATERIALS, MODES, FACES, FACE_VALUES,
// WIDTH, ORDER, COEFFICIENTS (modes of a coefficient), *_ENTRIES with their tables {row, column, coefficient}.
// Arrays: geometry[d][axis] = grad r_d; material[i]; face_material: [face][i] behind the face of each element, or records
// [value][i] of all faces where material varies; neighbour[face][record, orientation].

#define RATE 0
#define STAGE 1
#define CORRECT 2

// The unit normal of a face of an affine element; returns the ratio of the surface's to the volume's Jacobian.
FUNCTION real face_normal(const real *g, int face, real *n)
{
  real square = splat(0.0);
  for (int k = 0; k < DIM; ++k) {
#if SIMPLEX
    real sum = g[k] + g[DIM + k];
#if DIM == 3
    sum += g[2 * DIM + k];
#endif
    n[k] = face == 0 ? sum : -g[(face > 0 ? face - 1 : 0) * DIM + k];
#else
    n[k] = face % 2 == 0 ? -g[(face / 2) * DIM + k] : g[(face / 2) * DIM + k];
#endif
    square += n[k] * n[k];
  }
  const real length = sqrt(square);
  for (int k = 0; k < DIM; ++k) n[k] /= length;
  return length;
}

FUNCTION void volume_terms(const real *q, const real *g, const real *m, const LANED *coefficients, GLOBAL const scalar *numbers,
                           GLOBAL const int *places, real *sum)
{
#if VARYING && FLUX_ENTRIES
  for (int e = 0; e < FLUX_ENTRIES; ++e)
    for (int d = 0; d < DIM; ++d) {
      real a[COEFFICIENTS];
      load_coefficient(coefficients, flux_entry[e][2] + d, a);
      weak_product(d, numbers, places, a, q + flux_entry[e][1] * MODES, sum + flux_entry[e][0] * MODES);
    }
#else
  real f[ELEMENT];
  for (int d = 0; d < DIM; ++d) {
    flux_of_modes(q, m, g + d * DIM, MODES, f);
    for (int i = 0; i < FIELDS; ++i) weak(d, numbers, places, f + i * MODES, sum + i * MODES);
  }
#endif
}

FUNCTION void surface_terms(GLOBAL const scalar *faces, GLOBAL const scalar *face_material, const LANED_INT *neighbour, INDEX item,
                            const real *g, const real *m, GLOBAL const scalar *numbers, GLOBAL const int *places, real *sum)
{
#if !VARYING
  const LANED *material_behind = OF_BATCH(face_material, FACES * MATERIALS);
#endif
  for (int face = 0; face < FACES; ++face) {
    real normal[DIM], star[FIELDS * FACE_VALUES], ml[MATERIALS], mr[MATERIALS];
    Record here, behind;
    const real scale = face_normal(g, face, normal);
    own_record(faces, item, face, TRACE, &here);
    record_behind(faces, neighbour, face, TRACE, &behind);
#if VARYING
    Record material_here, material_behind;
    own_record(face_material, item, face, FACE_VALUES * MATERIALS, &material_here);
    record_behind(face_material, neighbour, face, FACE_VALUES * MATERIALS, &material_behind);
#else
    UNROLL for (int i = 0; i < MATERIALS; ++i) {
      ml[i] = m[i];
      mr[i] = AT(material_behind, face * MATERIALS + i);
    }
#endif
    for (int v = 0; v < FACE_VALUES; ++v) {
      real ql[FIELDS], qr[FIELDS], f[FIELDS];
      read_fields(&here, v, ql);
      read_fields(&behind, v, qr);
#if VARYING
      read_materials(&material_here, v, ml);
      read_materials(&material_behind, v, mr);
#endif
      numerical_flux(ql, ml, qr, mr, normal, f);
      UNROLL for (int i = 0; i < FIELDS; ++i) star[i * FACE_VALUES + v] = scale * f[i];
    }
    for (int i = 0; i < FIELDS; ++i) lift(face, numbers, places, star + i * FACE_VALUES, sum + i * MODES);
  }
}

KERNEL void traces(GLOBAL const scalar *q, GLOBAL scalar *faces, GLOBAL const scalar *numbers, GLOBAL const int *places)
{
  ITEMS(item)
  {
    real own[ELEMENT];
    load_element(OF_BATCH(q, ELEMENT), own);
    write_traces(own, faces, item, numbers, places);
  }
}

// RATE: next = rate. STAGE: residual = a residual + dt rate, next = q + b residual. CORRECT: next = base + rate.
KERNEL void operate(GLOBAL const scalar *q, GLOBAL const scalar *faces, GLOBAL const scalar *base, GLOBAL scalar *next,
                    GLOBAL scalar *residual, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                    GLOBAL const scalar *face_material, GLOBAL const scalar *coefficients, GLOBAL const int *neighbour,
                    GLOBAL const scalar *source, GLOBAL const scalar *numbers, GLOBAL const int *places, const INDEX ending,
                    const scalar a, const scalar b, const scalar dt)
{
  ITEMS(item)
  {
    real own[ELEMENT], sum[ELEMENT], rate[ELEMENT], g[DIM * DIM], m[MATERIALS];
    const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
    const LANED *coefficients_of = OF_BATCH(coefficients, COEFFICIENTS * ALL_COEFFICIENTS);
    UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
    load_element(OF_BATCH(q, ELEMENT), own);
#if HAS_SOURCE
    load_element(OF_BATCH(source, ELEMENT), sum);
#else
    for (int i = 0; i < ELEMENT; ++i) sum[i] = splat(0.0);
#endif
    volume_terms(own, g, m, coefficients_of, numbers, places, sum);
    surface_terms(faces, face_material, OF_BATCH_INT(neighbour, 2 * FACES), item, g, m, numbers, places, sum);
    add_reaction(own, m, coefficients_of, numbers, places, sum);
    divide_by_mass(sum, m, coefficients_of, numbers, places, MODES, rate);
    LANED *to = OF_BATCH(next, ELEMENT);
    if (ending == RATE) {
      for (int i = 0; i < ELEMENT; ++i) AT(to, i) = rate[i];
    } else if (ending == CORRECT) {
      const LANED *before = OF_BATCH(base, ELEMENT);
      for (int i = 0; i < ELEMENT; ++i) AT(to, i) = AT(before, i) + rate[i];
    } else {
      LANED *left = OF_BATCH(residual, ELEMENT);
      for (int i = 0; i < ELEMENT; ++i) {
        const real r = a * AT(left, i) + dt * rate[i];
        AT(left, i) = r;
        AT(to, i) = own[i] + b * r;
      }
    }
  }
}
