// SPDX-License-Identifier: Apache-2.0
// Each element alone: q_t = L q without what comes through faces, L q = P [ M^-1 (-div F(q) + reaction(q)) ] in strong form.
// With one material and no reaction the r-th derivative in time has r degrees less, and the loops shrink with it.

// out = L q + P [ M^-1 sum ] of the first `count` modes; `level` is the number of derivatives in time taken before.
FUNCTION void local_map(const real *q, int level, int count, const real *g, const real *m, const LANED *coefficients,
                        GLOBAL const scalar *numbers, GLOBAL const int *places, real *sum, real *out)
{
#if VARYING && FLUX_ENTRIES
  for (int e = 0; e < FLUX_ENTRIES; ++e)
    for (int d = 0; d < DIM; ++d) {
      real a[COEFFICIENTS];
      load_coefficient(coefficients, flux_entry[e][2] + d, a);
      strong_product(d, numbers, places, a, q + flux_entry[e][1] * MODES, sum + flux_entry[e][0] * MODES);
    }
#else
  real f[ELEMENT];
  for (int d = 0; d < DIM; ++d) {
    flux_of_modes(q, m, g + d * DIM, level_modes[level], f);
    for (int i = 0; i < FIELDS; ++i) strong((SHRINKING ? level : 0) * DIM + d, numbers, places, f + i * MODES, sum + i * MODES);
  }
#endif
  add_reaction(q, m, coefficients, numbers, places, sum);
  divide_by_mass(sum, m, coefficients, numbers, places, count, out);
}

// sum = the integral over dt of what q becomes alone: sum over r <= ORDER of dt^(r+1) / (r+1)! (d/dt)^r q (Kaeser and Dumbser
// 2006, eq. 27). q is lost.
FUNCTION void integrate_alone(real *q, const real *g, const real *m, const LANED *coefficients, GLOBAL const scalar *numbers,
                              GLOBAL const int *places, scalar dt, real *sum)
{
  real balance[ELEMENT], change[ELEMENT];
  for (int i = 0; i < ELEMENT; ++i) sum[i] = dt * q[i];
  scalar factor = dt;
  for (int r = 0; r < ORDER; ++r) {
    for (int i = 0; i < ELEMENT; ++i) balance[i] = splat(0.0);
    local_map(q, r, level_modes[r + 1], g, m, coefficients, numbers, places, balance, change);
    factor *= dt / (scalar)(r + 2);
    for (int i = 0; i < FIELDS; ++i)
      for (int j = 0; j < level_modes[r + 1]; ++j) {
        q[i * MODES + j] = change[i * MODES + j];
        sum[i * MODES + j] += factor * change[i * MODES + j];
      }
  }
}
