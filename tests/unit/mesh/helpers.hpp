// SPDX-License-Identifier: Apache-2.0
// Shared parts of the tests of meshes: measures by cubature, faces that must coincide, sentences that must be thrown.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "element/element.hpp"
#include "mesh/geometry.hpp"
#include "mesh/sources.hpp"

namespace swell::test {

inline const Shape all_shapes[] = {Shape::line, Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron};
// Those whose faces are more than points.
inline const Shape wide_shapes[] = {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron};

inline double determinant(int dim, const double* j) {
  if (dim == 1) return j[0];
  if (dim == 2) return j[0] * j[3] - j[1] * j[2];
  return j[0] * (j[4] * j[8] - j[5] * j[7]) - j[1] * (j[3] * j[8] - j[5] * j[6]) + j[2] * (j[3] * j[7] - j[4] * j[6]);
}

// Length, area or volume by cubature.
inline double measure(const Mesh& mesh) {
  const Cubature rule = cubature(mesh.shape(), 3 * mesh.dim * mesh.cells().geometry_order);
  const CellMap map(mesh, rule.points);
  std::vector<double> j(rule.points.rows() * mesh.dim * mesh.dim);
  double sum = 0;
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    map.jacobians(c, j.data());
    for (int p = 0; p < rule.points.rows(); ++p)
      sum += rule.weights(p) * determinant(mesh.dim, &j[p * mesh.dim * mesh.dim]);
  }
  return sum;
}

// The largest distance between nodes that neighbours share, up to a whole number of periods along each axis.
inline double largest_face_gap(const Mesh& mesh, const std::vector<double>& periods = {}, int order = 3) {
  const ReferenceElement element(mesh.shape(), order);
  const CellMap map(mesh, element.nodes);
  const int dim = mesh.dim;
  std::vector<double> mine(element.node_count * dim), theirs(mine);
  double gap = 0;
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    map.coordinates(c, mine.data());
    for (int f = 0; f < element.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(c, f);
      if (n.cell < 0) continue;
      map.coordinates(n.cell, theirs.data());
      const auto nodes = element.neighbour_nodes(n.face, n.orientation);
      for (int i = 0; i < element.face_node_count; ++i)
        for (int d = 0; d < dim; ++d) {
          double step = mine[element.face_node(f, i) * dim + d] - theirs[nodes[i] * dim + d];
          if (!periods.empty() && periods[d] > 0) step -= periods[d] * std::round(step / periods[d]);
          gap = std::max(gap, std::abs(step));
        }
      const Neighbour& back = mesh.neighbour(n.cell, n.face);
      if (back.cell != c || back.face != f) gap = INFINITY;
    }
  }
  return gap;
}

// Faces without a neighbour, counted by name; the last entry counts those without a name.
inline std::vector<std::int64_t> boundary_counts(const Mesh& mesh) {
  std::vector<std::int64_t> counts(mesh.boundaries.size() + 1);
  for (const Neighbour& n : mesh.neighbours)
    if (n.cell < 0) ++counts[n.boundary < 0 ? mesh.boundaries.size() : static_cast<std::size_t>(n.boundary)];
  return counts;
}

// The sentence of the InputError that `action` throws, or "" where it throws none.
template <class Action>
std::string sentence(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

#define EXPECT_SENTENCE(action, part)                                               \
  EXPECT_NE(::swell::test::sentence([&] { action; }).find(part), std::string::npos) \
      << "the sentence was: " << ::swell::test::sentence([&] { action; })

}  // namespace swell::test
