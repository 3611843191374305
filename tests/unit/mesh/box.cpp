// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <numbers>
#include <set>

#include "helpers.hpp"

namespace swell::test {
namespace {

BoxOptions box_of(Shape shape, std::int64_t n, bool periodic) {
  BoxOptions box;
  const int dim = dimension(shape);
  box.low = {-1, 0, 2};
  box.high = {1, 3, 2.5};
  box.cells = {n, n, n};
  box.low.resize(dim), box.high.resize(dim), box.cells.resize(dim);
  box.periodic.assign(dim, periodic);
  box.shape = shape;
  return box;
}

double box_measure(Shape shape) { return dimension(shape) == 1 ? 2.0 : dimension(shape) == 2 ? 6.0 : 3.0; }

TEST(Box, FillsItsVolumeWithoutGaps) {
  for (const Shape shape : all_shapes) {
    const Mesh mesh = make_box(box_of(shape, 3, false));
    EXPECT_NEAR(measure(mesh), box_measure(shape), 1e-13) << shape_name(shape);
    EXPECT_LT(largest_face_gap(mesh), 1e-14) << shape_name(shape);
    check_geometry(mesh);
  }
}

TEST(Box, IsFullAndKeepsItsSidesWhereCellsAreMovedAndBent) {
  for (const Shape shape : all_shapes)
    for (const int order : {1, 3})
      for (const bool periodic : {false, true}) {
        BoxOptions options = box_of(shape, 4, periodic);
        options.move = 0.1;
        options.bend = order > 1 ? 0.05 : 0;
        options.geometry_order = order;
        const Mesh mesh = make_box(options);
        EXPECT_NEAR(measure(mesh), box_measure(shape), 1e-12) << shape_name(shape) << order;
        std::vector<double> periods(periodic ? mesh.dim : 0);
        for (std::size_t d = 0; d < periods.size(); ++d) periods[d] = options.high[d] - options.low[d];
        EXPECT_LT(largest_face_gap(mesh, periods), 1e-13) << shape_name(shape) << order;
        EXPECT_EQ(mesh.cells().geometry_order, order);
        std::int64_t moved = 0;
        for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) moved += is_affine(mesh, cell) ? 0 : 1;
        if (order > 1 || !is_simplex(shape)) {
          EXPECT_EQ(moved, mesh.cell_count()) << shape_name(shape) << order;
        }
      }
}

TEST(Box, IsTheSameWhereItIsMovedTwice) {
  BoxOptions options = box_of(Shape::quadrilateral, 4, false);
  options.move = 0.2;
  EXPECT_EQ(make_box(options).points, make_box(options).points);
  const Mesh straight = make_box(box_of(Shape::quadrilateral, 4, false));
  EXPECT_NE(make_box(options).points, straight.points);
}

TEST(Box, NamesEverySideWithAllItsFaces) {
  for (const Shape shape : all_shapes) {
    const Mesh mesh = make_box(box_of(shape, 3, false));
    const std::int64_t per_side = shape == Shape::tetrahedron ? 18 : shape == Shape::hexahedron ? 9 : shape == Shape::line ? 1 : 3;
    const auto counts = boundary_counts(mesh);
    ASSERT_EQ(mesh.boundaries.size(), 2u * mesh.dim);
    for (int b = 0; b < 2 * mesh.dim; ++b) EXPECT_EQ(counts[b], per_side) << mesh.boundaries[b];
    EXPECT_EQ(counts.back(), 0);
    EXPECT_EQ(mesh.boundaries[1], "xmax");
    if (mesh.dim > 1) {
      EXPECT_EQ(mesh.boundaries[3], "ymax");
    }
  }
}

TEST(Box, PutsEachNameOnItsOwnSide) {
  const Mesh mesh = make_box(box_of(Shape::tetrahedron, 2, false));
  for (std::int64_t c = 0; c < mesh.cell_count(); ++c)
    for (int f = 0; f < 4; ++f) {
      const Neighbour& n = mesh.neighbour(c, f);
      if (n.cell >= 0) continue;
      const int axis = n.boundary / 2;
      const double side = n.boundary % 2 ? std::array{1.0, 3.0, 2.5}[axis] : std::array{-1.0, 0.0, 2.0}[axis];
      for (const int v : face_vertices(Shape::tetrahedron, f)) EXPECT_EQ(mesh.vertex(c, v)[axis], side);
    }
}

TEST(Box, IsPeriodicWithOneTwoOrThreeCells) {
  for (const Shape shape : all_shapes)
    for (const int n : {1, 2, 3}) {
      const Mesh mesh = make_box(box_of(shape, n, true));
      EXPECT_TRUE(mesh.boundaries.empty());
      for (const Neighbour& neighbour : mesh.neighbours) EXPECT_GE(neighbour.cell, 0) << shape_name(shape) << n;
      EXPECT_LT(largest_face_gap(mesh, {2, 3, 0.5}), 1e-14) << shape_name(shape) << n;
    }
}

TEST(Box, OfOnePeriodicHexahedronIsItsOwnNeighbour) {
  const Mesh mesh = make_box(box_of(Shape::hexahedron, 1, true));
  for (int f = 0; f < 6; ++f) {
    EXPECT_EQ(mesh.neighbour(0, f).cell, 0);
    EXPECT_EQ(mesh.neighbour(0, f).face, f ^ 1);
    EXPECT_EQ(mesh.neighbour(0, f).orientation, 0);
  }
}

TEST(Box, MayBePeriodicAlongOneAxisOnly) {
  for (const Shape shape : wide_shapes) {
    BoxOptions box = box_of(shape, 2, false);
    box.periodic[1] = true;
    const Mesh mesh = make_box(box);
    EXPECT_EQ(mesh.boundaries[0], "xmin");
    EXPECT_EQ(std::count(mesh.boundaries.begin(), mesh.boundaries.end(), "ymin"), 0);
    EXPECT_LT(largest_face_gap(mesh, {0, 3, 0}), 1e-14);
    EXPECT_EQ(boundary_counts(mesh).back(), 0);
  }
}

TEST(Box, CutsRectanglesFromLowerLeftToUpperRight) {
  const Mesh mesh = make_box(box_of(Shape::triangle, 1, false));
  ASSERT_EQ(mesh.cell_count(), 2);
  for (int c = 0; c < 2; ++c) {
    EXPECT_EQ(mesh.vertex(c, 0), (std::array<double, 3>{-1, 0, 0}));
    EXPECT_TRUE(mesh.vertex(c, 1) == (std::array<double, 3>{1, 3, 0}) ||
                mesh.vertex(c, 2) == (std::array<double, 3>{1, 3, 0}));
  }
}

TEST(Box, AnswersBadOptionsWithASentenceThatNamesTheKey) {
  const BoxOptions good = box_of(Shape::quadrilateral, 2, false);
  BoxOptions bad = good;
  bad.cells = {2, 0};
  EXPECT_SENTENCE(make_box(bad), "mesh.box.cells[1] = 0");
  bad.cells = {-3, 2};
  EXPECT_SENTENCE(make_box(bad), "mesh.box.cells[0] = -3");
  bad.cells = {2, 2, 2};
  EXPECT_SENTENCE(make_box(bad), "mesh.box.cells has 3 entries");
  bad.cells = {INT64_MAX, INT64_MAX};
  EXPECT_SENTENCE(make_box(bad), "mesh.box.cells asks for more than");
  bad.cells = {1 << 16, 1 << 16};
  EXPECT_SENTENCE(make_box(bad), "mesh.box.cells asks for more than");
  bad = good;
  bad.high = {1, -1};
  EXPECT_SENTENCE(make_box(bad), "mesh.box.high[1] = -1");
  bad.high = {1, NAN};
  EXPECT_SENTENCE(make_box(bad), "must be finite");
  bad.high = {1, INFINITY};
  EXPECT_SENTENCE(make_box(bad), "must be finite");
  bad = good;
  bad.low = {-1e308, 0}, bad.high = {1e308, 1};
  EXPECT_SENTENCE(make_box(bad), "mesh.box.high[0]");
  bad = good;
  bad.low = {0};
  EXPECT_SENTENCE(make_box(bad), "mesh.box.low has 1 entries");
  bad = good;
  bad.periodic = {true};
  EXPECT_SENTENCE(make_box(bad), "mesh.box.periodic has 1 entries");
  bad = good;
  bad.shape = Shape::line;
  EXPECT_SENTENCE(make_box(bad), "mesh.box.low has 2 entries; a box of line cells needs 1");
  bad.shape = Shape::point;
  EXPECT_SENTENCE(make_box(bad), "mesh.box.element");
}

TEST(Box, IsFullOfSimplicesThatAMesherCouldHaveMade) {
  for (const Shape shape : {Shape::triangle, Shape::tetrahedron})
    for (const bool periodic : {false, true})
      for (const double scatter : {0.15, 0.4}) {
        BoxOptions options = box_of(shape, 6, periodic);
        options.scatter = scatter;
        const Mesh mesh = make_box(options);
        const int dim = mesh.dim;
        EXPECT_NEAR(measure(mesh), dim == 2 ? 6.0 : 3.0, 1e-12) << shape_name(shape);
        std::vector<double> periods(periodic ? dim : 0);
        for (std::size_t d = 0; d < periods.size(); ++d) periods[d] = options.high[d] - options.low[d];
        EXPECT_LT(largest_face_gap(mesh, periods), 1e-13) << shape_name(shape);
        EXPECT_EQ(mesh.cell_count(), dim == 2 ? 72 : 1296);
        std::vector<std::int64_t> faces(periodic ? 0 : 2 * dim, dim == 2 ? 6 : 72);
        faces.push_back(0);  // without a name
        EXPECT_EQ(boundary_counts(mesh), faces);
        EXPECT_EQ(make_box(options).points, mesh.points);
        EXPECT_EQ(make_box(options).cells().nodes, mesh.cells().nodes);
        // Vertices of a box that is cut in one way have 6 triangles or 24 tetrahedra around them.
        std::map<std::int64_t, int> around;
        for (const auto node : mesh.cells().nodes) ++around[node];
        std::set<int> numbers;
        for (const auto& [node, cells] : around) numbers.insert(cells);
        EXPECT_GE(numbers.size(), 5u) << shape_name(shape);
      }
}

TEST(Box, HasDelaunaysTrianglesWhereVerticesAreScattered) {
  BoxOptions options = box_of(Shape::triangle, 9, false);
  options.low = {0, 0}, options.high = {9, 9};
  options.scatter = 0.4;
  const Mesh mesh = make_box(options);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int f = 0; f < 3; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell < 0) continue;
      // Both angles that see an edge are 180 degrees together at most.
      double angles = 0;
      for (const auto& [of, face] : {std::pair{cell, f}, {n.cell, static_cast<int>(n.face)}}) {
        const auto ends = face_vertices(Shape::triangle, face);
        const auto a = mesh.vertex(of, ends[0]), b = mesh.vertex(of, ends[1]), c = mesh.vertex(of, 3 - ends[0] - ends[1]);
        const double u[] = {a[0] - c[0], a[1] - c[1]}, v[] = {b[0] - c[0], b[1] - c[1]};
        angles += std::atan2(std::abs(u[0] * v[1] - u[1] * v[0]), u[0] * v[0] + u[1] * v[1]);
      }
      EXPECT_LE(angles, std::numbers::pi + 1e-9) << cell;
    }
}

