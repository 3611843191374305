// SPDX-License-Identifier: Apache-2.0
// Multigrid keeps the number of iterations bounded, to a residual of 1e-10.
#include <gtest/gtest.h>

#include <optional>

#include "cg/heat.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

Device& cpu() {
  static const auto device = open_device("cpu");
  return *device;
}

// -div(k grad u) = 1 + x y with u = 0 on all sides, or with no flux through them. `box`: where the mesh may be known as one.
std::int64_t iterations(const Mesh& mesh, const std::optional<BoxOptions>& box, int order, const char* conductivity,
                        DiffusionBoundary::Kind kind = DiffusionBoundary::Kind::value) {
  DiffusionProblem problem;
  problem.mesh = &mesh;
  problem.order = order;
  problem.material = {{Expression(1.0), Expression::parse(conductivity, space_time_variables, "the test")}};
  problem.boundary.resize(mesh.boundaries.size() + 1);
  for (DiffusionBoundary& boundary : problem.boundary) boundary.kind = kind;
  problem.source = Expression::parse("1 + x*y", space_time_variables, "the test");
  Vectors vectors(cpu(), Precision::double_);
  ContinuousOperator of(problem, vectors, true);
  HeatLevels levels(of, box, true);
  SteadySolver solver(of, {1e-10, 200});
  solver.precondition(levels);
  return solver.solve().iterations;
}

BoxOptions unit_box(Shape shape, std::int64_t cells) {
  const std::size_t dim = dimension(shape);
  return {std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0), std::vector<std::int64_t>(dim, cells), shape, {}};
}

std::int64_t iterations(Shape shape, int order, std::int64_t cells, const char* conductivity = "1",
                        DiffusionBoundary::Kind kind = DiffusionBoundary::Kind::value) {
  const BoxOptions box = unit_box(shape, cells);
  return iterations(make_box(box), box, order, conductivity, kind);
}

// Iterations on the box as if it came from a file.
std::int64_t iterations_unstructured(Shape shape, int order, std::int64_t cells,
                                     DiffusionBoundary::Kind kind = DiffusionBoundary::Kind::value) {
  return iterations(make_box(unit_box(shape, cells)), std::nullopt, order, "1", kind);
}

TEST(Multigrid, NeedsAtMostFifteenIterationsForLinearElementsWhateverTheCells) {
  for (const std::int64_t cells : {8, 16, 32, 64}) {
    EXPECT_LE(iterations(Shape::triangle, 1, cells), 15) << cells;
    EXPECT_LE(iterations(Shape::quadrilateral, 1, cells), 15) << cells;
  }
  for (const std::int64_t cells : {4, 8, 16}) {
    EXPECT_LE(iterations(Shape::tetrahedron, 1, cells), 15) << cells;
    EXPECT_LE(iterations(Shape::hexahedron, 1, cells), 15) << cells;
  }
}

TEST(Multigrid, NeedsAtMostTwentyFiveIterationsUpToOrderEight) {
  for (const int order : {2, 3, 4, 6, 8}) {
    EXPECT_LE(iterations(Shape::triangle, order, 8), 25) << order;
    EXPECT_LE(iterations(Shape::quadrilateral, order, 8), 25) << order;
    EXPECT_LE(iterations(Shape::tetrahedron, order, 2), 25) << order;
    EXPECT_LE(iterations(Shape::hexahedron, order, 2), 25) << order;
  }
}

TEST(Multigrid, NeedsAsFewWhereNothingIsGiven) {
  for (const std::int64_t cells : {8, 64}) {
    EXPECT_LE(iterations(Shape::triangle, 1, cells, "1", DiffusionBoundary::Kind::flux), 15) << cells;
    EXPECT_LE(iterations(Shape::quadrilateral, 1, cells, "1", DiffusionBoundary::Kind::flux), 15) << cells;
  }
  for (const std::int64_t cells : {4, 16}) {
    EXPECT_LE(iterations(Shape::tetrahedron, 1, cells, "1", DiffusionBoundary::Kind::flux), 15) << cells;
    EXPECT_LE(iterations(Shape::hexahedron, 1, cells, "1", DiffusionBoundary::Kind::flux), 15) << cells;
  }
  EXPECT_LE(iterations(Shape::triangle, 8, 8, "1", DiffusionBoundary::Kind::flux), 25);
  EXPECT_LE(iterations(Shape::hexahedron, 8, 2, "1", DiffusionBoundary::Kind::flux), 25);
}

// 128 x 128 cells have more than 16 times what a dense inverse takes: two coarser levels at least are aggregates.
TEST(Multigrid, NeedsAtMostTwentyFiveIterationsWithoutACoarserMesh) {
  for (const std::int64_t cells : {48, 128}) {
    EXPECT_LE(iterations_unstructured(Shape::triangle, 1, cells), 25) << cells;
    EXPECT_LE(iterations_unstructured(Shape::quadrilateral, 1, cells), 25) << cells;
    EXPECT_LE(iterations_unstructured(Shape::triangle, 1, cells, DiffusionBoundary::Kind::flux), 25) << cells;
  }
  for (const std::int64_t cells : {12, 24}) {
    EXPECT_LE(iterations_unstructured(Shape::tetrahedron, 1, cells), 25) << cells;
    EXPECT_LE(iterations_unstructured(Shape::hexahedron, 1, cells), 25) << cells;
  }
  EXPECT_LE(iterations_unstructured(Shape::triangle, 4, 40), 25);
  EXPECT_LE(iterations_unstructured(Shape::hexahedron, 3, 12), 25);
  const Mesh disc = make_disc({{0, 0}, 1, 32, 2, Shape::quadrilateral});
  for (const int order : {1, 2, 4, 8}) EXPECT_LE(iterations(disc, std::nullopt, order, "1 + x^2"), 25) << order;
}

TEST(Multigrid, TakesConductivityThatVaries) {
  EXPECT_LE(iterations(Shape::quadrilateral, 2, 16, "1 + 0.9*sin(7*x)*cos(5*y)"), 25);
}

}  // namespace
}  // namespace swell
