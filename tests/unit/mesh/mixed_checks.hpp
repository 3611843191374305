// SPDX-License-Identifier: Apache-2.0
// Checks of meshes with cells of several shapes, in two and three dimensions.
#pragma once

#include <cmath>
#include <map>

#include "mesh/elements.hpp"
#include "mesh/geometry.hpp"

namespace swell::test {

inline double measure_by_rule(const Mesh& mesh) {
  const int dim = mesh.dim;
  std::map<Shape, Cubature> rules;
  std::map<Shape, CellMap> maps;
  for (const Shape shape : mesh.shapes()) {
    rules.emplace(shape, cubature(shape, 6 * mesh.geometry_order()));
    maps.emplace(shape, CellMap(mesh, shape, rules.at(shape).points));
  }
  double sum = 0;
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    const Cubature& rule = rules.at(mesh.shape_of(c));
    std::vector<double> j(rule.points.rows() * dim * dim);
    maps.at(mesh.shape_of(c)).jacobians(c, j.data());
    for (int p = 0; p < rule.points.rows(); ++p) sum += rule.weights(p) * Eigen::Map<const Matrix>(&j[p * dim * dim], dim, dim).determinant();
  }
  return sum;
}

// The largest distance between nodes of two cells that should coincide, up to whole periods.
inline double largest_gap(const Mesh& mesh, int order, const std::array<double, 3>& periods) {
  const int dim = mesh.dim;
  const Elements elements(mesh, order);
  std::map<Shape, CellMap> maps;
  for (const auto& [shape, element] : elements.all()) maps.emplace(shape, CellMap(mesh, shape, element.nodes));
  std::vector<double> mine(dim * elements.most_nodes()), theirs(mine);
  double gap = 0;
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    const ReferenceElement& element = elements.of_cell(c);
    maps.at(element.shape).coordinates(c, mine.data());
    for (int f = 0; f < element.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(c, f);
      if (n.cell < 0) continue;
      const Neighbour& back = mesh.neighbour(n.cell, n.face);
      EXPECT_TRUE(back.cell == c && back.face == f);
      const ReferenceElement& other = elements.of_cell(n.cell);
      maps.at(other.shape).coordinates(n.cell, theirs.data());
      const auto nodes = other.neighbour_nodes(n.face, n.orientation);
      for (int i = 0; i < element.face_size(f); ++i)
        for (int d = 0; d < dim; ++d) {
          double step = mine[element.face_node(f, i) * dim + d] - theirs[nodes[i] * dim + d];
          if (periods[d] > 0) step -= periods[d] * std::round(step / periods[d]);
          gap = std::max(gap, std::abs(step));
        }
    }
  }
  return gap;
}

}  // namespace swell::test
