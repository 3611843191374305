// SPDX-License-Identifier: Apache-2.0
// The energy density q . M q / 2 at a point where the inverse mass of the moving fields is known by its weights, and the mass of all
// others by the element's material.

FUNCTION real adjusted_density(const real *weight, const real *m, const real *q)
{
  real moment[FIELDS], a[MOVING * MOVING], x[MOVING], unit[MOVING], column[MOVING], none[REACTING + 1], density = splat(0.0);
  mass(m, q, moment);
  for (int i = 0; i < REACTING + 1; ++i) none[i] = splat(0.0);
  for (int j = 0; j < MOVING; ++j) {
    for (int i = 0; i < MOVING; ++i) unit[i] = splat(i == j ? 1.0 : 0.0);
    adjust_point(weight, unit, none, column);
    for (int i = 0; i < MOVING; ++i) a[i * MOVING + j] = column[i];
    x[j] = q[MOVING_FIELD(j)];
  }
  // Elimination: the matrix is symmetric and positive.
  for (int k = 0; k < MOVING; ++k)
    for (int i = k + 1; i < MOVING; ++i) {
      const real factor = a[i * MOVING + k] / a[k * MOVING + k];
      for (int j = k; j < MOVING; ++j) a[i * MOVING + j] -= factor * a[k * MOVING + j];
      x[i] -= factor * x[k];
    }
  for (int k = MOVING - 1; k >= 0; --k) {
    for (int j = k + 1; j < MOVING; ++j) x[k] -= a[k * MOVING + j] * x[j];
    x[k] = x[k] / a[k * MOVING + k];
    moment[MOVING_FIELD(k)] = x[k];
  }
  for (int i = 0; i < FIELDS; ++i) density += 0.5 * q[i] * moment[i];
  return density;
}
