// SPDX-License-Identifier: Apache-2.0
// Tensor products by sum factorisation (Orszag 1980): values go to LINE Gauss points along each axis, are differentiated
// there, multiplied, and come back the same way transposed. to_gauss[point][node], gauss_slope[point][point] and, for the
// diagonal, node_slope[point][node] are functions of one coordinate.

#define CONTRACTION(name, entry)                                                        \
  FUNCTION void name(const real *in, real *out, const int stride)                       \
  {                                                                                     \
    for (int outer = 0; outer < NODES; outer += LINE * stride)                          \
      for (int inner = 0; inner < stride; ++inner)                                      \
        for (int i = 0; i < LINE; ++i) {                                                \
          real sum = splat(0.0);                                                        \
          for (int j = 0; j < LINE; ++j) sum += entry * in[outer + inner + j * stride]; \
          out[outer + inner + i * stride] = sum;                                        \
        }                                                                               \
  }
CONTRACTION(interpolate, to_gauss[i][j])
CONTRACTION(interpolate_back, to_gauss[j][i])
CONTRACTION(differentiate, gauss_slope[i][j])
CONTRACTION(differentiate_back, gauss_slope[j][i])

FUNCTION void element_product(const real *u, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                              GLOBAL const scalar *matrix, const scalar a, const scalar b, real *y)
{
  real value[NODES], other[NODES], slope[DIM][NODES];
  interpolate(u, other, 1);
  interpolate(other, value, LINE);
#if DIM == 3
  for (int n = 0; n < NODES; ++n) other[n] = value[n];
  interpolate(other, value, LINE * LINE);
#endif
  differentiate(value, slope[0], 1);
  differentiate(value, slope[1], LINE);
#if DIM == 3
  differentiate(value, slope[2], LINE * LINE);
#endif
  for (int p = 0; p < POINTS; ++p) {
    real metric[METRICS], at[DIM], flux[DIM];
    const real k = b * WEIGHT_AT(p) * CONDUCTIVITY_AT(p);
    for (int m = 0; m < METRICS; ++m) metric[m] = k * METRIC_AT(p, m);
    for (int d = 0; d < DIM; ++d) at[d] = slope[d][p];
    metric_product(metric, at, flux);
    for (int d = 0; d < DIM; ++d) slope[d][p] = flux[d];
    value[p] = a * WEIGHT_AT(p) * CAPACITY_AT(p) * value[p];
  }
  differentiate_back(slope[0], other, 1);
  for (int n = 0; n < NODES; ++n) value[n] += other[n];
  differentiate_back(slope[1], other, LINE);
  for (int n = 0; n < NODES; ++n) value[n] += other[n];
#if DIM == 3
  differentiate_back(slope[2], other, LINE * LINE);
  for (int n = 0; n < NODES; ++n) value[n] += other[n];
  interpolate_back(value, other, LINE * LINE);
  for (int n = 0; n < NODES; ++n) value[n] = other[n];
#endif
  interpolate_back(value, other, LINE);
  interpolate_back(other, y, 1);
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
