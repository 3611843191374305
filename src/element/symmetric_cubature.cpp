// SPDX-License-Identifier: Apache-2.0
#include "element/symmetric_cubature.hpp"

#include <array>
#include <stdexcept>
#include <vector>

namespace swell {

namespace {

struct Orbit {
  int points;
  double weight, a, b;
};

struct TriangleRule {
  int degree;
  std::vector<Orbit> orbits;
};

const std::vector<TriangleRule>& triangle_rules() {
  static const std::vector<TriangleRule> all{
#include "element/triangle_rules.inc"
  };
  return all;
}

Cubature triangle_rule(const TriangleRule& rule) {
  // The turns of barycentric coordinates (a, b, c), then the mirror images of the turns.
  constexpr std::array<std::array<int, 3>, 6> images{{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}}};
  int total = 0;
  for (const Orbit& orbit : rule.orbits) total += orbit.points;
  Cubature out{Matrix(total, 2), Vector(total)};
  int row = 0;
  for (const Orbit& orbit : rule.orbits) {
    const std::array<double, 3> place{orbit.a, orbit.b, 1 - orbit.a - orbit.b};
    for (int k = 0; k < orbit.points; ++k, ++row) {
      out.points(row, 0) = 2 * place[images[k][0]] - 1;
      out.points(row, 1) = 2 * place[images[k][1]] - 1;
      out.weights(row) = 2 * orbit.weight;
    }
  }
  return out;
}

}  // namespace

Cubature symmetric_cubature(Shape shape, int degree) {
  if (shape == Shape::tetrahedron) throw std::logic_error("There are no symmetric rules for tetrahedra.");
  if (shape != Shape::triangle) return cubature(shape, degree);
  for (const TriangleRule& rule : triangle_rules())
    if (rule.degree >= degree) return triangle_rule(rule);
  throw std::logic_error("There is no symmetric rule for triangles of this degree.");
}

}  // namespace swell
