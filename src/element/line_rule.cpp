// SPDX-License-Identifier: Apache-2.0
#include "element/line_rule.hpp"

#include "element/dense.hpp"

namespace swell {

LineRule::LineRule(int order) {
  const Cubature gauss = gauss_jacobi(0, 0, order + 1);
  points = gauss.points.col(0);
  weights = gauss.weights;
  const Matrix at_points = modes(Shape::line, order, gauss.points), at_nodes = modes(Shape::line, order, nodes(Shape::line, order));
  // Modes are orthonormal, and the rule is exact for their products: the inverse is the transpose with weights.
  const Matrix from_points = at_points.transpose() * weights.asDiagonal();
  to_points = at_points * inverse_by_full_pivots(at_nodes);
  to_nodes = at_nodes * from_points;
  derivative = mode_gradients(Shape::line, order, gauss.points)[0] * from_points;
  Matrix both(2, 1);
  both << -1, 1;
  ends = modes(Shape::line, order, both) * from_points;
  weak = weights.cwiseInverse().asDiagonal() * derivative.transpose() * weights.asDiagonal();
  end_weights = ends * weights.cwiseInverse().asDiagonal();
  nodal_lift.resize(2, order + 1);
  for (int end = 0; end < 2; ++end) nodal_lift.row(end) = at_nodes.row(end * order) * at_nodes.transpose();
}

namespace {

Cubature product(const Cubature& line, Shape shape, int order) {
  const int dim = dimension(shape), count = mode_count(shape, order);
  Cubature all{Matrix(count, dim), Vector::Ones(count)};
  for (int n = 0; n < count; ++n)
    for (int d = 0, rest = n; d < dim; ++d, rest /= order + 1) {
      all.points(n, d) = line.points(rest % (order + 1), 0);
      all.weights(n) *= line.weights(rest % (order + 1));
    }
  return all;
}

}  // namespace

Cubature gauss_product(Shape shape, int order) { return product(gauss_jacobi(0, 0, order + 1), shape, order); }

Cubature lobatto_product(Shape shape, int order) { return product(gauss_lobatto(order), shape, order); }

}  // namespace swell
