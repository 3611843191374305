// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/modal/modal.h by teams of threads (kernels/modal/team.h), with the same arrays and endings.

#define RATE 0
#define STAGE 1
#define CORRECT 2

KERNEL void traces(GLOBAL const scalar *q, GLOBAL scalar *faces, GLOBAL const scalar *numbers, GLOBAL const int *places)
{
  BEGIN_TEAM;
  LOCAL scalar *own = SHARED_ELEMENT(0);
  const LANED *from = OF_BATCH(q, ELEMENT);
  FOR_ROWS(i, ELEMENT) IN(own, i) = AT(from, i);
  BARRIER;
  team_traces(numbers, places, own, faces, item, row);
}

FUNCTION void finish_row(INDEX ending, int i, const real *rate, LOCAL const scalar *own, const LANED *before, LANED *to, LANED *left,
                         scalar a, scalar b, scalar dt)
{
  UNROLL for (int k = 0; k < FIELDS; ++k) {
    const int at = k * MODES + i;
    if (ending == RATE) {
      AT(to, at) = rate[k];
    } else if (ending == CORRECT) {
      AT(to, at) = AT(before, at) + rate[k];
    } else {
      const real r = a * AT(left, at) + dt * rate[k];
      AT(left, at) = r;
      AT(to, at) = IN(own, at) + b * r;
    }
  }
}

// The sum of volume, faces, reaction and source for mode i.
FUNCTION void balance_of_row(LOCAL const scalar *own, LOCAL const scalar *star, const LANED *source, int i, const real *g,
                             const real *m, const LANED *coefficients, GLOBAL const scalar *numbers, GLOBAL const int *places,
                             real *balance)
{
#if HAS_SOURCE
  UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = AT(source, k * MODES + i);
#else
  UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = 0.0;
#endif
  add_volume_of_row(own, i, g, m, coefficients, numbers, places, balance);
  lift(numbers, places, star, i, balance);
  add_reaction_of_row(own, i, m, coefficients, numbers, places, balance);
}

KERNEL void operate(GLOBAL const scalar *q, GLOBAL const scalar *faces, GLOBAL const scalar *base, GLOBAL scalar *next,
                    GLOBAL scalar *residual, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                    GLOBAL const scalar *face_material, GLOBAL const scalar *coefficients, GLOBAL const int *neighbour,
                    GLOBAL const scalar *source, GLOBAL const scalar *numbers, GLOBAL const int *places, const INDEX ending,
                    const scalar a, const scalar b, const scalar dt)
{
  BEGIN_TEAM;
  LOCAL scalar *own = SHARED_ELEMENT(0), *sum = SHARED_ELEMENT(1), *star = SHARED_ELEMENT(MASS_ENTRIES ? 2 : 1);
  real g[DIM * DIM], m[MATERIALS], balance[FIELDS], rate[FIELDS];
  load_affine(geometry, material, item, g, m);
  const LANED *from = OF_BATCH(q, ELEMENT), *before = OF_BATCH(base, ELEMENT), *given = OF_BATCH(source, ELEMENT),
              *changing = OF_BATCH(coefficients, COEFFICIENTS * ALL_COEFFICIENTS);
  LANED *to = OF_BATCH(next, ELEMENT), *left = OF_BATCH(residual, ELEMENT);
  FOR_ROWS(i, ELEMENT) IN(own, i) = AT(from, i);
  team_fluxes(faces, face_material, neighbour, item, row, g, m, star);
  BARRIER;
#if MASS_ENTRIES
  FOR_ROWS(i, MODES)
  {
    balance_of_row(own, star, given, i, g, m, changing, numbers, places, balance);
    UNROLL for (int k = 0; k < FIELDS; ++k) IN(sum, k * MODES + i) = balance[k];
  }
  BARRIER;
#endif
  FOR_ROWS(i, MODES)
  {
#if !MASS_ENTRIES
    balance_of_row(own, star, given, i, g, m, changing, numbers, places, balance);
#endif
    divide_row(sum, i, m, changing, numbers, places, balance, rate);
    finish_row(ending, i, rate, own, before, to, left, a, b, dt);
  }
}
