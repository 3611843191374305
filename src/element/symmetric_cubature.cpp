// SPDX-License-Identifier: Apache-2.0
#include "element/symmetric_cubature.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace swell {

namespace {

struct Orbit {
  int points;
  double weight, a, b, c = 0;
};

struct SimplexRule {
  int degree;
  std::vector<Orbit> orbits;
};

const std::vector<SimplexRule>& triangle_rules() {
  static const std::vector<SimplexRule> all{
#include "element/triangle_rules.inc"
  };
  return all;
}

const std::vector<SimplexRule>& tetrahedron_rules() {
  static const std::vector<SimplexRule> all{
#include "element/tetrahedron_rules.inc"
  };
  return all;
}

Cubature triangle_rule(const SimplexRule& rule) {
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

// All different orders of the four barycentric coordinates of each orbit.
Cubature tetrahedron_rule(const SimplexRule& rule) {
  int total = 0;
  for (const Orbit& orbit : rule.orbits) total += orbit.points;
  Cubature out{Matrix(total, 3), Vector(total)};
  int row = 0;
  for (const Orbit& orbit : rule.orbits) {
    std::array<double, 4> place{orbit.a, orbit.b, orbit.c, 1 - orbit.a - orbit.b - orbit.c};
    // Coordinates that are equal but for rounding make one point.
    if (orbit.points == 1 || orbit.points == 6) place[3] = place[2];
    std::sort(place.begin(), place.end());
    do {
      for (int d = 0; d < 3; ++d) out.points(row, d) = 2 * place[d + 1] - 1;
      out.weights(row++) = 4.0 / 3 * orbit.weight;
    } while (std::next_permutation(place.begin(), place.end()));
  }
  return out;
}

}  // namespace

Cubature symmetric_cubature(Shape shape, int degree) {
  if (shape == Shape::tetrahedron) throw std::logic_error("There are no symmetric rules for tetrahedra.");
  if (shape != Shape::triangle) return cubature(shape, degree);
  for (const SimplexRule& rule : triangle_rules())
    if (rule.degree >= degree) return triangle_rule(rule);
  throw std::logic_error("There is no symmetric rule for triangles of this degree.");
}

Cubature sparse_cubature(Shape shape, int degree) {
  if (shape == Shape::tetrahedron)
    for (const SimplexRule& rule : tetrahedron_rules())
      if (rule.degree >= degree) return tetrahedron_rule(rule);
  if (shape == Shape::triangle && degree <= triangle_rules().back().degree) return symmetric_cubature(shape, degree);
  return cubature(shape, degree);
}

}  // namespace swell
