// SPDX-License-Identifier: Apache-2.0
// Shared parts of the tests of reference elements: every shape at every order, and monomials.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "element/element.hpp"
#include "element/lattice.hpp"

namespace swell {

inline const std::array<Shape, 7> cell_shapes = {Shape::line,       Shape::triangle, Shape::quadrilateral, Shape::tetrahedron,
                                                 Shape::hexahedron, Shape::prism,    Shape::pyramid};

// Shapes that the modal family has triple products for.
inline const auto modal_shapes = std::span(cell_shapes).first<5>();

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

// All monomials that an element of this order holds; of a large product of shapes those at both ends of each direction.
inline std::vector<LatticeIndex> monomials(Shape shape, int order) {
  std::vector<LatticeIndex> powers;
  for (const LatticeIndex& power : lattice_indices(shape, order)) {
    bool at_ends = true;
    for (int d = 0; d < dimension(shape); ++d) at_ends = at_ends && (power[d] < 2 || power[d] > order - 2);
    const bool large = shape == Shape::hexahedron || shape == Shape::prism;
    // A pyramid's functions are rational where both i and j are not 0, but those of total degree up to its order.
    if (shape == Shape::pyramid && power[0] + power[1] + power[2] > order) continue;
    if (!large || order < 5 || at_ends) powers.push_back(power);
  }
  return powers;
}

}  // namespace swell
