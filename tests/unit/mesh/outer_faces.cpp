// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "element/basis.hpp"
#include "mesh/geometry.hpp"
#include "mesh/outer_faces.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

TEST(OuterFaces, OfLoosePointsAreTheBoundaryOfTheMesh) {
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    const Mesh mesh = make_box({{0, 0, 0}, {1, 2, 3}, {3, 2, 4}, shape, {}});
    const int order = 3, nodes = mode_count(shape, order);
    const CellMap map(mesh, lattice(shape, order));
    std::vector<double> points(mesh.cell_count() * nodes * 3);
    std::vector<std::pair<std::int64_t, int>> boundary;
    for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
      map.coordinates(cell, points.data() + cell * nodes * 3);
      for (int face = 0; face < face_count(shape); ++face)
        if (mesh.neighbour(cell, face).cell < 0) boundary.emplace_back(cell, face);
    }
    EXPECT_EQ(outer_faces({{shape, mesh.cell_count()}}, order, points), boundary);
    // Equal places, seen with other last digits.
    for (std::size_t i = 0; i < points.size(); ++i) points[i] *= 1 + 2e-16 * std::sin(static_cast<double>(i));
    EXPECT_EQ(outer_faces({{shape, mesh.cell_count()}}, order, points), boundary);
  }
}

}  // namespace
}  // namespace swell
