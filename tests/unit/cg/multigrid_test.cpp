// SPDX-License-Identifier: Apache-2.0
// Multigrid keeps the iterations flat: the numbers of issue 5, to a residual of 1e-10.
#include <gtest/gtest.h>

#include "cg/heat.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

Device& cpu() {
  static const auto device = open_device("cpu");
  return *device;
}

// -div(k grad u) = 1 + x y on the unit box with u = 0 on all sides.
std::int64_t iterations(Shape shape, int order, std::int64_t cells, const char* conductivity = "1") {
  const std::size_t dim = dimension(shape);
  const BoxOptions box{std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0),
                       std::vector<std::int64_t>(dim, cells), shape, {}};
  const Mesh mesh = make_box(box);
  HeatProblem problem;
  problem.mesh = &mesh;
  problem.order = order;
  problem.material = {{Expression(1.0), Expression::parse(conductivity, heat_variables, "the test")}};
  problem.boundary.resize(mesh.boundaries.size() + 1);
  for (HeatBoundary& boundary : problem.boundary) boundary.kind = HeatBoundary::Kind::temperature;
  problem.source = Expression::parse("1 + x*y", heat_variables, "the test");
  Vectors vectors(cpu(), Precision::double_);
  ContinuousOperator of(problem, vectors, true);
  HeatLevels levels(of, box, true);
  SteadySolver solver(of, {1e-10, 200});
  solver.precondition(levels);
  return solver.solve().iterations;
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

TEST(Multigrid, TakesConductivityThatVaries) {
  EXPECT_LE(iterations(Shape::quadrilateral, 2, 16, "1 + 0.9*sin(7*x)*cos(5*y)"), 25);
}

}  // namespace
}  // namespace swell
