// SPDX-License-Identifier: Apache-2.0
// The integral of f v over an element; the case's own source_at() stands before this. points[point][axis][lane] where the
// source depends on the place (PLACES), weight[point][lane] or, on straight elements (AFFINE), [lane], the Jacobian alone;
// values[point][node] of the test functions.

#define PLACES_SIZE (PLACES ? POINTS * DIM : 0)
#define WEIGHT_SIZE (AFFINE ? 1 : POINTS)

// The source at a point with its weight.
FUNCTION real weighted_source(const int p, GLOBAL const scalar *points, GLOBAL const scalar *weight, const double t)
{
  real f = splat(0.0);
  UNROLL for (int l = 0; l < LANES; ++l)
  {
    scalar x[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < DIM; ++d)
      if (PLACES) x[d] = points[(p * DIM + d) * LANES + l];
    set_lane(f, l, source_at(x[0], x[1], x[2], t));
  }
#if AFFINE
  return f * load(weight) * point_weight[p];
#else
  return f * load(weight + p * LANES);
#endif
}
