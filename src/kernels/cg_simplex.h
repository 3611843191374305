// SPDX-License-Identifier: Apache-2.0
// Simplices. CONSTANT (straight, one material in an element): the gradient is a polynomial of one degree less, known by its
// values at SLOPES points; matrix = [slope point][node][axis], then [node][slope point][axis] (integrals of the test
// function's derivative times the Lagrange function of the slope point), then the mass matrix [node][node].
// Otherwise at POINTS cubature points: matrix = [point][node][value, axes], weights are in WEIGHT_AT and the geometry.

#if CONSTANT

FUNCTION void element_product(const real *u, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                              GLOBAL const scalar *matrix, const scalar a, const scalar b, real *y)
{
  GLOBAL const scalar *back = matrix + SLOPES * NODES * DIM;
  real flux[SLOPES * DIM], metric[METRICS];
  const real k = b * MATERIAL_AT(0, 1);
  for (int m = 0; m < METRICS; ++m) metric[m] = k * GEOMETRY_AT(0, 1 + m);
  for (int p = 0; p < SLOPES; ++p) {
    real slope[DIM];
    for (int d = 0; d < DIM; ++d) slope[d] = splat(0.0);
    for (int n = 0; n < NODES; ++n)
      for (int d = 0; d < DIM; ++d) slope[d] += matrix[(p * NODES + n) * DIM + d] * u[n];
    metric_product(metric, slope, flux + p * DIM);
  }
  for (int n = 0; n < NODES; ++n) {
    real sum = splat(0.0);
    for (int p = 0; p < SLOPES * DIM; ++p) sum += back[n * SLOPES * DIM + p] * flux[p];
    y[n] = sum;
  }
  if (a != 0.0) {
    GLOBAL const scalar *mass = matrix + 2 * SLOPES * NODES * DIM;
    const real c = a * MATERIAL_AT(0, 0) * GEOMETRY_AT(0, 0);
    for (int n = 0; n < NODES; ++n) {
      real sum = splat(0.0);
      for (int m = 0; m < NODES; ++m) sum += mass[n * NODES + m] * u[m];
      y[n] += c * sum;
    }
  }
}

FUNCTION void element_diagonal(GLOBAL const scalar *geometry, GLOBAL const scalar *material, GLOBAL const scalar *matrix,
                               const scalar a, const scalar b, real *y)
{
  GLOBAL const scalar *back = matrix + SLOPES * NODES * DIM, *mass = matrix + 2 * SLOPES * NODES * DIM;
  real metric[METRICS];
  const real k = b * MATERIAL_AT(0, 1);
  for (int m = 0; m < METRICS; ++m) metric[m] = k * GEOMETRY_AT(0, 1 + m);
  for (int n = 0; n < NODES; ++n) {
    real sum = a * MATERIAL_AT(0, 0) * GEOMETRY_AT(0, 0) * mass[n * NODES + n];
    for (int p = 0; p < SLOPES; ++p) {
      real slope[DIM], flux[DIM];
      for (int d = 0; d < DIM; ++d) slope[d] = splat(matrix[(p * NODES + n) * DIM + d]);
      metric_product(metric, slope, flux);
      for (int d = 0; d < DIM; ++d) sum += back[(n * SLOPES + p) * DIM + d] * flux[d];
    }
    y[n] = sum;
  }
}

#else

#define PARTS (DIM + 1)

FUNCTION void element_product(const real *u, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                              GLOBAL const scalar *matrix, const scalar a, const scalar b, real *y)
{
  for (int n = 0; n < NODES; ++n) y[n] = splat(0.0);
  for (int p = 0; p < POINTS; ++p) {
    real part[PARTS], flux[PARTS], metric[METRICS];
    for (int c = 0; c < PARTS; ++c) part[c] = splat(0.0);
    for (int n = 0; n < NODES; ++n)
      for (int c = 0; c < PARTS; ++c) part[c] += matrix[(p * NODES + n) * PARTS + c] * u[n];
    const real k = b * WEIGHT_AT(p) * MATERIAL_AT(p, 1);
    for (int m = 0; m < METRICS; ++m) metric[m] = k * GEOMETRY_AT(p, 1 + m);
    flux[0] = a * WEIGHT_AT(p) * MATERIAL_AT(p, 0) * GEOMETRY_AT(p, 0) * part[0];
    metric_product(metric, part + 1, flux + 1);
    for (int n = 0; n < NODES; ++n)
      for (int c = 0; c < PARTS; ++c) y[n] += matrix[(p * NODES + n) * PARTS + c] * flux[c];
  }
}

FUNCTION void element_diagonal(GLOBAL const scalar *geometry, GLOBAL const scalar *material, GLOBAL const scalar *matrix,
                               const scalar a, const scalar b, real *y)
{
  for (int n = 0; n < NODES; ++n) y[n] = splat(0.0);
  for (int p = 0; p < POINTS; ++p) {
    real part[PARTS], flux[PARTS], metric[METRICS];
    const real k = b * WEIGHT_AT(p) * MATERIAL_AT(p, 1);
    const real m = a * WEIGHT_AT(p) * MATERIAL_AT(p, 0) * GEOMETRY_AT(p, 0);
    for (int i = 0; i < METRICS; ++i) metric[i] = k * GEOMETRY_AT(p, 1 + i);
    for (int n = 0; n < NODES; ++n) {
      for (int c = 0; c < PARTS; ++c) part[c] = splat(matrix[(p * NODES + n) * PARTS + c]);
      flux[0] = m * part[0];
      metric_product(metric, part + 1, flux + 1);
      for (int c = 0; c < PARTS; ++c) y[n] += part[c] * flux[c];
    }
  }
}

#endif