TEST(Box, NamesFacesInsideItWhereAnExpressionSaysSo) {
  for (const Shape shape : all_shapes)
    for (const double bend : {0.0, 0.1}) {
      BoxOptions options = box_of(shape, 4, true);
      options.bend = bend;
      options.inner = {{"middle", Expression::parse("abs(x) < 1e-9", {"x", "y", "z"}, "test")},
                       {"half", Expression::parse("(abs(y - 1.5) < 1e-9)*(x < -0.4)", {"x", "y", "z"}, "test")}};
      if (shape == Shape::line) options.inner.pop_back();
      const Mesh mesh = make_box(options);
      ASSERT_EQ(mesh.boundaries.size(), options.inner.size());
      std::array<int, 2> faces{};
      for (const InnerFace& inner : mesh.inner_faces) ++faces[inner.boundary];
      const int of_plane = dimension(shape) == 1 ? 1 : dimension(shape) == 2 ? 4 : is_simplex(shape) ? 32 : 16;
      EXPECT_EQ(faces[0], of_plane) << shape_name(shape);
      EXPECT_EQ(faces[1], of_plane / 4) << shape_name(shape);
    }
  BoxOptions options = box_of(Shape::quadrilateral, 4, false);
  const auto refused = [&](const char* name, const char* holds, const char* sentence) {
    options.inner = {{"one", Expression::parse("abs(x) < 0.1", {"x", "y", "z"}, "test")}, {name, Expression::parse(holds, {"x", "y", "z"}, "test")}};
    EXPECT_SENTENCE(make_box(options), sentence);
  };
  refused("xmin", "1", "'xmin' is the name of a side of the box");
  refused("two", "0", "'two' holds no face inside the box");
  refused("two", "1", "'one' and 'two' hold one face");
}

}  // namespace
}  // namespace swell::test
