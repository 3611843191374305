// SPDX-License-Identifier: Apache-2.0
#include "element/prism.hpp"

namespace swell {

Matrix prism_nodes(int order) {
  const Matrix tetrahedron = nodes(Shape::tetrahedron, order);  // its lowest layer comes first
  const Cubature line = gauss_lobatto(order);
  const int layer = lattice_count(Shape::triangle, order);
  Matrix result(layer * (order + 1), 3);
  for (int k = 0; k <= order; ++k) {
    result.middleRows(k * layer, layer).leftCols(2) = tetrahedron.topLeftCorner(layer, 2);
    result.middleRows(k * layer, layer).col(2).setConstant(line.points(k, 0));
  }
  return result;
}

Cubature prism_cubature(const Cubature& triangle, const Cubature& line) {
  const Eigen::Index layer = triangle.points.rows(), layers = line.points.rows();
  Cubature result{Matrix(layer * layers, 3), Vector(layer * layers)};
  for (Eigen::Index k = 0; k < layers; ++k) {
    result.points.middleRows(k * layer, layer).leftCols(2) = triangle.points;
    result.points.middleRows(k * layer, layer).col(2).setConstant(line.points(k, 0));
    result.weights.segment(k * layer, layer) = line.weights(k) * triangle.weights;
  }
  return result;
}

}  // namespace swell
