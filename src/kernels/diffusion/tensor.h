// SPDX-License-Identifier: Apache-2.0
// Tensor products by kernels/shared/gauss_lines.h in the cell, and in the same way on its faces. Further functions of one
// coordinate: node_slope[point][node], end_slope[end][node]. The matrix holds [face][point][node][value, axes], which only the
// diagonal and the right-hand side read.

#define FACE_MATRICES 0

CONTRACTION(interpolate_line, FACE_POINTS, to_gauss[i][j])
CONTRACTION(interpolate_line_back, FACE_POINTS, to_gauss[j][i])
CONTRACTION(differentiate_line, FACE_POINTS, gauss_slope[i][j])
CONTRACTION(differentiate_line_back, FACE_POINTS, gauss_slope[j][i])

FUNCTION void interpolate_face(real *values)
{
  real other[FACE_POINTS];
  interpolate_line(values, other, 1);
#if DIM == 3
  interpolate_line(other, values, LINE);
#else
  for (int p = 0; p < FACE_POINTS; ++p) values[p] = other[p];
#endif
}

FUNCTION void interpolate_face_back(real *values)
{
  real other[FACE_POINTS];
  interpolate_line_back(values, other, 1);
#if DIM == 3
  interpolate_line_back(other, values, LINE);
#else
  for (int p = 0; p < FACE_POINTS; ++p) values[p] = other[p];
#endif
}

FUNCTION void volume_product(const real *u, GLOBAL const scalar *metric, GLOBAL const scalar *matrix, real *y)
{
  real value[NODES], slope[DIM][NODES];
  to_gauss_points(u, value, slope);
  for (int p = 0; p < POINTS; ++p) {
    real at[DIM], flux[DIM];
    for (int d = 0; d < DIM; ++d) at[d] = slope[d][p];
    metric_product(metric, p, at, flux);
    for (int d = 0; d < DIM; ++d) slope[d][p] = POINT_WEIGHT(p) * flux[d];
  }
  differentiate_back(slope[0], value, 1);
  add_slope_back(slope[1], LINE, value);
#if DIM == 3
  add_slope_back(slope[2], LINE * LINE, value);
#endif
  from_gauss_points(value, y);
}

FUNCTION void volume_diagonal(GLOBAL const scalar *metric, GLOBAL const scalar *matrix, real *y)
{
  for (int n = 0; n < NODES; ++n) y[n] = splat(0.0);
  for (int p = 0; p < POINTS; ++p) {
    const int point[3] = {p % LINE, p / LINE % LINE, p / (LINE * LINE)};
    for (int n = 0; n < NODES; ++n) {
      const int node[3] = {n % LINE, n / LINE % LINE, n / (LINE * LINE)};
      real slope[DIM], flux[DIM];
      for (int d = 0; d < DIM; ++d) {
        scalar product = 1.0;
        for (int e = 0; e < DIM; ++e) product *= d == e ? node_slope[point[e]][node[e]] : to_gauss[point[e]][node[e]];
        slope[d] = splat(product);
      }
      metric_product(metric, p, slope, flux);
      for (int d = 0; d < DIM; ++d) y[n] += POINT_WEIGHT(p) * slope[d] * flux[d];
    }
  }
}

// The axes of a face in ascending order; the last one of these is not used in the plane.
#define FACE_AXES(f)                                                                             \
  const int axis = (f) / 2, end = (f) % 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2; \
  const int strides[3] = {1, LINE, LINE * LINE};                                                 \
  const int across = strides[axis], start = end * (LINE - 1) * across
#define FACE_NODE(q) ((q) % LINE * strides[first] + (q) / LINE * strides[second])

// part[point][value, axes]
FUNCTION void face_values(const real *u, const int f, GLOBAL const scalar *matrix, real *part)
{
  FACE_AXES(f);
  real value[FACE_POINTS], normal[FACE_POINTS], slope[FACE_POINTS];
  for (int q = 0; q < FACE_POINTS; ++q) {
    const int base = FACE_NODE(q);
    value[q] = u[base + start];
    real sum = splat(0.0);
    for (int j = 0; j < LINE; ++j) sum += end_slope[end][j] * u[base + j * across];
    normal[q] = sum;
  }
  interpolate_face(value);
  interpolate_face(normal);
  for (int p = 0; p < FACE_POINTS; ++p) {
    part[p * PARTS] = value[p];
    part[p * PARTS + 1 + axis] = normal[p];
  }
  differentiate_line(value, slope, 1);
  for (int p = 0; p < FACE_POINTS; ++p) part[p * PARTS + 1 + first] = slope[p];
#if DIM == 3
  differentiate_line(value, slope, LINE);
  for (int p = 0; p < FACE_POINTS; ++p) part[p * PARTS + 1 + second] = slope[p];
#endif
}

// y += the transpose of that
FUNCTION void face_back(const real *part, const int f, GLOBAL const scalar *matrix, real *y)
{
  FACE_AXES(f);
  real value[FACE_POINTS], normal[FACE_POINTS], slope[FACE_POINTS];
  for (int p = 0; p < FACE_POINTS; ++p) slope[p] = part[p * PARTS + 1 + first];
  differentiate_line_back(slope, value, 1);
#if DIM == 3
  for (int p = 0; p < FACE_POINTS; ++p) slope[p] = part[p * PARTS + 1 + second];
  differentiate_line_back(slope, normal, LINE);
  for (int p = 0; p < FACE_POINTS; ++p) value[p] += normal[p];
#endif
  for (int p = 0; p < FACE_POINTS; ++p) {
    value[p] += part[p * PARTS];
    normal[p] = part[p * PARTS + 1 + axis];
  }
  interpolate_face_back(value);
  interpolate_face_back(normal);
  for (int q = 0; q < FACE_POINTS; ++q) {
    const int base = FACE_NODE(q);
    y[base + start] += value[q];
    for (int j = 0; j < LINE; ++j) y[base + j * across] += end_slope[end][j] * normal[q];
  }
}
