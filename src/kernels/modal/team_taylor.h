// SPDX-License-Identifier: Apache-2.0
// Each element without its faces, as in kernels/modal/taylor.h, by teams of threads.

// Row i of -div F(q) + reaction(q), added; `level` derivatives in time are taken, `rows` modes are left.
FUNCTION void add_alone_of_row(int level, int rows, LOCAL const scalar *q, int i, const real *g, const real *m,
                               const LANED *coefficients, GLOBAL const scalar *numbers, GLOBAL const int *places, real *balance)
{
#if FLUX_ENTRIES
  for (int e = 0; e < FLUX_ENTRIES; ++e)
    for (int d = 0; d < DIM; ++d)
      strong_product(d, numbers, places, coefficients + (flux_entry[e][2] + d) * COEFFICIENTS * WIDTH,
                     q + flux_entry[e][1] * MODES * WIDTH, i, balance + flux_entry[e][0]);
#else
  UNROLL for (int d = 0; d < DIM; ++d) {
    real along[FIELDS], f[FIELDS];
    derivatives(level, numbers, places, q, d * rows + i, along);
    flux(along, m, g + d * DIM, f);
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] -= f[k];
  }
#endif
  add_reaction_of_row(q, i, m, coefficients, numbers, places, balance);
}

// The place of a remembered number in what is carried from step to step, as in a state of its family.
#if NODAL
#define CARRIED_PLACE(k, i) ((item * MODES + (i)) * FIELDS + (k))
#else
#define CARRIED_PLACE(k, i) (item / WIDTH * (INDEX)(ELEMENT * WIDTH) + item % WIDTH + (INDEX)((k) * MODES + (i)) * WIDTH)
#endif

// The rate that the faces gave row i in the step before, added; then, unless `remember` is 2, what the element is now lies in its
// place.
FUNCTION void add_carried_of_row(LOCAL const scalar *now, int i, GLOBAL scalar *predicted, INDEX item, INDEX remember, scalar factor,
                                 real *rate)
{
#if REMEMBERED
  if (is_remembered[i]) {
    UNROLL for (int k = 0; k < FIELDS; ++k) {
      const real value = IN(now, k * MODES + i);
      rate[k] += factor * (value - predicted[CARRIED_PLACE(k, i)]);
      if (remember == 1) predicted[CARRIED_PLACE(k, i)] = value;
    }
  }
#endif
}

// sum += the integral over dt beyond its first term, dt times what lies in `now`; `now` and `next` are used up. All threads
// of the group come here, and meet before they read rows of others in `sum`.
FUNCTION void team_integrate(LOCAL scalar *now, LOCAL scalar *next, LOCAL scalar *sum, int row, const real *g, const real *m,
                             const LANED *coefficients, GLOBAL const scalar *numbers, GLOBAL const int *places,
                             GLOBAL scalar *predicted, INDEX item, INDEX remember, scalar carried, scalar dt)
{
  scalar factor = dt;
  real balance[FIELDS], rate[FIELDS];
  for (int r = 0; r < ORDER; ++r) {
    const int rows = level_modes[r + 1];
    factor *= dt / (scalar)(r + 2);
    BARRIER;
    FOR_ROWS(i, rows)
    {
      UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = 0.0;
      add_alone_of_row(SHRINKING ? r : 0, rows, now, i, g, m, coefficients, numbers, places, balance);
#if !MASS_ENTRIES
      inverse_mass(m, balance, rate);
      if (remember && r == 0) add_carried_of_row(now, i, predicted, item, remember, carried, rate);
      UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = rate[k];
      UNROLL for (int k = 0; k < FIELDS; ++k) IN(sum, k * MODES + i) += factor * rate[k];
#endif
      UNROLL for (int k = 0; k < FIELDS; ++k) IN(next, k * MODES + i) = balance[k];
    }
#if MASS_ENTRIES
    BARRIER;
    FOR_ROWS(i, rows)
    {
      divide_row(next, i, m, coefficients, numbers, places, balance, rate);
      if (remember && r == 0) add_carried_of_row(now, i, predicted, item, remember, carried, rate);
      UNROLL for (int k = 0; k < FIELDS; ++k) IN(now, k * MODES + i) = rate[k];
      UNROLL for (int k = 0; k < FIELDS; ++k) IN(sum, k * MODES + i) += factor * rate[k];
    }
#else
    LOCAL scalar *other = now;
    now = next;
    next = other;
#endif
  }
}

// predicted += L sum in the remembered modes; `next` is used up.
FUNCTION void team_remember(LOCAL const scalar *sum, LOCAL scalar *next, int row, const real *g, const real *m,
                            const LANED *coefficients, GLOBAL const scalar *numbers, GLOBAL const int *places,
                            GLOBAL scalar *predicted, INDEX item)
{
#if REMEMBERED
  real balance[FIELDS], rate[FIELDS];
  BARRIER;
  FOR_ROWS(i, MODES)
  {
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = 0.0;
    if (i < level_modes[1] && (MASS_ENTRIES || is_remembered[i]))
      add_alone_of_row(0, level_modes[1], sum, i, g, m, coefficients, numbers, places, balance);
    UNROLL for (int k = 0; k < FIELDS; ++k) IN(next, k * MODES + i) = balance[k];
  }
  BARRIER;
  FOR_ROWS(i, MODES)
  {
    if (!is_remembered[i]) continue;
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = IN(next, k * MODES + i);
    divide_row(next, i, m, coefficients, numbers, places, balance, rate);
    UNROLL for (int k = 0; k < FIELDS; ++k) predicted[CARRIED_PLACE(k, i)] += rate[k];
  }
  BARRIER;
#endif
}

// q = L q + M^-1 sum; `sum` is used up.
FUNCTION void team_local_rate(LOCAL scalar *q, LOCAL scalar *sum, int row, const real *g, const real *m, const LANED *coefficients,
                              GLOBAL const scalar *numbers, GLOBAL const int *places)
{
  real balance[FIELDS], rate[FIELDS];
  BARRIER;
  FOR_ROWS(i, MODES)
  {
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = IN(sum, k * MODES + i);
    if (i < level_modes[1]) add_alone_of_row(0, level_modes[1], q, i, g, m, coefficients, numbers, places, balance);
    UNROLL for (int k = 0; k < FIELDS; ++k) IN(sum, k * MODES + i) = balance[k];
  }
  BARRIER;
  FOR_ROWS(i, MODES)
  {
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = IN(sum, k * MODES + i);
    divide_row(sum, i, m, coefficients, numbers, places, balance, rate);
    UNROLL for (int k = 0; k < FIELDS; ++k) IN(q, k * MODES + i) = rate[k];
  }
  BARRIER;
}
