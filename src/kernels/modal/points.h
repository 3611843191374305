// SPDX-License-Identifier: Apache-2.0
// Products with coefficients by values at points. The cubature is exact for test x coefficient x solution, so that these are
// the integrals that sparse triple products give, for less work at high orders. `coefficients` are values here,
// [coefficient][point], then with DIVERGENCES [flux entry][point]: sum over d of d a_d / d r_d.

#define COEFFICIENT_VALUES ((ALL_COEFFICIENTS + DIVERGENCES * FLUX_ENTRIES) * EXACT_POINTS)

FUNCTION void coefficients_at_points(const real *modes, const scalar *numbers, const int *places, real *values)
{
  for (int c = 0; c < ALL_COEFFICIENTS; ++c)
    values_of_coefficient(numbers, places, modes + c * COEFFICIENTS, values + c * EXACT_POINTS);
#if FLUX_ENTRIES && DIVERGENCES
  for (int e = 0; e < FLUX_ENTRIES; ++e) {
    real *sum = values + (ALL_COEFFICIENTS + e) * EXACT_POINTS, slope[EXACT_POINTS];
    for (int p = 0; p < EXACT_POINTS; ++p) sum[p] = splat(0.0);
    for (int d = 0; d < DIM; ++d) {
      slopes_of_coefficient(d, numbers, places, modes + (flux_entry[e][2] + d) * COEFFICIENTS, slope);
      for (int p = 0; p < EXACT_POINTS; ++p) sum[p] += slope[p];
    }
  }
#endif
}

#if FLUX_ENTRIES && DIVERGENCES
// sum -= P [ sum over d of d(a_d q) / d r_d ].
FUNCTION void subtract_divergence(const real *q, const real *coefficients, const scalar *numbers, const int *places, real *sum)
{
  for (int e = 0; e < FLUX_ENTRIES; ++e) {
    const real *in = q + flux_entry[e][1] * MODES, *divergence = coefficients + (ALL_COEFFICIENTS + e) * EXACT_POINTS;
    real value[EXACT_POINTS], change[EXACT_POINTS];
    values_of_modes(numbers, places, in, value);
    for (int p = 0; p < EXACT_POINTS; ++p) change[p] = -divergence[p] * value[p];
    for (int d = 0; d < DIM; ++d) {
      const real *a = coefficients + (flux_entry[e][2] + d) * EXACT_POINTS;
      slopes_of_modes(d, numbers, places, in, value);
      for (int p = 0; p < EXACT_POINTS; ++p) change[p] -= a[p] * value[p];
    }
    test_values(numbers, places, change, sum + flux_entry[e][0] * MODES);
  }
}
#elif FLUX_ENTRIES
// sum += sum over d of (d phi / d r_d, a_d q).
FUNCTION void add_weak_divergence(const real *q, const real *coefficients, const scalar *numbers, const int *places, real *sum)
{
  for (int e = 0; e < FLUX_ENTRIES; ++e) {
    real value[EXACT_POINTS], flow[EXACT_POINTS];
    values_of_modes(numbers, places, q + flux_entry[e][1] * MODES, value);
    for (int d = 0; d < DIM; ++d) {
      const real *a = coefficients + (flux_entry[e][2] + d) * EXACT_POINTS;
      for (int p = 0; p < EXACT_POINTS; ++p) flow[p] = a[p] * value[p];
      test_slopes(d, numbers, places, flow, sum + flux_entry[e][0] * MODES);
    }
  }
}
#endif

#if MASS_ENTRIES || REACTION_ENTRIES
// sum += P [ A q ]; A has these entries {row, column, coefficient}, sorted by row.
FUNCTION void add_products(const int (*entry)[3], int entries, const real *q, const real *coefficients, const scalar *numbers,
                           const int *places, real *sum)
{
  real value[FIELDS * EXACT_POINTS], product[EXACT_POINTS];
  for (int i = 0; i < FIELDS; ++i) values_of_modes(numbers, places, q + i * MODES, value + i * EXACT_POINTS);
  for (int e = 0; e < entries;) {
    const int row = entry[e][0];
    for (int p = 0; p < EXACT_POINTS; ++p) product[p] = splat(0.0);
    for (; e < entries && entry[e][0] == row; ++e) {
      const real *a = coefficients + entry[e][2] * EXACT_POINTS, *in = value + entry[e][1] * EXACT_POINTS;
      for (int p = 0; p < EXACT_POINTS; ++p) product[p] += a[p] * in[p];
    }
    test_values(numbers, places, product, sum + row * MODES);
  }
}
#endif
