// SPDX-License-Identifier: Apache-2.0
// The operator of continuous elements, unknown by unknown: a thread owns an unknown, visits the elements that hold it and adds
// up its row of each, so that nothing is written but the answer; what elements share is computed by each of their unknowns.
// place[k] = element * NODES + node for the visits start[i] .. start[i + 1] - 1 of unknown i. The layouts are those of
// kernels/continuous/geometry.h with one lane. ADDS: to what elements of other shapes have given. CONSTANT (straight, one material in an element): matrix = [node][node][mass, then the
// stiffness that goes with each number of the metric]; otherwise [point][node][value, axes] at POINTS points of the rule.

#if CONSTANT

#define TERMS (1 + METRICS)

FUNCTION void scale_terms(GLOBAL const scalar *geometry, GLOBAL const scalar *material, const scalar a, const scalar b,
                          scalar *scale)
{
  scale[0] = a * CAPACITY_AT(0);
  for (int m = 0; m < METRICS; ++m) scale[1 + m] = b * CONDUCTIVITY_AT(0) * METRIC_AT(0, m);
}

FUNCTION scalar matrix_entry(GLOBAL const scalar *terms, const scalar *scale)
{
  scalar sum = 0.0;
  for (int m = 0; m < TERMS; ++m) sum += scale[m] * terms[m];
  return sum;
}

FUNCTION scalar element_row(GLOBAL const scalar *x, GLOBAL const int *index, const int node, GLOBAL const scalar *geometry,
                            GLOBAL const scalar *material, GLOBAL const scalar *matrix, const scalar a, const scalar b)
{
  scalar scale[TERMS], sum = 0.0;
  scale_terms(geometry, material, a, b, scale);
  for (int n = 0; n < NODES; ++n) sum += matrix_entry(matrix + (node * NODES + n) * TERMS, scale) * x[index[n]];
  return sum;
}

FUNCTION scalar element_entry(const int node, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                              GLOBAL const scalar *matrix, const scalar a, const scalar b)
{
  scalar scale[TERMS];
  scale_terms(geometry, material, a, b, scale);
  return matrix_entry(matrix + (node * NODES + node) * TERMS, scale);
}

#else

#define PARTS (DIM + 1)
// Long sums go in runs of sums, whose rounding grows with the length of a run and the number of runs (Higham 2002, 4.2).
#define RUN 16

// The test function's part in what a point gives: part = value and slopes of the temperature there.
FUNCTION scalar point_share(const scalar *part, GLOBAL const scalar *test, const int p, GLOBAL const scalar *geometry,
                            GLOBAL const scalar *material, const scalar a, const scalar b)
{
  scalar metric[METRICS], flux[DIM];
  const scalar k = b * WEIGHT_AT(p) * CONDUCTIVITY_AT(p);
  for (int m = 0; m < METRICS; ++m) metric[m] = k * METRIC_AT(p, m);
  metric_product(metric, part + 1, flux);
  scalar sum = a * WEIGHT_AT(p) * CAPACITY_AT(p) * part[0] * test[0];
  for (int d = 0; d < DIM; ++d) sum += test[1 + d] * flux[d];
  return sum;
}

FUNCTION scalar element_row(GLOBAL const scalar *x, GLOBAL const int *index, const int node, GLOBAL const scalar *geometry,
                            GLOBAL const scalar *material, GLOBAL const scalar *matrix, const scalar a, const scalar b)
{
  scalar u[NODES], sum = 0.0;
  for (int n = 0; n < NODES; ++n) u[n] = x[index[n]];
  for (int points = 0; points < POINTS; points += RUN) {
    scalar run = 0.0;
    for (int p = points; p < POINTS && p < points + RUN; ++p) {
      scalar part[PARTS];
      for (int c = 0; c < PARTS; ++c) part[c] = 0.0;
      for (int nodes = 0; nodes < NODES; nodes += RUN) {
        scalar runs[PARTS];
        for (int c = 0; c < PARTS; ++c) runs[c] = 0.0;
        for (int n = nodes; n < NODES && n < nodes + RUN; ++n)
          for (int c = 0; c < PARTS; ++c) runs[c] += matrix[(p * NODES + n) * PARTS + c] * u[n];
        for (int c = 0; c < PARTS; ++c) part[c] += runs[c];
      }
      run += point_share(part, matrix + (p * NODES + node) * PARTS, p, geometry, material, a, b);
    }
    sum += run;
  }
  return sum;
}

FUNCTION scalar element_entry(const int node, GLOBAL const scalar *geometry, GLOBAL const scalar *material,
                              GLOBAL const scalar *matrix, const scalar a, const scalar b)
{
  scalar sum = 0.0;
  for (int p = 0; p < POINTS; ++p) {
    scalar part[PARTS];
    for (int c = 0; c < PARTS; ++c) part[c] = matrix[(p * NODES + node) * PARTS + c];
    sum += point_share(part, matrix + (p * NODES + node) * PARTS, p, geometry, material, a, b);
  }
  return sum;
}

#endif

KERNEL void vertex_apply(GLOBAL const scalar *x, GLOBAL const int *start, GLOBAL const int *place, GLOBAL const int *index,
                         GLOBAL const scalar *geometry, GLOBAL const scalar *material, GLOBAL const scalar *matrix,
                         GLOBAL scalar *y, const scalar a, const scalar b)
{
  ITEMS(i)
  {
    scalar sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const INDEX element = place[k] / NODES;
      sum += element_row(x, index + element * NODES, place[k] % NODES, geometry + element * GEOMETRY_SIZE,
                         material + element * MATERIAL_SIZE, matrix, a, b);
    }
    y[i] = ADDS ? y[i] + sum : sum;
  }
}

KERNEL void vertex_diagonal(GLOBAL const int *start, GLOBAL const int *place, GLOBAL const scalar *geometry,
                            GLOBAL const scalar *material, GLOBAL const scalar *matrix, GLOBAL scalar *y, const scalar a,
                            const scalar b)
{
  ITEMS(i)
  {
    scalar sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const INDEX element = place[k] / NODES;
      sum += element_entry(place[k] % NODES, geometry + element * GEOMETRY_SIZE, material + element * MATERIAL_SIZE, matrix,
                           a, b);
    }
    y[i] = ADDS ? y[i] + sum : sum;
  }
}
