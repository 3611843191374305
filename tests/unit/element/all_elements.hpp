// SPDX-License-Identifier: Apache-2.0
// Shared parts of the tests of reference elements: every shape at every order, and monomials.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>

#include "element/element.hpp"
#include "element/lattice.hpp"

namespace swell {

inline const std::array<Shape, 5> cell_shapes = {Shape::line, Shape::triangle, Shape::quadrilateral, Shape::tetrahedron,
                                                 Shape::hexahedron};

inline const ReferenceElement& element_of(Shape shape, int order) {
  static std::map<std::pair<Shape, int>, std::unique_ptr<ReferenceElement>> built;
  std::unique_ptr<ReferenceElement>& slot = built[{shape, order}];
  if (!slot) slot = std::make_unique<ReferenceElement>(shape, order);
  return *slot;
}

inline std::string label(Shape shape, int order) {
  return std::string(shape_name(shape)) + " of order " + std::to_string(order);
}

template <class Check>
void on_every_element(Check check) {
  for (const Shape shape : cell_shapes)
    for (int order = 1; order <= max_order(shape); ++order) {
      SCOPED_TRACE(label(shape, order));
      check(element_of(shape, order));
    }
}

// x^i y^j z^k at the points, or its derivative in one direction.
inline Vector monomial(const Matrix& points, LatticeIndex power, int derivative = -1) {
  Vector values = Vector::Ones(points.rows());
  for (Eigen::Index row = 0; row < points.rows(); ++row)
    for (Eigen::Index d = 0; d < points.cols(); ++d) {
      const double x = points(row, d);
      const int n = power[d];
      if (d == derivative)
        values[row] *= n == 0 ? 0.0 : n * std::pow(x, n - 1);
      else
        values[row] *= std::pow(x, n);
    }
  return values;
}

// All monomials that an element of this order holds; of a large tensor element those at both ends of each direction.
inline std::vector<LatticeIndex> monomials(Shape shape, int order) {
  std::vector<LatticeIndex> powers;
  for (const LatticeIndex& power : lattice_indices(shape, order)) {
    bool at_ends = true;
    for (int d = 0; d < dimension(shape); ++d) at_ends = at_ends && (power[d] < 2 || power[d] > order - 2);
    if (shape != Shape::hexahedron || order < 5 || at_ends) powers.push_back(power);
  }
  return powers;
}

}  // namespace swell
