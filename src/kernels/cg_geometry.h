// SPDX-License-Identifier: Apache-2.0
// Geometry and material of an element: GEOMETRY numbers, the Jacobian J and the upper triangle of J grad r_d . grad r_e;
// once for a straight element (AFFINE), else at each point, there with the point's weight.

#define GEOMETRY (1 + DIM * (DIM + 1) / 2)
#define GEOMETRY_SIZE (AFFINE ? GEOMETRY : POINTS * GEOMETRY)
#define MATERIAL_SIZE (VARYING ? POINTS * 2 : 2)

#if AFFINE
#define GEOMETRY_AT(p, g) load(geometry + (g) * LANES)
#define WEIGHT_AT(p) point_weight[p]
#else
#define GEOMETRY_AT(p, g) load(geometry + ((p) * GEOMETRY + (g)) * LANES)
#define WEIGHT_AT(p) 1.0
#endif
#if VARYING
#define MATERIAL_AT(p, i) load(material + ((p) * 2 + (i)) * LANES)
#else
#define MATERIAL_AT(p, i) load(material + (i) * LANES)
#endif

// flux_d = sum_e G_de slope_e
FUNCTION void metric_product(const real *metric, const real *slope, real *flux)
{
#if DIM == 2
  flux[0] = metric[0] * slope[0] + metric[1] * slope[1];
  flux[1] = metric[1] * slope[0] + metric[2] * slope[1];
#else
  flux[0] = metric[0] * slope[0] + metric[1] * slope[1] + metric[2] * slope[2];
  flux[1] = metric[1] * slope[0] + metric[3] * slope[1] + metric[4] * slope[2];
  flux[2] = metric[2] * slope[0] + metric[4] * slope[1] + metric[5] * slope[2];
#endif
}

#define METRICS (DIM * (DIM + 1) / 2)
