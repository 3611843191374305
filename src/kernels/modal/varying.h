// SPDX-License-Identifier: Apache-2.0
// Element-local operations of modal elements in which material varies: flux, reaction and inverse mass of the modes by triple
// products, or with AT_POINTS by kernels/modal/points.h; traces on its faces.

// The flux along grad r_d of the modes, one by one: where it does not depend on material. [field][mode] in and out.
FUNCTION void flux_of_modes(const real *q, const real *m, const real *along, real *out)
{
  for (int j = 0; j < MODES; ++j) {
    real state[FIELDS], f[FIELDS];
    UNROLL for (int i = 0; i < FIELDS; ++i) state[i] = q[i * MODES + j];
    flux(state, m, along, f);
    UNROLL for (int i = 0; i < FIELDS; ++i) out[i * MODES + j] = f[i];
  }
}

#if !AT_POINTS
FUNCTION void load_coefficient(const LANED *coefficients, int number, real *a)
{
  for (int k = 0; k < COEFFICIENTS; ++k) a[k] = AT(coefficients, number * COEFFICIENTS + k);
}
#endif

// sum += reaction(q).
FUNCTION void add_reaction(const real *q, const real *m, const LANED *coefficients, GLOBAL const scalar *numbers,
                           GLOBAL const int *places, real *sum)
{
#if REACTION_ENTRIES && AT_POINTS
  add_products(reaction_entry, REACTION_ENTRIES, q, coefficients, numbers, places, sum);
#elif REACTION_ENTRIES
  for (int e = 0; e < REACTION_ENTRIES; ++e) {
    real a[COEFFICIENTS];
    load_coefficient(coefficients, reaction_entry[e][2], a);
    product(numbers, places, a, q + reaction_entry[e][1] * MODES, sum + reaction_entry[e][0] * MODES);
  }
#elif HAS_REACTION
  for (int j = 0; j < MODES; ++j) {
    real state[FIELDS], local[FIELDS];
    UNROLL for (int i = 0; i < FIELDS; ++i) state[i] = q[i * MODES + j];
    reaction(state, m, local);
    UNROLL for (int i = 0; i < FIELDS; ++i) sum[i * MODES + j] += local[i];
  }
#endif
}

// rate = P [ M^-1 sum ].
FUNCTION void divide_by_mass(const real *sum, const real *m, const LANED *coefficients, GLOBAL const scalar *numbers,
                             GLOBAL const int *places, real *rate)
{
#if MASS_ENTRIES
  for (int i = 0; i < ELEMENT; ++i) rate[i] = splat(0.0);
#if AT_POINTS
  add_products(mass_entry, MASS_ENTRIES, sum, coefficients, numbers, places, rate);
#else
  for (int e = 0; e < MASS_ENTRIES; ++e) {
    real a[COEFFICIENTS];
    load_coefficient(coefficients, mass_entry[e][2], a);
    product(numbers, places, a, sum + mass_entry[e][1] * MODES, rate + mass_entry[e][0] * MODES);
  }
#endif
#else
  for (int j = 0; j < MODES; ++j) {
    real balance[FIELDS], out[FIELDS];
    UNROLL for (int i = 0; i < FIELDS; ++i) balance[i] = sum[i * MODES + j];
    inverse_mass(m, balance, out);
    UNROLL for (int i = 0; i < FIELDS; ++i) rate[i * MODES + j] = out[i];
  }
#endif
}

FUNCTION void trace_records(GLOBAL const scalar *numbers, GLOBAL const int *places, const real *q, GLOBAL scalar *faces, INDEX item)
{
  RECORDS_BEGIN(faces, item);
  for (int face = 0; face < FACES; ++face) {
    real values[FIELDS * FACE_VALUES];
    for (int i = 0; i < FIELDS; ++i) trace(face, numbers, places, q + i * MODES, values + i * FACE_VALUES);
    for (int v = 0; v < FACE_VALUES; ++v) {
      real out[FIELDS];
      UNROLL for (int i = 0; i < FIELDS; ++i) out[i] = values[i * FACE_VALUES + v];
      write_fields(RECORDS_OF(faces, item), face, v, out);
    }
  }
  RECORDS_END(faces, item);
}
