// SPDX-License-Identifier: Apache-2.0
// Material that varies, on the fixed grid: each tetrahedron has its own, evaluated at its middle by conductivity_at() and
// capacity_at(), which stand before this text; `number` holds their constants. A tetrahedron is a way from the lowest corner of
// its brick to the highest along the axes (Kuhn 1960), corners being numbers of bits x, y, z. On it the gradient's parts are
// the differences along its three axial edges, and the mass matrix is (1 + delta) V / 20.

TABLE int way_axis[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
TABLE int way_corner[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
// The middle from the lowest corner, in quarters of the brick's edges.
TABLE int way_middle[6][3] = {{3, 2, 1}, {3, 1, 2}, {2, 3, 1}, {1, 3, 2}, {2, 1, 3}, {1, 2, 3}};
TABLE int corner_bits[8] = {0, 1, 1, 2, 1, 2, 2, 3};
// The place of the neighbour towards these bits among the stencil's terms.
TABLE int toward[8] = {0, 1, 2, 4, 3, 5, 6, 7};
// 1 / h^2
#define INVERSE_SQUARE(axis) ((axis) == 0 ? inverse_x : (axis) == 1 ? inverse_y : inverse_z)

#define MIDDLE(low, edge, brick, quarters) ((low) + (edge) * ((scalar)(brick) + 0.25 * (quarters)))
#define CONDUCTIVITY(w, i, j, k)                                                                        \
  conductivity_at(MIDDLE(low_x, edge_x, i, way_middle[w][0]), MIDDLE(low_y, edge_y, j, way_middle[w][1]), \
                  MIDDLE(low_z, edge_z, k, way_middle[w][2]), number)
#define CAPACITY(w, i, j, k)                                                                        \
  capacity_at(MIDDLE(low_x, edge_x, i, way_middle[w][0]), MIDDLE(low_y, edge_y, j, way_middle[w][1]), \
              MIDDLE(low_z, edge_z, k, way_middle[w][2]), number)
#define AHEAD(bits) (toward[bits])
#define BEHIND(bits) (HALF + toward[bits])

// One tetrahedron's part of (a M + b K) u at the vertex that is the `m`-th of way w; u holds the terms of the stencil.
FUNCTION real way_product(const int w, const int m, const real *u, const real conductivity, const real capacity,
                          const scalar a, const scalar b GRID_PARAMETERS)
{
  real slope = splat(0.0);
  if (m > 0) slope += INVERSE_SQUARE(way_axis[w][m > 0 ? m - 1 : 0]) * (u[0] - u[BEHIND(1 << way_axis[w][m > 0 ? m - 1 : 0])]);
  if (m < 3) slope += INVERSE_SQUARE(way_axis[w][m < 3 ? m : 2]) * (u[0] - u[AHEAD(1 << way_axis[w][m < 3 ? m : 2])]);
  real product = tetrahedron_volume * b * conductivity * slope;
#if TERMS == 15
  real sum = u[0];
  const int corner = way_corner[w][m];
  UNROLL for (int n = 0; n < 4; ++n)
    sum += n < m ? u[BEHIND(corner & ~way_corner[w][n])] : n > m ? u[AHEAD(way_corner[w][n] & ~corner)] : u[0];
  product += tetrahedron_volume / 20.0 * a * capacity * sum;
#endif
  return product;
}

FUNCTION real way_diagonal(const int w, const int m, const real conductivity, const real capacity, const scalar a,
                           const scalar b GRID_PARAMETERS)
{
  scalar slope = 0.0;
  if (m > 0) slope += INVERSE_SQUARE(way_axis[w][m > 0 ? m - 1 : 0]);
  if (m < 3) slope += INVERSE_SQUARE(way_axis[w][m < 3 ? m : 2]);
  return tetrahedron_volume * (b * slope * conductivity + a / 10.0 * capacity);
}

// u . (a M + b K) u on one tetrahedron; v holds the values at the brick's corners.
FUNCTION real way_energy(const int w, const real *v, const real conductivity, const real capacity, const scalar a,
                         const scalar b GRID_PARAMETERS)
{
  real slopes = splat(0.0);
  UNROLL for (int m = 0; m < 3; ++m) {
    const real difference = v[way_corner[w][m + 1]] - v[way_corner[w][m]];
    slopes += INVERSE_SQUARE(way_axis[w][m]) * difference * difference;
  }
  real energy = tetrahedron_volume * b * conductivity * slopes;
#if TERMS == 15
  real sum = splat(0.0), squares = splat(0.0);
  UNROLL for (int m = 0; m < 4; ++m) {
    sum += v[way_corner[w][m]];
    squares += v[way_corner[w][m]] * v[way_corner[w][m]];
  }
  energy += tetrahedron_volume / 20.0 * a * capacity * (sum * sum + squares);
#endif
  return energy;
}
