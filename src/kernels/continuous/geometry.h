// SPDX-License-Identifier: Apache-2.0
// Geometry and material of an element: the upper triangle of the metric J grad r_d . grad r_e and, but for STEADY problems,
// the Jacobian J; once for a straight element (AFFINE), else at each point, there with the point's weight. Material: k and, but
// for STEADY problems, rhoC; at each point where it is VARYING.

#define METRICS (DIM * (DIM + 1) / 2)
#define GEOMETRY (METRICS + 1 - STEADY)
#define GEOMETRY_SIZE (AFFINE ? GEOMETRY : POINTS * GEOMETRY)
#define MATERIALS (2 - STEADY)
#define MATERIAL_SIZE (VARYING ? POINTS * MATERIALS : MATERIALS)

#if AFFINE
#define METRIC_AT(p, m) load(geometry + (m) * LANES)
#define WEIGHT_AT(p) point_weight[p]
#else
#define METRIC_AT(p, m) load(geometry + ((p) * GEOMETRY + (m)) * LANES)
#define WEIGHT_AT(p) 1.0
#endif
#if VARYING
#define MATERIAL_AT(p, i) load(material + ((p) * MATERIALS + (i)) * LANES)
#else
#define MATERIAL_AT(p, i) load(material + (i) * LANES)
#endif
#define CONDUCTIVITY_AT(p) MATERIAL_AT(p, 0)
// rhoC J
#if STEADY
#define CAPACITY_AT(p) splat(0.0)
#else
#define CAPACITY_AT(p) (MATERIAL_AT(p, 1) * METRIC_AT(p, METRICS))
#endif

// flux_d = sum_e G_de slope_e
FUNCTION void metric_product(const real *metric, const real *slope, real *flux)
{
#if DIM == 1
  flux[0] = metric[0] * slope[0];
#elif DIM == 2
  flux[0] = metric[0] * slope[0] + metric[1] * slope[1];
  flux[1] = metric[1] * slope[0] + metric[2] * slope[1];
#else
  flux[0] = metric[0] * slope[0] + metric[1] * slope[1] + metric[2] * slope[2];
  flux[1] = metric[1] * slope[0] + metric[3] * slope[1] + metric[4] * slope[2];
  flux[2] = metric[2] * slope[0] + metric[4] * slope[1] + metric[5] * slope[2];
#endif
}
