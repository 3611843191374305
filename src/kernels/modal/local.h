// SPDX-License-Identifier: Apache-2.0
// An affine element's numbers and its normals.

// The coefficients of the item's elements: their modes, or their values at points (kernels/modal/points.h).
#if AT_POINTS
#define COEFFICIENTS_OF_ITEM(name) \
  real name[COEFFICIENT_VALUES];   \
  coefficients_at_points(OF_BATCH(coefficients, COEFFICIENTS * ALL_COEFFICIENTS), numbers, places, name)
#else
#define COEFFICIENTS_OF_ITEM(name) const LANED *name = OF_BATCH(coefficients, COEFFICIENTS * ALL_COEFFICIENTS)
#endif

FUNCTION void load_element(const LANED *from, real *to)
{
  for (int i = 0; i < ELEMENT; ++i) to[i] = AT(from, i);
}

// The unit normal of a face of an affine element; returns the ratio of the surface's to the volume's Jacobian.
FUNCTION real face_normal(const real *g, int face, real *n)
{
  real square = splat(0.0);
  for (int k = 0; k < DIM; ++k) {
#if SIMPLEX
    real sum = g[k];
#if DIM > 1
    sum += g[DIM + k];
#endif
#if DIM == 3
    sum += g[2 * DIM + k];
#endif
    n[k] = face == 0 ? sum : -g[(face > 0 ? face - 1 : 0) * DIM + k];
#else
    n[k] = face % 2 == 0 ? -g[(face / 2) * DIM + k] : g[(face / 2) * DIM + k];
#endif
    square += n[k] * n[k];
  }
  const real length = sqrt(square), inverse = 1.0 / length;
  for (int k = 0; k < DIM; ++k) n[k] *= inverse;
  return length;
}
