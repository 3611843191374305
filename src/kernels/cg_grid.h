// SPDX-License-Identifier: Apache-2.0
// Linear elements on the fixed grid: a box of NX x NY x NZ vertices whose bricks are cut into the six tetrahedra of Kuhn, all
// alike. The operator is a stencil of 15 points, 7 without the mass: nothing but vectors is read. Coefficients come in 27
// classes, the vertex being the first, an inner or the last along each axis: coefficient[x + 3 y + 9 z][TERMS], the centre,
// then the neighbours towards +x, +y, +z (and +xy, +xz, +yz, +xyz), then those opposite to them.
// Vectors lie plane by plane, PLANE numbers each, two planes of zeros before and behind: a neighbour outside is a number that
// its coefficient 0 can take. Entries at given values are 0 in the vectors of the solver, and FIXED (bits xmin, xmax, ymin,
// ymax, zmin, zmax) says where they are.

#define HALF ((TERMS - 1) / 2)
#define FIRST (2 * (INDEX)PLANE)
#if TERMS == 15
TABLE int step_to[7] = {1, NX, PLANE, 1 + NX, 1 + PLANE, NX + PLANE, 1 + NX + PLANE};
#else
TABLE int step_to[3] = {1, NX, PLANE};
#endif
#define CLASS(i, n) ((i) == 0 ? 0 : (i) == (n) - 1 ? 2 : 1)
#define GIVEN(i, n, bits) (((i) == 0 && (FIXED & (bits))) || ((i) == (n) - 1 && (FIXED & 2 * (bits))))

FUNCTION scalar point_product(GLOBAL const scalar *p, GLOBAL const scalar *c)
{
  scalar sum = c[0] * p[0];
  for (int s = 0; s < HALF; ++s) sum += c[1 + s] * p[step_to[s]] + c[1 + HALF + s] * p[-step_to[s]];
  return sum;
}

// p (c_0 p / 2 + the half of the stencil ahead): summed over all vertices it is p . A p / 2.
FUNCTION scalar point_energy(scalar p, GLOBAL const scalar *here, GLOBAL const scalar *ahead, GLOBAL const scalar *c)
{
  scalar sum = 0.5 * c[0] * p + c[1] * here[1] + c[2] * here[NX] + c[3] * ahead[0];
#if TERMS == 15
  sum += c[4] * here[1 + NX] + c[5] * ahead[1] + c[6] * ahead[NX] + c[7] * ahead[1 + NX];
#endif
  return p * sum;
}
