// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <set>

#include "helpers.hpp"
#include "mesh/report.hpp"

namespace swell::test {
namespace {

BoxOptions unit_box(Shape shape, std::int64_t n) {
  BoxOptions box;
  box.low.assign(dimension(shape), 0.0);
  box.high.assign(dimension(shape), 1.0);
  box.cells.assign(dimension(shape), n);
  box.shape = shape;
  return box;
}

// A box whose points are moved so that tensor cells are no parallelograms; the outer sides stay.
Mesh bent_box(Shape shape, std::int64_t n) {
  Mesh mesh = make_box(unit_box(shape, n));
  for (std::size_t p = 0; p < mesh.points.size(); p += mesh.dim) {
    double* x = &mesh.points[p];
    double bump = 0.08;
    for (int d = 0; d < mesh.dim; ++d) bump *= std::sin(3.14159 * x[d]);
    for (int d = 0; d < mesh.dim; ++d) x[d] += bump * (d + 1);
  }
  check_geometry(mesh);
  return mesh;
}

TEST(CellMap, ReproducesTheVerticesAndTheJacobianOfABox) {
  for (const Shape shape : all_shapes) {
    const Mesh mesh = make_box(unit_box(shape, 2));
    const CellMap map(mesh, lattice(shape, 1));
    std::vector<double> x(map.point_count() * mesh.dim), j(map.point_count() * mesh.dim * mesh.dim);
    for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
      map.coordinates(c, x.data());
      map.jacobians(c, j.data());
      for (int v = 0; v < map.point_count(); ++v)
        for (int d = 0; d < mesh.dim; ++d) {
          EXPECT_NEAR(x[v * mesh.dim + d], mesh.vertex(c, v)[d], 1e-15);
          const int end = is_simplex(shape) ? 1 : v | 1, begin = is_simplex(shape) ? 0 : v & ~1;
          EXPECT_NEAR(j[(v * mesh.dim + d) * mesh.dim], (mesh.vertex(c, end)[d] - mesh.vertex(c, begin)[d]) / 2, 1e-15);
        }
    }
  }
}

// The integral of n over the surface of each closed cell vanishes; here through the divergence theorem: the sum over
// all faces of the integral of x . n is dim times the volume.
TEST(CellMap, ObeysTheDivergenceTheorem) {
  for (const Mesh& mesh : {bent_box(Shape::quadrilateral, 3), make_disc({{0, 0}, 1, 2, 3, Shape::triangle})}) {
    const Cubature rule = cubature(Shape::line, 12);
    double sum = 0;
    for (int f = 0; f < face_count(mesh.shape()); ++f) {
      const CellMap map(mesh, face_points(mesh.shape(), f, rule.points));
      const auto ends = face_vertices(mesh.shape(), f);
      const Matrix corners = lattice(mesh.shape(), 1);
      const Vector along = (corners.row(ends[1]) - corners.row(ends[0])).transpose() / 2;
      const Vector out = corners.row(ends[0]).transpose() - corners.colwise().mean().transpose();
      const double turn = out(0) * along(1) - out(1) * along(0) > 0 ? 1 : -1;
      std::vector<double> x(2 * rule.points.rows()), j(4 * rule.points.rows());
      for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
        map.coordinates(c, x.data());
        map.jacobians(c, j.data());
        for (int p = 0; p < rule.points.rows(); ++p) {
          const double tx = j[4 * p] * along(0) + j[4 * p + 1] * along(1);
          const double ty = j[4 * p + 2] * along(0) + j[4 * p + 3] * along(1);
          sum += rule.weights(p) * turn * (x[2 * p] * ty - x[2 * p + 1] * tx);
        }
      }
    }
    EXPECT_NEAR(sum, 2 * measure(mesh), 1e-12);
  }
}

TEST(Affine, TellsParallelogramsFromOtherQuadrilaterals) {
  Mesh mesh = make_box(unit_box(Shape::quadrilateral, 1));
  EXPECT_TRUE(is_affine(mesh, 0));
  mesh.points = {0, 0, 1, 0.5, 0.25, 1, 1.25, 1.5};
  EXPECT_TRUE(is_affine(mesh, 0));
  mesh.points[6] += 1e-10;
  EXPECT_FALSE(is_affine(mesh, 0));
}

TEST(Affine, HoldsForHexahedraOfABoxAndNotForBentOnes) {
  EXPECT_TRUE(is_affine(make_box(unit_box(Shape::hexahedron, 3)), 13));
  EXPECT_FALSE(is_affine(bent_box(Shape::hexahedron, 3), 13));
}

TEST(SpaceFillingOrder, VisitsEachCellOnceAndStaysNear) {
  for (const Shape shape : {Shape::quadrilateral, Shape::hexahedron}) {
    const std::int64_t n = 8;
    const Mesh mesh = make_box(unit_box(shape, n));
    const auto order = space_filling_order(mesh);
    EXPECT_EQ(std::set<std::int64_t>(order.begin(), order.end()).size(), static_cast<std::size_t>(mesh.cell_count()));
    // On a power-of-two grid each step of a Hilbert curve goes to a face neighbour.
    for (std::size_t i = 1; i < order.size(); ++i) {
      double distance = 0;
      for (int d = 0; d < mesh.dim; ++d)
        distance += std::abs(mesh.vertex(order[i], 0)[d] - mesh.vertex(order[i - 1], 0)[d]);
      EXPECT_NEAR(distance, 1.0 / n, 1e-12);
    }
  }
}

