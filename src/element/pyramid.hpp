// SPDX-License-Identifier: Apache-2.0
// The pyramid: the square [-1,1]^2 at t = -1 below the apex (-1,-1,1), so that all its faces are affine images of the square and
// the triangle. In collapsed coordinates a = 2 (1 + r) / (1 - t) - 1 and b = 2 (1 + s) / (1 - t) - 1 it is a cube. Its functions
// are those of Bergot, Cohen and Durufle (2010): they hold all polynomials of the order, also where the base is no parallelogram.
#pragma once

#include "element/basis.hpp"

namespace swell {

// Faces have the nodes of a tetrahedron's and of a hexahedron's; inside, a node has the collapsed coordinates of the nodes of the
// faces beside it, and their mean height.
Matrix pyramid_nodes(int order);
// Gauss points in a and b, Gauss-Jacobi points in t: exact for products of two functions of order p for degree = 2p.
Cubature pyramid_cubature(int points_across, int points_high);

// Functions that are orthogonal on every straight pyramid (Chan and Warburton 2016, orthogonal bases for vertex-mapped pyramids):
// the Jacobian J of its map depends on a and b alone and has degree 1 in each, so that Lagrange polynomials through k + 1 Gauss
// points in a and in b, times (1 - t)^k and the Jacobi polynomial P_(p-k)^(2k+3,0) in t, have products whose integral with J is 0,
// or J at a point.
struct PyramidPoints {
  Matrix to_nodes;    // nodes x functions; orthonormal where J = 1
  Matrix from_nodes;  // its inverse
  Matrix points;      // where each function takes J from
};
PyramidPoints pyramid_points(int order);

// Points of the cube [-1,1]^3 in collapsed coordinates, as points of the pyramid.
Matrix collapsed_to_pyramid(const Matrix& cube);

}  // namespace swell
