// SPDX-License-Identifier: Apache-2.0
// Simplices; prisms and pyramids without CONSTANT. CONSTANT (straight, one material in an element): the gradient is a polynomial of one degree less, known by its
// values at SLOPES points; matrix = [slope point][node][axis], then [node][slope point][axis] (integrals of the test
// function's derivative times the Lagrange function of the slope point), then the mass matrix [node][node].
// Otherwise at POINTS cubature points: matrix = [point][node][value, axes], weights are in WEIGHT_AT and the geometry.

#if CONSTANT && SLOPES == 1

// Linear: slopes are differences to the first vertex, all with the same factor; the mass matrix is (1 + delta_ij) times an
// entry beside its diagonal.
FUNCTION void element_product(const real *u, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                              GLOBAL const scalar *matrix, const scalar a, const scalar b, real *y)
{
  real slope[DIM], flux[DIM], metric[METRICS];
  for (int d = 0; d < DIM; ++d) slope[d] = u[1 + d] - u[0];
  for (int m = 0; m < METRICS; ++m) metric[m] = METRIC_AT(0, m);
  metric_product(metric, slope, flux);
  const real k = b * matrix[DIM] * matrix[NODES * DIM + DIM] * CONDUCTIVITY_AT(0);
  y[0] = splat(0.0);
  for (int d = 0; d < DIM; ++d) {
    y[1 + d] = k * flux[d];
    y[0] -= y[1 + d];
  }
  if (a != 0.0) {
    const real c = a * matrix[2 * NODES * DIM + 1] * CAPACITY_AT(0);
    real sum = u[0];
    for (int n = 1; n < NODES; ++n) sum += u[n];
    for (int n = 0; n < NODES; ++n) y[n] += c * (sum + u[n]);
  }
}

#elif CONSTANT

FUNCTION void element_product(const real *u, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                              GLOBAL const scalar *matrix, const scalar a, const scalar b, real *y)
{
  GLOBAL const scalar *back = matrix + SLOPES * NODES * DIM;
  real flux[SLOPES * DIM], metric[METRICS];
  const real k = b * CONDUCTIVITY_AT(0);
  for (int m = 0; m < METRICS; ++m) metric[m] = k * METRIC_AT(0, m);
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
    const real c = a * CAPACITY_AT(0);
    for (int n = 0; n < NODES; ++n) {
      real sum = splat(0.0);
      for (int m = 0; m < NODES; ++m) sum += mass[n * NODES + m] * u[m];
      y[n] += c * sum;
    }
  }
}

#endif

#if CONSTANT

FUNCTION void element_diagonal(GLOBAL const scalar *geometry, GLOBAL const scalar *material, GLOBAL const scalar *matrix,
                               const scalar a, const scalar b, real *y)
{
  GLOBAL const scalar *back = matrix + SLOPES * NODES * DIM, *mass = matrix + 2 * SLOPES * NODES * DIM;
  real metric[METRICS];
  const real k = b * CONDUCTIVITY_AT(0);
  for (int m = 0; m < METRICS; ++m) metric[m] = k * METRIC_AT(0, m);
  for (int n = 0; n < NODES; ++n) {
    real sum = a * CAPACITY_AT(0) * mass[n * NODES + n];
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
// Long sums go in runs of sums, whose rounding grows with the length of a run and the number of runs (Higham 2002, 4.2).
#define RUN 16

FUNCTION void element_product(const real *u, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                              GLOBAL const scalar *matrix, const scalar a, const scalar b, real *y)
{
  for (int n = 0; n < NODES; ++n) y[n] = splat(0.0);
  for (int points = 0; points < POINTS; points += RUN) {
    real run[NODES];
    for (int n = 0; n < NODES; ++n) run[n] = splat(0.0);
    for (int p = points; p < POINTS && p < points + RUN; ++p) {
      real part[PARTS], flux[PARTS], metric[METRICS];
      for (int c = 0; c < PARTS; ++c) part[c] = splat(0.0);
      for (int nodes = 0; nodes < NODES; nodes += RUN) {
        real runs[PARTS];
        for (int c = 0; c < PARTS; ++c) runs[c] = splat(0.0);
        for (int n = nodes; n < NODES && n < nodes + RUN; ++n)
          for (int c = 0; c < PARTS; ++c) runs[c] += matrix[(p * NODES + n) * PARTS + c] * u[n];
        for (int c = 0; c < PARTS; ++c) part[c] += runs[c];
      }
      const real k = b * WEIGHT_AT(p) * CONDUCTIVITY_AT(p);
      for (int m = 0; m < METRICS; ++m) metric[m] = k * METRIC_AT(p, m);
      flux[0] = a * WEIGHT_AT(p) * CAPACITY_AT(p) * part[0];
      metric_product(metric, part + 1, flux + 1);
      for (int n = 0; n < NODES; ++n)
        for (int c = 0; c < PARTS; ++c) run[n] += matrix[(p * NODES + n) * PARTS + c] * flux[c];
    }
    for (int n = 0; n < NODES; ++n) y[n] += run[n];
  }
}

FUNCTION void element_diagonal(GLOBAL const scalar *geometry, GLOBAL const scalar *material, GLOBAL const scalar *matrix,
                               const scalar a, const scalar b, real *y)
{
  for (int n = 0; n < NODES; ++n) y[n] = splat(0.0);
  for (int p = 0; p < POINTS; ++p) {
    real part[PARTS], flux[PARTS], metric[METRICS];
    const real k = b * WEIGHT_AT(p) * CONDUCTIVITY_AT(p);
    const real m = a * WEIGHT_AT(p) * CAPACITY_AT(p);
    for (int i = 0; i < METRICS; ++i) metric[i] = k * METRIC_AT(p, i);
    for (int n = 0; n < NODES; ++n) {
      for (int c = 0; c < PARTS; ++c) part[c] = splat(matrix[(p * NODES + n) * PARTS + c]);
      flux[0] = m * part[0];
      metric_product(metric, part + 1, flux + 1);
      for (int c = 0; c < PARTS; ++c) y[n] += part[c] * flux[c];
    }
  }
}

#endif
