// SPDX-License-Identifier: Apache-2.0
// Each element without its faces: q_t = L q without what comes through faces, L q = P [ M^-1 (-div F(q) + reaction(q)) ] in strong form;
// and the integral over dt of what q becomes so: sum over r <= ORDER of dt^(r+1) / (r+1)! (d/dt)^r q (Kaeser and Dumbser
// 2006, eq. 27). Where REMEMBERED numbers, those in remembered[], are carried from step to step, dq/dt = L q + `carried`.

#define CARRIED (REMEMBERED + 1)  // an array has at least one number

// now += carried and sum += factor carried.
FUNCTION void add_carried(const real *carried, scalar factor, real *now, real *sum)
{
  for (int j = 0; j < REMEMBERED; ++j) {
    now[remembered[j]] += carried[j];
    sum[remembered[j]] += factor * carried[j];
  }
}

#if VARYING

// out = L q + P [ M^-1 sum ].
FUNCTION void local_map(const real *q, const real *g, const real *m, const LANED *coefficients,
                        GLOBAL const scalar *numbers, GLOBAL const int *places, real *sum, real *out)
{
#if FLUX_ENTRIES && AT_POINTS
  subtract_divergence(q, coefficients, numbers, places, sum);
#elif FLUX_ENTRIES
  for (int e = 0; e < FLUX_ENTRIES; ++e)
    for (int d = 0; d < DIM; ++d) {
      real a[COEFFICIENTS];
      load_coefficient(coefficients, flux_entry[e][2] + d, a);
      strong_product(d, numbers, places, a, q + flux_entry[e][1] * MODES, sum + flux_entry[e][0] * MODES);
    }
#else
  real f[ELEMENT];
  for (int d = 0; d < DIM; ++d) {
    flux_of_modes(q, m, g + d * DIM, f);
    for (int i = 0; i < FIELDS; ++i) strong(d, numbers, places, f + i * MODES, sum + i * MODES);
  }
#endif
  add_reaction(q, m, coefficients, numbers, places, sum);
  divide_by_mass(sum, m, coefficients, numbers, places, out);
}

// out = L q.
FUNCTION void rate_alone(const real *q, const real *g, const real *m, const LANED *coefficients, GLOBAL const scalar *numbers,
                         GLOBAL const int *places, real *out)
{
  real balance[ELEMENT];
  for (int i = 0; i < ELEMENT; ++i) balance[i] = splat(0.0);
  local_map(q, g, m, coefficients, numbers, places, balance, out);
}

// out[j] = the remembered number j of q + L integral.
FUNCTION void become_alone(const real *q, const real *integral, const real *g, const real *m, const LANED *coefficients,
                           GLOBAL const scalar *numbers, GLOBAL const int *places, real *out)
{
#if REMEMBERED
  real rate[ELEMENT];
  rate_alone(integral, g, m, coefficients, numbers, places, rate);
  for (int j = 0; j < REMEMBERED; ++j) out[j] = q[remembered[j]] + rate[remembered[j]];
#endif
}

FUNCTION void integrate_element(const real *q, const real *g, const real *m, const LANED *coefficients,
                              GLOBAL const scalar *numbers, GLOBAL const int *places, scalar dt, const real *carried, real *sum)
{
  real now[ELEMENT];
  for (int i = 0; i < ELEMENT; ++i) {
    now[i] = q[i];
    sum[i] = dt * q[i];
  }
  scalar factor = dt;
  for (int r = 0; r < ORDER; ++r) {
    real change[ELEMENT];
    rate_alone(now, g, m, coefficients, numbers, places, change);
    factor *= dt / (scalar)(r + 2);
    for (int i = 0; i < ELEMENT; ++i) {
      now[i] = change[i];
      sum[i] += factor * change[i];
    }
    if (r == 0) add_carried(carried, factor, now, sum);
  }
}

#else

// out = L q and sum += factor L q of the modes that are left: without reaction a derivative in time has a degree less, and
// `level` are taken.
FUNCTION void derive(int level, const real *q, const real *g, const real *m, GLOBAL const scalar *numbers, GLOBAL const int *places,
                     scalar factor, real *out, real *sum)
{
  real gradient[FIELDS * DIM * MODES];
  const int rows = level_modes[level + 1];
  for (int k = 0; k < FIELDS; k += AT_ONCE)
    derivatives(SHRINKING ? level : 0, numbers, places, q + k * MODES, gradient + k * (DIM * MODES));
  for (int i = 0; i < rows; ++i) {
    real balance[FIELDS], rate[FIELDS];
    flux_of_mode(gradient, i, rows, g, m, balance);
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = -balance[k];
    add_reaction_of_mode(q, i, m, balance);
    inverse_mass(m, balance, rate);
    UNROLL for (int k = 0; k < FIELDS; ++k) {
      out[k * MODES + i] = rate[k];
      sum[k * MODES + i] += factor * rate[k];
    }
  }
}

// sum = M^-1 sum + L q.
FUNCTION void add_local_rate(const real *q, const real *g, const real *m, GLOBAL const scalar *numbers, GLOBAL const int *places,
                             real *sum)
{
  real predicted[ELEMENT];
  for (int j = 0; j < MODES; ++j) {
    real balance[FIELDS], rate[FIELDS];
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = sum[k * MODES + j];
    inverse_mass(m, balance, rate);
    UNROLL for (int k = 0; k < FIELDS; ++k) sum[k * MODES + j] = rate[k];
  }
  derive(0, q, g, m, numbers, places, 1.0, predicted, sum);
}

// out[j] = the remembered number j of q + L integral.
FUNCTION void become_alone(const real *q, const real *integral, const real *g, const real *m, const LANED *coefficients,
                           GLOBAL const scalar *numbers, GLOBAL const int *places, real *out)
{
#if REMEMBERED
  real gradient[FIELDS * DIM * MODES];
  const int rows = REMEMBERED / FIELDS;
  for (int k = 0; k < FIELDS; ++k)
    remembered_derivatives(numbers, places, integral + k * MODES, gradient + k * (DIM * MODES));
  for (int j = 0; j < rows; ++j) {
    real balance[FIELDS], rate[FIELDS];
    flux_of_mode(gradient, j, rows, g, m, balance);
    UNROLL for (int k = 0; k < FIELDS; ++k) balance[k] = -balance[k];
    add_reaction_of_mode(integral, remembered[j], m, balance);
    inverse_mass(m, balance, rate);
    UNROLL for (int k = 0; k < FIELDS; ++k) out[k * rows + j] = q[remembered[k * rows + j]] + rate[k];
  }
#endif
}

FUNCTION void integrate_element(const real *q, const real *g, const real *m, const LANED *coefficients,
                              GLOBAL const scalar *numbers, GLOBAL const int *places, scalar dt, const real *carried, real *sum)
{
  real now[ELEMENT];
  for (int i = 0; i < ELEMENT; ++i) sum[i] = dt * q[i];
  scalar factor = 0.5 * dt * dt;
  derive(0, q, g, m, numbers, places, factor, now, sum);
  add_carried(carried, factor, now, sum);
  UNROLL for (int r = 1; r < ORDER; ++r) {
    factor *= dt / (scalar)(r + 2);
    derive(r, now, g, m, numbers, places, factor, now, sum);
  }
}

#endif