void expect_found_everywhere(const Mesh& mesh) {
  const Locator locator(mesh);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  Matrix r(40, mesh.dim);
  for (int i = 0; i < r.rows(); ++i) {
    double left = 2;
    for (int d = 0; d < mesh.dim; ++d) {
      r(i, d) = -1 + (is_simplex(mesh.shape()) ? left : 2) * unit(random);
      left -= r(i, d) + 1;
    }
  }
  const CellMap map(mesh, r);
  std::vector<double> x(r.rows() * mesh.dim);
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
    map.coordinates(c, x.data());
    for (int i = 0; i < r.rows(); ++i) {
      const Locator::Hit hit = locator.find(&x[i * mesh.dim]);
      ASSERT_EQ(hit.cell, c) << shape_name(mesh.shape());
      for (int d = 0; d < mesh.dim; ++d) EXPECT_NEAR(hit.reference[d], r(i, d), 1e-9);
    }
  }
}

TEST(Locator, FindsPointsInsideTheirOwnCells) {
  for (const Shape shape : all_shapes) {
    expect_found_everywhere(make_box(unit_box(shape, 3)));
    expect_found_everywhere(bent_box(shape, 3));
  }
  for (int order = 1; order <= 4; ++order)
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
      expect_found_everywhere(make_disc({{1, 2}, 0.5, 3, order, shape}));
}

TEST(Locator, FindsPointsOnFacesCornersAndTheOuterBoundary) {
  for (const Shape shape : all_shapes) {
    const Mesh mesh = bent_box(shape, 3);
    const Locator locator(mesh);
    const CellMap map(mesh, lattice(shape, 4));
    std::vector<double> x(map.point_count() * mesh.dim);
    for (std::int64_t c = 0; c < mesh.cell_count(); ++c) {
      map.coordinates(c, x.data());
      for (int i = 0; i < map.point_count(); ++i) {
        const Locator::Hit hit = locator.find(&x[i * mesh.dim]);
        EXPECT_GE(hit.cell, 0);
        EXPECT_LE(hit.cell, c);  // the smallest number of those that share the point
      }
    }
  }
}

TEST(Locator, FindsPointsOnACurvedRim) {
  const Mesh mesh = make_disc({{0, 0}, 1, 2, 4, Shape::triangle});
  const Locator locator(mesh);
  for (std::size_t p = 0; p < mesh.points.size(); p += 2) EXPECT_GE(locator.find(&mesh.points[p]).cell, 0);
  const double beyond[] = {1.001, 0};
  EXPECT_EQ(locator.find(beyond).cell, -1);
}

TEST(Locator, SaysThatPointsOutsideAreOutside) {
  for (const Shape shape : all_shapes) {
    const Mesh mesh = make_box(unit_box(shape, 2));
    const Locator locator(mesh);
    for (const double x : {-1e-3, 1.001, 1e300, -1e300, double(NAN), double(INFINITY)}) {
      const double point[] = {mesh.dim == 1 ? x : 0.5, x, 0.5};
      EXPECT_EQ(locator.find(point).cell, -1) << x;
    }
  }
}

TEST(Quality, OfABoxIsExact) {
  const MeshQuality q = measure_quality(make_box(unit_box(Shape::hexahedron, 4)));
  EXPECT_NEAR(q.total_measure, 1, 1e-13);
  EXPECT_NEAR(q.smallest_measure, 1.0 / 64, 1e-15);
  EXPECT_NEAR(q.shortest_edge, 0.25, 1e-15);
  EXPECT_NEAR(q.longest_edge, 0.25, 1e-15);
  EXPECT_NEAR(q.worst_shape, 1, 1e-12);
  EXPECT_EQ(q.curved_cells, 0);
  EXPECT_EQ(q.boundary_faces, 96);
  EXPECT_EQ(q.interior_faces, 144);
  EXPECT_EQ(q.periodic_faces, 0);
}

TEST(Quality, IsOneForRegularSimplicesOnly) {
  Mesh mesh = make_box(unit_box(Shape::triangle, 1));
  mesh.points = {0, 0, 1, 0, 0.5, -std::sqrt(0.75), 0.5, std::sqrt(0.75)};
  mesh.blocks[0].nodes = {0, 1, 3, 0, 2, 1};
  EXPECT_NEAR(measure_quality(mesh).worst_shape, 1, 1e-12);
  const MeshQuality kuhn = measure_quality(make_box(unit_box(Shape::tetrahedron, 1)));
  EXPECT_GT(kuhn.worst_shape, 0.3);
  EXPECT_LT(kuhn.worst_shape, 0.9);
}

TEST(Quality, CountsPeriodicFacesAndCurvedCells) {
  BoxOptions box = unit_box(Shape::triangle, 3);
  box.periodic = {true, false};
  const MeshQuality q = measure_quality(make_box(box));
  EXPECT_EQ(q.periodic_faces, 3);
  EXPECT_EQ(q.boundary_faces, 6);
  EXPECT_EQ(measure_quality(make_disc({{0, 0}, 1, 4, 2, Shape::triangle})).curved_cells, 16);
}

TEST(Description, NamesWhatIsInTheMesh) {
  const std::string text = describe(make_box(unit_box(Shape::tetrahedron, 6)));
  for (const char* part : {"1,296 of shape tetrahedron, geometry order 1", "'xmin': 72 faces", "volume       1\n",
                           "(0, 0, 0) to (1, 1, 1)", "worst 0.", "(cell "})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
}

}  // namespace
}  // namespace swell::test
