// SPDX-License-Identifier: Apache-2.0
// The right-hand side of one element (or one batch of them), weak form in orthonormal modes phi:
//   w_i = sum_d (d_d phi_i, F(q) . grad r_d) - <phi_i, F*> |J_face| / J + (phi_i, reaction + source),   rate = P [ M^-1 w ].

#if VARYING

FUNCTION void volume_terms(const real *q, const real *g, const real *m, const LANED *coefficients, GLOBAL const scalar *numbers,
                           GLOBAL const int *places, real *sum)
{
#if FLUX_ENTRIES && AT_POINTS
  add_weak_divergence(q, coefficients, numbers, places, sum);
#elif FLUX_ENTRIES
  for (int e = 0; e < FLUX_ENTRIES; ++e)
    for (int d = 0; d < DIM; ++d) {
      real a[COEFFICIENTS];
      load_coefficient(coefficients, flux_entry[e][2] + d, a);
      weak_product(d, numbers, places, a, q + flux_entry[e][1] * MODES, sum + flux_entry[e][0] * MODES);
    }
#else
  real f[ELEMENT];
  for (int d = 0; d < DIM; ++d) {
    flux_of_modes(q, m, g + d * DIM, f);
    for (int i = 0; i < FIELDS; ++i) weak(d, numbers, places, f + i * MODES, sum + i * MODES);
  }
#endif
}

FUNCTION void surface_terms(GLOBAL const scalar *faces, GLOBAL const scalar *face_material, const LANED_INT *neighbour, INDEX item,
                            const real *g, GLOBAL const scalar *numbers, GLOBAL const int *places, real *sum)
{
  for (int face = 0; face < FACES; ++face) {
    real normal[DIM], star[FIELDS * FACE_VALUES], ml[MATERIALS], mr[MATERIALS];
    Record here, behind;
    const real scale = face_normal(g, face, normal);
    own_record(faces, item, face, TRACE, &here);
    record_behind(faces, neighbour, face, TRACE, &behind);
    Record material_here, material_behind;
    own_record(face_material, item, face, FACE_VALUES * MATERIALS, &material_here);
    record_behind(face_material, neighbour, face, FACE_VALUES * MATERIALS, &material_behind);
    for (int v = 0; v < FACE_VALUES; ++v) {
      real ql[FIELDS], qr[FIELDS], f[FIELDS];
      read_fields(&here, v, ql);
      read_fields(&behind, v, qr);
      read_materials(&material_here, v, ml);
      read_materials(&material_behind, v, mr);
      numerical_flux(ql, ml, qr, mr, normal, f);
      UNROLL for (int i = 0; i < FIELDS; ++i) star[i * FACE_VALUES + v] = scale * f[i];
    }
    for (int i = 0; i < FIELDS; ++i) lift(face, numbers, places, star + i * FACE_VALUES, sum + i * MODES);
  }
}

FUNCTION void find_rate(const real *own, GLOBAL const scalar *faces, GLOBAL const scalar *face_material, const LANED *coefficients,
                        const LANED_INT *neighbour, const LANED *source, INDEX item, const real *g, const real *m,
                        GLOBAL const scalar *numbers, GLOBAL const int *places, real *rate)
{
  real sum[ELEMENT];
#if HAS_SOURCE
  load_element(source, sum);
#else
  for (int i = 0; i < ELEMENT; ++i) sum[i] = splat(0.0);
#endif
  volume_terms(own, g, m, coefficients, numbers, places, sum);
  surface_terms(faces, face_material, neighbour, item, g, numbers, places, sum);
  add_reaction(own, m, coefficients, numbers, places, sum);
  divide_by_mass(sum, m, coefficients, numbers, places, rate);
}

#else

// rate = M^-1 (what the volume gives - what is lifted from the faces), either part where it is asked for.
FUNCTION void rate_of_parts(int volume, int surface, const real *own, const real *star, const LANED *source, const real *g,
                            const real *m, GLOBAL const scalar *numbers, GLOBAL const int *places, real *rate)
{
  real gradient[FIELDS * DIM * MODES];
  for (int k = 0; k < FIELDS; k += AT_ONCE) {
    if (surface) lift(numbers, places, star + k * (FACES * FACE_VALUES), rate + k * MODES);
    if (volume) weak_derivatives(numbers, places, own + k * MODES, gradient + k * (DIM * MODES));
  }
  for (int i = 0; i < MODES; ++i) {
    real balance[FIELDS], f[FIELDS];
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = surface ? -rate[k * MODES + i] : splat(0.0);
    if (volume) {
      flux_of_mode(gradient, i, MODES, g, m, f);
      UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] += f[k];
#if HAS_SOURCE
      UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] += AT(source, k * MODES + i);
#endif
      add_reaction_of_mode(own, i, m, balance);
    }
    inverse_mass(m, balance, f);
    UNROLL for (int k = 0; k < FIELDS; ++k) rate[k * MODES + i] = f[k];
  }
}

FUNCTION void find_rate(const real *own, GLOBAL const scalar *faces, GLOBAL const scalar *face_material, const LANED *coefficients,
                        const LANED_INT *neighbour, const LANED *source, INDEX item, const real *g, const real *m,
                        GLOBAL const scalar *numbers, GLOBAL const int *places, real *rate)
{
  real star[FIELDS * FACES * FACE_VALUES];
  all_traces(numbers, places, own, star);
  face_fluxes(faces, OF_BATCH(face_material, FACES * MATERIALS), neighbour, g, m, star);
  rate_of_parts(1, 1, own, star, source, g, m, numbers, places, rate);
}

#endif
