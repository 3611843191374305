// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "element/element.hpp"
#include "mesh/geometry.hpp"
#include "mesh/sources.hpp"
#include "view/scene.hpp"

namespace swell {
namespace {

struct Shown {
  Mesh mesh;
  ReferenceElement element;
  ShownCells cells() const {
    ShownCells shown{{{element.shape, mesh.cell_count()}}, element.order, {}, {}};
    shown.coordinates = [this](std::int64_t cell, double* out) {
      std::vector<double> x(element.node_count * mesh.dim);
      CellMap(mesh, element.nodes).coordinates(cell, x.data());
      for (int n = 0; n < element.node_count; ++n)
        for (int d = 0; d < 3; ++d) out[3 * n + d] = d < mesh.dim ? x[n * mesh.dim + d] : 0;
    };
    if (mesh.dim == 3)
      for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
        for (int face = 0; face < element.face_count; ++face)
          if (mesh.neighbour(cell, face).cell < 0) shown.outer_faces.emplace_back(cell, face);
    return shown;
  }
};

Shown box(Shape shape, int order) {
  const std::size_t dim = dimension(shape);
  BoxOptions options;
  options.low.assign(dim, 0.0);
  options.high = {1, 2, 3};
  options.high.resize(dim);
  options.cells.assign(dim, 2);
  options.shape = shape;
  return {make_box(options), ReferenceElement(shape, order)};
}

double area(const Scene& scene) {
  double sum = 0;
  for (std::size_t t = 0; t < scene.triangles.size(); t += 3) {
    std::array<std::array<double, 3>, 2> side;
    for (int i = 0; i < 2; ++i)
      for (int d = 0; d < 3; ++d)
        side[i][d] =
            double{scene.points[3 * scene.triangles[t + i + 1] + d]} - double{scene.points[3 * scene.triangles[t] + d]};
    const auto& [u, v] = side;
    sum += std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return sum;
}

class Shapes : public testing::TestWithParam<std::tuple<Shape, int>> {};

TEST_P(Shapes, FallIntoSmallSimplicesThatFillThem) {
  const auto [shape, order] = GetParam();
  const int dim = dimension(shape);
  const auto small = lattice_simplices(shape, order);
  const Matrix points = lattice(shape, order);
  double sum = 0;
  for (std::size_t t = 0; t < small.size(); t += dim + 1) {
    Matrix sides(dim, dim);
    for (int i = 0; i < dim; ++i) sides.row(i) = points.row(small[t + i + 1]) - points.row(small[t]);
    const double volume = std::abs(sides.determinant()) / (dim == 2 ? 2 : 6);
    EXPECT_NEAR(volume, std::pow(2.0 / order, dim) / (dim == 2 ? 2 : 6), 1e-12);  // half, or a sixth, of a small cube
    sum += volume;
  }
  EXPECT_NEAR(sum, reference_measure(shape), 1e-12);
  EXPECT_EQ(std::set<std::int32_t>(small.begin(), small.end()).size(), static_cast<std::size_t>(points.rows()));
}

TEST_P(Shapes, AreShownWholeWithEveryNode) {
  const auto [shape, order] = GetParam();
  const Shown shown = box(shape, order);
  SceneMaker maker(shown.cells());
  const Scene scene = maker.whole();
  const bool plane = dimension(shape) == 2;
  EXPECT_TRUE(maker.complete());
  EXPECT_NEAR(area(scene), plane ? 2 : 22, 1e-5);  // 1 x 2; the surface of 1 x 2 x 3
  const std::size_t faces = plane ? shown.mesh.cell_count() : maker.count() == 8 ? 24 : 48;
  const std::size_t each = order * order * (is_simplex(shape) ? 1 : 2);
  EXPECT_EQ(scene.triangles.size(), 3 * faces * each);
  EXPECT_EQ(scene.lines.size(), 2 * faces * order * (is_simplex(shape) ? 3 : 4));
}

INSTANTIATE_TEST_SUITE_P(Orders, Shapes,
                         testing::Combine(testing::Values(Shape::triangle, Shape::quadrilateral, Shape::tetrahedron,
                                                          Shape::hexahedron),
                                          testing::Values(1, 2, 5)));

// The plane x/1 + y/2 + z/3 = 3/2 through the middle of the box cuts a hexagon whose projection along z is the unit
// rectangle 1 x 2 without two corners of legs 1/2 and 1: area 2 - 2 * 1/4 = 3/2, times |n| / n_z with n = (1, 1/2, 1/3).
TEST(Slice, OfABoxHasTheAreaOfThePolygonAndTheValuesOfTheField) {
  const double expected = 1.5 * std::hypot(1, 0.5, 1.0 / 3) * 3;
  const double length = std::hypot(1, 0.5, 1.0 / 3);
  for (const Shape shape : {Shape::tetrahedron, Shape::hexahedron}) {
    const Shown shown = box(shape, 3);
    SceneMaker maker(shown.cells());
    const Scene scene = maker.slice({0.5, 1, 1.5, 1 / length, 0.5 / length, 1 / 3.0 / length});
    EXPECT_NEAR(area(scene), expected, 1e-5);
    // A linear field is its own value everywhere.
    std::vector<float> values(scene.places * scene.nodes);
    std::vector<double> x(3 * scene.nodes);
    const auto cells = shown.cells();
    for (std::int64_t cell = 0; cell < cells.count(); ++cell) {
      if (scene.place(cell) < 0) continue;
      cells.coordinates(cell, x.data());
      for (int n = 0; n < scene.nodes; ++n)
        values[scene.place(cell) * scene.nodes + n] = static_cast<float>(x[3 * n] + 2 * x[3 * n + 2]);
    }
    std::vector<float> corners(scene.corners.size());
    scene.values(values, corners.data());
    for (std::size_t i = 0; i < corners.size(); ++i)
      EXPECT_NEAR(corners[i], 0.5 + scene.points[3 * i] + 2 * (1.5 + scene.points[3 * i + 2]), 1e-5);
  }
}

TEST(Scene, OfALineIsAStripWithTheValuesOfItsNodes) {
  const Shown shown = box(Shape::line, 4);  // 2 cells along [0, 1]
  SceneMaker maker(shown.cells());
  const Scene scene = maker.whole();
  EXPECT_EQ(maker.dim(), 2);
  EXPECT_NEAR(area(scene), 0.08, 1e-6);
  EXPECT_EQ(scene.corners.size(), 2u * 2 * 5);
  EXPECT_EQ(scene.triangles.size(), 3u * 2 * 2 * 4);
  std::vector<float> values(scene.places * scene.nodes), corners(scene.corners.size());
  std::vector<double> x(3 * scene.nodes);
  for (std::int64_t cell = 0; cell < 2; ++cell) {
    shown.cells().coordinates(cell, x.data());
    for (int n = 0; n < scene.nodes; ++n) values[scene.place(cell) * scene.nodes + n] = static_cast<float>(x[3 * n]);
  }
  scene.values(values, corners.data());
  for (std::size_t i = 0; i < corners.size(); ++i) EXPECT_NEAR(corners[i], 0.5 + scene.points[3 * i], 1e-6);
}

TEST(Scene, OfTooManyTrianglesHasFewerAndSaysSo) {
  const Shown shown = box(Shape::triangle, 6);  // 8 cells of 36
  SceneMaker maker(shown.cells(), 100);
  EXPECT_FALSE(maker.complete());
  EXPECT_EQ(maker.whole().triangles.size(), 3u * 8 * 9);  // order 3: the largest divisor of 6 with at most 100
  EXPECT_NEAR(area(maker.whole()), 2, 1e-5);
}

}  // namespace
}  // namespace swell
