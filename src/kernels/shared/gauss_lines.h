// SPDX-License-Identifier: Apache-2.0
// Sum factorisation on tensor-product elements (Orszag 1980): values go to LINE Gauss points along each axis and are
// differentiated there; the transposed operations come back. Functions of one coordinate: to_gauss[point][node] and
// gauss_slope[point][point].

#define CONTRACTION(name, size, entry)                                                  \
  FUNCTION void name(const real *in, real *out, const int stride)                       \
  {                                                                                     \
    for (int outer = 0; outer < size; outer += LINE * stride)                           \
      for (int inner = 0; inner < stride; ++inner)                                      \
        for (int i = 0; i < LINE; ++i) {                                                \
          real sum = splat(0.0);                                                        \
          for (int j = 0; j < LINE; ++j) sum += entry * in[outer + inner + j * stride]; \
          out[outer + inner + i * stride] = sum;                                        \
        }                                                                               \
  }
CONTRACTION(interpolate, NODES, to_gauss[i][j])
CONTRACTION(interpolate_back, NODES, to_gauss[j][i])
CONTRACTION(differentiate, NODES, gauss_slope[i][j])
CONTRACTION(differentiate_back, NODES, gauss_slope[j][i])

// Values and slope[axis][point] at the Gauss points, from values u at the nodes.
FUNCTION void to_gauss_points(const real *u, real *value, real (*slope)[NODES])
{
  real other[NODES];
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
}

// value += the transposed derivative of slope along the axis of this stride.
FUNCTION void add_slope_back(const real *slope, const int stride, real *value)
{
  real other[NODES];
  differentiate_back(slope, other, stride);
  for (int n = 0; n < NODES; ++n) value[n] += other[n];
}

// y at the nodes, from values at the points, which are used up.
FUNCTION void from_gauss_points(real *value, real *y)
{
  real other[NODES];
#if DIM == 3
  interpolate_back(value, other, LINE * LINE);
  for (int n = 0; n < NODES; ++n) value[n] = other[n];
#endif
  interpolate_back(value, other, LINE);
  interpolate_back(other, y, 1);
}
