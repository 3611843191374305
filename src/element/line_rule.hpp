// SPDX-License-Identifier: Apache-2.0
// The n + 1 Gauss points of a line beside its n + 1 Gauss-Lobatto nodes: values pass from one to the other without
// loss, and the points integrate products of two polynomials exactly. Tensor-product elements use both, line by line.
#pragma once

#include "element/basis.hpp"

namespace swell {

struct LineRule {
  explicit LineRule(int order);

  Vector points, weights;  // ascending
  Matrix to_points;        // [point][node]
  Matrix to_nodes;         // its inverse
  Matrix derivative;       // of the polynomial through values at the points, there: [point][point]
  Matrix ends;             // the same polynomial at -1 and at +1: [end][point]
  // (phi_i', f) / w_i for values f at the points: weak(i, j) = w_j derivative(j, i) / w_i.
  Matrix weak;
  Matrix end_weights;  // phi_i(end) / w_i: [end][point]
  // M^-1 e at the nodes, e the first or the last unit vector: what a value at an end of the line adds to each node:
  // [end][node].
  Matrix nodal_lift;
};

// Products of the line's points and weights, in lattice order: quadrilaterals, hexahedra and their faces.
Cubature gauss_product(Shape shape, int order);
// The product of Gauss-Lobatto rules likewise, also for lines and points.
Cubature lobatto_product(Shape shape, int order);

}  // namespace swell
