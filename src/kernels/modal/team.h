// SPDX-License-Identifier: Apache-2.0
// The modal family on GPUs where an element is too much for one thread: a group has WIDTH elements side by
// side and ROWS threads for each. A thread has every ROWS-th row of a product, for all fields; what the rows read lies in
// shared memory as [number][element], so that neighbouring threads read neighbouring values, and the coefficients of the method
// are the same for all elements. Generated before this text (dg/modal/text.cpp), for row i and the fields that stand at `out`:
// trace, lift (subtracts), and what the volume asks for.

#define VALUES (FACES * FACE_VALUES)
#define IN(p, i) (p)[(i) * WIDTH]
#define FOR_ROWS(i, count) for (int i = row; i < (count); i += ROWS)
// An item is an element, as for a thread of its own.
#define BEGIN_TEAM                                       \
  SHARED(memory);                                        \
  GROUP(group);                                          \
  const int lane = THREAD % WIDTH, row = THREAD / WIDTH; \
  const INDEX item = group * WIDTH + lane
// The place of array number n, each of ELEMENT numbers.
#define SHARED_ELEMENT(n) (memory + (n) * ELEMENT * WIDTH + lane)

FUNCTION void load_affine(GLOBAL const scalar *geometry, GLOBAL const scalar *material, INDEX item, real *g, real *m)
{
  const LANED *g_of = OF_BATCH(geometry, DIM * DIM), *m_of = OF_BATCH(material, MATERIALS);
  UNROLL for (int i = 0; i < DIM * DIM; ++i) g[i] = AT(g_of, i);
  UNROLL for (int i = 0; i < MATERIALS; ++i) m[i] = AT(m_of, i);
}

FUNCTION void team_traces(GLOBAL const scalar *numbers, GLOBAL const int *places, LOCAL const scalar *in, GLOBAL scalar *faces,
                          INDEX item, int row)
{
  FOR_ROWS(v, VALUES)
  {
    real out[FIELDS];
    trace(numbers, places, in, v, out);
    write_fields(RECORDS_OF(faces, item), v / FACE_VALUES, v % FACE_VALUES, out);
  }
}

// star: [field][face][value], the numerical fluxes as they enter the balance.
FUNCTION void team_fluxes(GLOBAL const scalar *faces, GLOBAL const scalar *face_material, GLOBAL const int *neighbour,
                          INDEX item, int row, const real *g, const real *m, LOCAL scalar *star)
{
  const LANED_INT *next_to = OF_BATCH_INT(neighbour, 2 * FACES);
  FOR_ROWS(v, VALUES)
  {
    const int face = v / FACE_VALUES, value = v - face * FACE_VALUES;
    real normal[DIM], own[FIELDS], other[FIELDS], m_behind[MATERIALS], f[FIELDS];
    Record here, behind;
    const real scale = face_normal(g, face, normal);
    own_record(faces, item, face, TRACE, &here);
    record_behind(faces, next_to, face, TRACE, &behind);
    read_fields(&here, value, own);
    read_fields(&behind, value, other);
#if VARYING
    real m_here[MATERIALS];
    Record material_here, material_behind;
    own_record(face_material, item, face, FACE_VALUES * MATERIALS, &material_here);
    record_behind(face_material, next_to, face, FACE_VALUES * MATERIALS, &material_behind);
    read_materials(&material_here, value, m_here);
    read_materials(&material_behind, value, m_behind);
    numerical_flux(own, m_here, other, m_behind, normal, f);
#else
    const LANED *all_behind = OF_BATCH(face_material, FACES * MATERIALS);
    UNROLL for (int i = 0; i < MATERIALS; ++i) m_behind[i] = AT(all_behind, face * MATERIALS + i);
    numerical_flux(own, m, other, m_behind, normal, f);
#endif
    UNROLL for (int k = 0; k < FIELDS; ++k) IN(star, k * VALUES + v) = scale * f[k];
  }
}

FUNCTION void add_reaction_of_row(LOCAL const scalar *q, int i, const real *m, const LANED *coefficients,
                                  GLOBAL const scalar *numbers, GLOBAL const int *places, real *balance)
{
#if REACTION_ENTRIES
  for (int e = 0; e < REACTION_ENTRIES; ++e)
    product(numbers, places, coefficients + reaction_entry[e][2] * COEFFICIENTS * WIDTH,
            q + reaction_entry[e][1] * MODES * WIDTH, i, balance + reaction_entry[e][0]);
#elif HAS_REACTION
  real state[FIELDS], f[FIELDS];
  UNROLL for (int k = 0; k < FIELDS; ++k) state[k] = IN(q, k * MODES + i);
  reaction(state, m, f);
  UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] += f[k];
#endif
}

// rate = row i of M^-1 sum: of what lies in `balance` where the mass has no coefficients, else of all rows in `sum`.
FUNCTION void divide_row(LOCAL const scalar *sum, int i, const real *m, const LANED *coefficients, GLOBAL const scalar *numbers,
                         GLOBAL const int *places, const real *balance, real *rate)
{
#if MASS_ENTRIES
  UNROLL for (int k = 0; k < FIELDS; ++k) rate[k] = 0.0;
  for (int e = 0; e < MASS_ENTRIES; ++e)
    product(numbers, places, coefficients + mass_entry[e][2] * COEFFICIENTS * WIDTH, sum + mass_entry[e][1] * MODES * WIDTH, i,
            rate + mass_entry[e][0]);
#else
  inverse_mass(m, balance, rate);
#endif
}
