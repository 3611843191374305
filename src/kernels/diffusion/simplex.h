// SPDX-License-Identifier: Apache-2.0
// Simplices: matrix = [point][node][axis] (slopes at the points), [node][point][axis] (the way back), then at FACE_MATRICES
// [face][point][node][value, axes]. Where a cell is CONSTANT the gradient is a polynomial of one degree less, known by its
// values at POINTS nodes, and the way back holds its integrals; else the points are those of a cubature.

#define FACE_MATRICES (2 * POINTS * NODES * DIM)

FUNCTION void volume_product(const real *u, GLOBAL const scalar *metric, GLOBAL const scalar *matrix, real *y)
{
  GLOBAL const scalar *back = matrix + POINTS * NODES * DIM;
  real flux[POINTS * DIM];
  for (int p = 0; p < POINTS; ++p) {
    real slope[DIM];
    for (int d = 0; d < DIM; ++d) slope[d] = splat(0.0);
    for (int n = 0; n < NODES; ++n)
      for (int d = 0; d < DIM; ++d) slope[d] += matrix[(p * NODES + n) * DIM + d] * u[n];
    metric_product(metric, p, slope, flux + p * DIM);
  }
  for (int n = 0; n < NODES; ++n) {
    real sum = splat(0.0);
    for (int p = 0; p < POINTS * DIM; ++p) sum += back[n * POINTS * DIM + p] * flux[p];
    y[n] = sum;
  }
}

FUNCTION void volume_diagonal(GLOBAL const scalar *metric, GLOBAL const scalar *matrix, real *y)
{
  GLOBAL const scalar *back = matrix + POINTS * NODES * DIM;
  for (int n = 0; n < NODES; ++n) {
    y[n] = splat(0.0);
    for (int p = 0; p < POINTS; ++p) {
      real slope[DIM], flux[DIM];
      for (int d = 0; d < DIM; ++d) slope[d] = splat(matrix[(p * NODES + n) * DIM + d]);
      metric_product(metric, p, slope, flux);
      for (int d = 0; d < DIM; ++d) y[n] += back[(n * POINTS + p) * DIM + d] * flux[d];
    }
  }
}

// part[point][value, axes]
FUNCTION void face_values(const real *u, const int f, GLOBAL const scalar *matrix, real *part)
{
  GLOBAL const scalar *of = matrix + FACE_MATRICES + f * FACE_POINTS * NODES * PARTS;
  for (int p = 0; p < FACE_POINTS; ++p) {
    real sum[PARTS];
    for (int c = 0; c < PARTS; ++c) sum[c] = splat(0.0);
    for (int n = 0; n < NODES; ++n)
      for (int c = 0; c < PARTS; ++c) sum[c] += of[(p * NODES + n) * PARTS + c] * u[n];
    for (int c = 0; c < PARTS; ++c) part[p * PARTS + c] = sum[c];
  }
}

// y += the transpose of that
FUNCTION void face_back(const real *part, const int f, GLOBAL const scalar *matrix, real *y)
{
  GLOBAL const scalar *of = matrix + FACE_MATRICES + f * FACE_POINTS * NODES * PARTS;
  for (int p = 0; p < FACE_POINTS; ++p)
    for (int n = 0; n < NODES; ++n)
      for (int c = 0; c < PARTS; ++c) y[n] += of[(p * NODES + n) * PARTS + c] * part[p * PARTS + c];
}
