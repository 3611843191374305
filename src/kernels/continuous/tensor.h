// SPDX-License-Identifier: Apache-2.0
// Tensor products by kernels/shared/gauss_lines.h; node_slope[point][node] is for the diagonal.

FUNCTION void element_product(const real *u, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                              GLOBAL const scalar *matrix, const scalar a, const scalar b, real *y)
{
  real value[NODES], slope[DIM][NODES];
  to_gauss_points(u, value, slope);
  for (int p = 0; p < POINTS; ++p) {
    real metric[METRICS], at[DIM], flux[DIM];
    const real k = b * WEIGHT_AT(p) * CONDUCTIVITY_AT(p);
    for (int m = 0; m < METRICS; ++m) metric[m] = k * METRIC_AT(p, m);
    for (int d = 0; d < DIM; ++d) at[d] = slope[d][p];
    metric_product(metric, at, flux);
    for (int d = 0; d < DIM; ++d) slope[d][p] = flux[d];
    value[p] = a * WEIGHT_AT(p) * CAPACITY_AT(p) * value[p];
  }
  add_slope_back(slope[0], 1, value);
  add_slope_back(slope[1], LINE, value);
#if DIM == 3
  add_slope_back(slope[2], LINE * LINE, value);
#endif
  from_gauss_points(value, y);
}

FUNCTION void element_diagonal(GLOBAL const scalar *geometry, GLOBAL const scalar *material, GLOBAL const scalar *matrix,
                               const scalar a, const scalar b, real *y)
{
  for (int n = 0; n < NODES; ++n) y[n] = splat(0.0);
  for (int p = 0; p < POINTS; ++p) {
    const int point[3] = {p % LINE, p / LINE % LINE, p / (LINE * LINE)};
    real metric[METRICS];
    const real k = b * WEIGHT_AT(p) * CONDUCTIVITY_AT(p);
    const real m = a * WEIGHT_AT(p) * CAPACITY_AT(p);
    for (int i = 0; i < METRICS; ++i) metric[i] = k * METRIC_AT(p, i);
    for (int n = 0; n < NODES; ++n) {
      const int node[3] = {n % LINE, n / LINE % LINE, n / (LINE * LINE)};
      scalar value = 1.0, slope[DIM];
      for (int d = 0; d < DIM; ++d) {
        value *= to_gauss[point[d]][node[d]];
        slope[d] = 1.0;
        for (int e = 0; e < DIM; ++e)
          slope[d] *= d == e ? node_slope[point[e]][node[e]] : to_gauss[point[e]][node[e]];
      }
      real at[DIM], flux[DIM];
      for (int d = 0; d < DIM; ++d) at[d] = splat(slope[d]);
      metric_product(metric, at, flux);
      real sum = m * value * value;
      for (int d = 0; d < DIM; ++d) sum += slope[d] * flux[d];
      y[n] += sum;
    }
  }
}
