// SPDX-License-Identifier: Apache-2.0
// The metric terms of a cell: the upper triangle of k J grad r_d . grad r_e, one for the cell where it is CONSTANT, else at
// each point with the point's weight.

#define PARTS (DIM + 1)
#define METRICS (DIM * (DIM + 1) / 2)

#if CONSTANT
#define METRIC_AT(p, i) load(metric + (i) * LANES)
#define METRIC_SIZE (METRICS * LANES)
#else
#define METRIC_AT(p, i) load(metric + ((p) * METRICS + (i)) * LANES)
#define METRIC_SIZE (POINTS * METRICS * LANES)
#endif

// flux_d = sum_e G_de slope_e
FUNCTION void metric_product(GLOBAL const scalar *metric, const int p, const real *slope, real *flux)
{
#if DIM == 1
  flux[0] = METRIC_AT(p, 0) * slope[0];
#elif DIM == 2
  flux[0] = METRIC_AT(p, 0) * slope[0] + METRIC_AT(p, 1) * slope[1];
  flux[1] = METRIC_AT(p, 1) * slope[0] + METRIC_AT(p, 2) * slope[1];
#else
  flux[0] = METRIC_AT(p, 0) * slope[0] + METRIC_AT(p, 1) * slope[1] + METRIC_AT(p, 2) * slope[2];
  flux[1] = METRIC_AT(p, 1) * slope[0] + METRIC_AT(p, 3) * slope[1] + METRIC_AT(p, 4) * slope[2];
  flux[2] = METRIC_AT(p, 2) * slope[0] + METRIC_AT(p, 4) * slope[1] + METRIC_AT(p, 5) * slope[2];
#endif
}
