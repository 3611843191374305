// SPDX-License-Identifier: Apache-2.0
// One material in each element: a linear flux then acts on modes one by one, so derivatives are taken of the fields first, and
// the model's functions see the derivatives of a mode. Generated before this text (dg/modal/text.cpp), each for one field, so
// that its products stand in the instruction cache once: derivatives(level, ..), weak_derivatives(..), trace(..), lift(..).

FUNCTION void all_traces(GLOBAL const scalar *numbers, GLOBAL const int *places, const real *in, real *values)
{
  for (int k = 0; k < FIELDS; k += AT_ONCE) trace(numbers, places, in + k * MODES, values + k * (FACES * FACE_VALUES));
#ifdef MIRROR_A
  // From the parts of even and odd modes (dg/modal/rows.hpp).
  for (int k = 0; k < FIELDS; ++k) {
    real *of = values + k * (FACES * FACE_VALUES);
    for (int v = 0; v < FACE_VALUES; ++v) {
      const real even = of[MIRROR_A * FACE_VALUES + v], odd = of[MIRROR_B * FACE_VALUES + v];
      of[MIRROR_A * FACE_VALUES + v] = even + odd;
      of[MIRROR_B * FACE_VALUES + v] = mirror_sign[v] * (even - odd);
    }
  }
#endif
}

FUNCTION void trace_records(GLOBAL const scalar *numbers, GLOBAL const int *places, const real *in, GLOBAL scalar *faces, INDEX item)
{
  real values[FIELDS * FACES * FACE_VALUES];
  RECORDS_BEGIN(faces, item);
  all_traces(numbers, places, in, values);
  for (int face = 0; face < FACES; ++face)
    for (int v = 0; v < FACE_VALUES; ++v) {
      real own[FIELDS];
      UNROLL for (int k = 0; k < FIELDS; ++k) own[k] = values[(k * FACES + face) * FACE_VALUES + v];
      write_fields(RECORDS_OF(faces, item), face, v, own);
    }
  RECORDS_END(faces, item);
}

// The way back from own records.
FUNCTION void read_traces(GLOBAL const scalar *faces, INDEX item, real *values)
{
  for (int face = 0; face < FACES; ++face) {
    Record here;
    own_record(faces, item, face, TRACE, &here);
    for (int v = 0; v < FACE_VALUES; ++v) {
      real own[FIELDS];
      read_fields(&here, v, own);
      UNROLL for (int k = 0; k < FIELDS; ++k) values[(k * FACES + face) * FACE_VALUES + v] = own[k];
    }
  }
}

// star: [field][face][value], the traces, which become the numerical fluxes as they enter the balance.
FUNCTION void face_fluxes(GLOBAL const scalar *faces, const LANED *material_behind, const LANED_INT *neighbour, const real *g,
                          const real *m, real *star)
{
  for (int face = 0; face < FACES; ++face) {
    Record behind;
    real normal[DIM], m_behind[MATERIALS];
    const real scale = face_normal(g, face, normal);
    record_behind(faces, neighbour, face, TRACE, &behind);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m_behind[i] = AT(material_behind, face * MATERIALS + i);
    for (int v = 0; v < FACE_VALUES; ++v) {
      real own[FIELDS], other[FIELDS], f[FIELDS];
      UNROLL for (int k = 0; k < FIELDS; ++k) own[k] = star[(k * FACES + face) * FACE_VALUES + v];
      read_fields(&behind, v, other);
      numerical_flux(own, m, other, m_behind, normal, f);
      UNROLL for (int k = 0; k < FIELDS; ++k) star[(k * FACES + face) * FACE_VALUES + v] = scale * f[k];
    }
  }
#ifdef MIRROR_A
  // Even modes lift the sum, odd modes the difference.
  for (int k = 0; k < FIELDS; ++k)
    for (int v = 0; v < FACE_VALUES; ++v) {
      real *a = star + (k * FACES + MIRROR_A) * FACE_VALUES + v, *b = star + (k * FACES + MIRROR_B) * FACE_VALUES + v;
      const real first = *a, second = mirror_sign[v] * *b;
      *a = first + second;
      *b = first - second;
    }
#endif
}

// The sum over the axes of the fluxes of mode i's derivatives; gradient: [field][axis][mode], `rows` modes each.
FUNCTION void flux_of_mode(const real *gradient, int i, int rows, const real *g, const real *m, real *sum)
{
  UNROLL for (int d = 0; d < DIM; ++d) {
    real along[FIELDS], f[FIELDS];
    UNROLL for (int k = 0; k < FIELDS; ++k) along[k] = gradient[k * (DIM * MODES) + d * rows + i];
    flux(along, m, g + d * DIM, f);
    UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] = d == 0 ? f[k] : sum[k] + f[k];
  }
}

FUNCTION void add_reaction_of_mode(const real *q, int i, const real *m, real *sum)
{
#if HAS_REACTION
  real state[FIELDS], f[FIELDS];
  UNROLL for (int k = 0; k < FIELDS; ++k) state[k] = q[k * MODES + i];
  reaction(state, m, f);
  UNROLL for (int k = 0; k < FIELDS; ++k) sum[k] += f[k];
#endif
}
