// SPDX-License-Identifier: Apache-2.0
// The interior penalty operator is symmetric and positive definite with its penalty and not with a much smaller one, and has
// what its elements can hold.
#include "dg/diffusion/operator.hpp"

#include <cmath>

#include "element/dense.hpp"
#include "mesh/geometry.hpp"
#include "mesh/sources.hpp"
#include "support.hpp"

namespace swell {
namespace {

constexpr auto all_shapes = {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron};

// A box that is sheared and, where asked, bent, so that no two axes are at right angles.
Mesh bent_box(Shape shape, std::int64_t cells, double bend = 0, bool periodic = false) {
  const std::size_t dim = dimension(shape);
  std::vector<std::int64_t> counts(dim, cells);
  if (dim == 3) counts[2] = 1;
  std::vector<bool> wrapped(dim, false);
  wrapped[0] = periodic;
  Mesh mesh = make_box({std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0), counts, shape, wrapped});
  for (std::size_t i = 0; i < mesh.points.size(); i += dim) {
    double* x = mesh.points.data() + i;
    const double y = x[1];
    x[1] += 0.3 * x[0] + bend * x[0] * y;
    x[0] += periodic ? 0 : 0.2 * y;
  }
  return mesh;
}

DiffusionProblem problem_on(const Mesh& mesh, int order, const char* conductivity = "1", const char* value = "0") {
  DiffusionProblem problem;
  problem.mesh = &mesh;
  problem.order = order;
  problem.material.assign(mesh.regions.size(), {Expression(1.0), Expression::parse(conductivity, {"x", "y", "z"}, "the test")});
  problem.boundary.resize(mesh.boundaries.size() + 1);
  for (auto& boundary : problem.boundary) {
    boundary.kind = DiffusionBoundary::Kind::value;
    boundary.value = Expression::parse(value, {"x", "y", "z", "t"}, "the test");
  }
  return problem;
}

Matrix dense(DiffusionOperator& of) {
  const auto n = of.size();
  Vectors& vectors = of.vectors();
  const auto x = vectors.make(n, "x"), y = vectors.make(n, "y");
  Matrix out(n, n);
  std::vector<double> unit(n, 0.0);
  for (std::int64_t i = 0; i < n; ++i) {
    unit[i] = 1;
    vectors.write(unit, *x);
    unit[i] = 0;
    of.apply(*x, *y);
    const auto column = vectors.download(*y, n);
    for (std::int64_t j = 0; j < n; ++j) out(j, i) = column[j];
  }
  return out;
}

Matrix dense(const DiffusionProblem& problem) {
  Vectors vectors(test_device(), problem.precision);
  DiffusionOperator of(problem, vectors);
  return dense(of);
}

double smallest_eigenvalue(const Matrix& a) {
  return symmetric_eigenvalues((a + a.transpose()) / 2)(0);
}

double largest_error(const DiffusionProblem& problem, const char* exact) {
  Vectors vectors(test_device(), problem.precision);
  DiffusionOperator of(problem, vectors);
  DiffusionSolver solver(of, {1e-14, 20000});
  solver.solve();
  const auto values = vectors.download(solver.values(), of.size());
  const Expression u = Expression::parse(exact, {"x", "y", "z"}, "the test");
  const CellMap map(of.mesh(), of.element().nodes);
  const int nodes = of.element().node_count, dim = of.mesh().dim;
  std::vector<double> x(nodes * dim);
  double largest = 0;
  for (std::int64_t cell = 0; cell < of.mesh().cell_count(); ++cell) {
    map.coordinates(cell, x.data());
    for (int n = 0; n < nodes; ++n) {
      double at[3] = {0, 0, 0};
      std::copy_n(x.data() + n * dim, dim, at);
      largest = std::max(largest, std::abs(values[cell * nodes + n] - u(at)));
    }
  }
  return largest;
}

TEST(Diffusion, IsSymmetricAndPositiveDefiniteOnlyWithEnoughPenalty) {
  for (const Shape shape : all_shapes)
    for (const int order : {1, 2, 3}) {
      const Mesh mesh = bent_box(shape, 2);
      DiffusionProblem problem = problem_on(mesh, order);
      const Matrix a = dense(problem);
      EXPECT_LE((a - a.transpose()).cwiseAbs().maxCoeff(), 1e-13 * a.cwiseAbs().maxCoeff()) << shape_name(shape) << order;
      EXPECT_GT(smallest_eigenvalue(a), 0) << shape_name(shape) << order;
      problem.penalty = 0.05;
      EXPECT_LT(smallest_eigenvalue(dense(problem)), 0) << shape_name(shape) << order;
    }
}

TEST(Diffusion, StaysSymmetricAndPositiveDefiniteOnBentCellsWithMaterialThatJumps) {
  for (const Shape shape : {Shape::quadrilateral, Shape::hexahedron}) {
    const Mesh mesh = bent_box(shape, 2, 0.3);
    const Matrix a = dense(problem_on(mesh, 2, "if(x + y < 0.7, 1000, 1) * (1 + x)"));
    EXPECT_LE((a - a.transpose()).cwiseAbs().maxCoeff(), 1e-13 * a.cwiseAbs().maxCoeff());
    EXPECT_GT(smallest_eigenvalue(a), 0);
  }
  const Mesh disc = make_disc({{0, 0}, 1, 2, 3, Shape::triangle});
  const Matrix a = dense(problem_on(disc, 3, "1 + 100*x^2"));
  EXPECT_LE((a - a.transpose()).cwiseAbs().maxCoeff(), 1e-13 * a.cwiseAbs().maxCoeff());
  EXPECT_GT(smallest_eigenvalue(a), 0);
}

// Wherever the jump passes, also close to a face or a corner, and with the much smaller penalty of straight cells.
TEST(Diffusion, StaysPositiveDefiniteWithMaterialThatJumpsInsideStraightCells) {
  for (const Shape shape : all_shapes)
    for (const int order : {1, 2, 3})
      for (const char* place : {"0.1", "0.45", "0.499", "0.73", "1.02"}) {
        const Mesh mesh = bent_box(shape, 2);
        const Matrix a = dense(problem_on(mesh, order, fmt::format("if(x + 0.3*y < {}, 1000, 1)", place).c_str()));
        EXPECT_LE((a - a.transpose()).cwiseAbs().maxCoeff(), 1e-13 * a.cwiseAbs().maxCoeff()) << shape_name(shape) << order;
        EXPECT_GT(smallest_eigenvalue(a), 0) << shape_name(shape) << order << " " << place;
      }
}

TEST(Diffusion, MapsConstantsToZeroWhereNothingIsGiven) {
  for (const Shape shape : all_shapes) {
    const Mesh mesh = bent_box(shape, 3, 0, true);
    DiffusionProblem problem = problem_on(mesh, 2, "1 + x*x");
    for (auto& boundary : problem.boundary) boundary.kind = DiffusionBoundary::Kind::flux;
    Vectors vectors(test_device(), Precision::double_);
    DiffusionOperator of(problem, vectors);
    EXPECT_TRUE(of.floating());
    const auto x = vectors.upload(std::vector<double>(of.size(), 1.0), "x"), y = vectors.make(of.size(), "y");
    of.apply(*x, *y);
    for (const double value : vectors.download(*y, of.size())) ASSERT_NEAR(value, 0, 1e-11) << shape_name(shape);
  }
}

TEST(Diffusion, KnowsItsDiagonal) {
  for (const Shape shape : all_shapes)
    for (const char* conductivity : {"2", "2 + x*y"}) {
      const Mesh mesh = bent_box(shape, 2);
      Vectors vectors(test_device(), Precision::double_);
      DiffusionOperator of(problem_on(mesh, 3, conductivity), vectors);
      const Matrix a = dense(of);
      const auto y = vectors.make(of.size(), "diagonal");
      of.inverse_diagonal(*y);
      const auto inverse = vectors.download(*y, of.size());
      for (std::int64_t i = 0; i < of.size(); ++i)
        ASSERT_NEAR(inverse[i] * a(i, i), 1, 1e-11) << shape_name(shape) << conductivity;
    }
}

// Points on the jump belong to the cell that is asked, whichever value the expression has there.
TEST(Diffusion, HasTheMaterialOfEachSideWhereItJumpsBetweenCells) {
  for (const Shape shape : all_shapes)
    for (const int order : {1, 2, 3}) {
      const std::size_t dim = dimension(shape);
      const Mesh mesh = make_box({std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0),
                                  std::vector<std::int64_t>(dim, 2), shape, {}});
      const Matrix below = dense(problem_on(mesh, order, "if(x < 0.5, 1, 30)")), above = dense(problem_on(mesh, order, "if(x > 0.5, 30, 1)"));
      EXPECT_EQ((below - above).cwiseAbs().maxCoeff(), 0) << shape_name(shape) << order;
    }
}

std::vector<DiffusionMaterial> conductivities(const Mesh& mesh, const char* text) { return problem_on(mesh, 1, text).material; }

TEST(Diffusion, TakesOtherMaterialsAndLoadsInPlace) {
  for (const Shape shape : all_shapes)
    for (const double bend : {0.0, 0.2}) {
      const Mesh mesh = bent_box(shape, 2, bend);
      Vectors vectors(test_device(), Precision::double_);
      DiffusionProblem problem = problem_on(mesh, 2, "3");
      problem.boundary[0] = {DiffusionBoundary::Kind::robin, Expression(1.5), Expression(4.0)};
      DiffusionOperator of(problem, vectors);
      for (const auto& [material, transfer] : {std::pair{"2", "4"}, {"1 + x", "4"}, {"1 + x", "5"}, {"2", "1 + x"}, {"2", "4"}}) {
        problem.material = conductivities(mesh, material);
        problem.boundary[0].transfer = Expression::parse(transfer, {"x", "y", "z"}, "the test");
        of.set_loads(problem.boundary, problem.source);
        of.set_material(problem.material);
        EXPECT_EQ(dense(of), dense(problem)) << shape_name(shape) << " " << material << " " << transfer;
      }
    }
}

TEST(Diffusion, KnowsTheProgramsOfAMaterialBeforeItComes) {
  const Mesh mesh = bent_box(Shape::tetrahedron, 2);
  Vectors vectors(test_device(), Precision::double_);
  DiffusionOperator of(problem_on(mesh, 2, "3"), vectors);
  const auto numbers = of.texts_for(conductivities(mesh, "2")), expressions = of.texts_for(conductivities(mesh, "1 + x"));
  ASSERT_EQ(numbers.size(), 2u);
  ASSERT_EQ(expressions.size(), 4u);  // it may have one value in each cell
  EXPECT_EQ(expressions[0].text, numbers[0].text);
  EXPECT_NE(expressions[2].text, numbers[0].text);
  EXPECT_EQ(of.texts_for(conductivities(mesh, "2 + y"))[2].text, expressions[2].text);
  test_device().prepare(expressions);
  of.expect(conductivities(mesh, "1 + x"));
  const auto before = test_device().counters();
  of.set_material(conductivities(mesh, "1 + x"));
  EXPECT_EQ(test_device().counters().compiles, before.compiles);
  EXPECT_EQ(test_device().counters().allocations, before.allocations);
}

// -div((1 + x) grad u) for u = x^2 y: 2 y (1 + x) + 2 x y with the sign turned. On straight cells of order 3 the integrals of
// the method are exact, on tensor elements whatever the order of the product.
TEST(Diffusion, HasPolynomialsOfItsOrderExactly) {
  for (const Shape shape : all_shapes) {
    const Mesh mesh = bent_box(shape, 2);
    DiffusionProblem problem = problem_on(mesh, 3, "1 + x", "x^2*y");
    problem.source = Expression::parse("-(2*y + 4*x*y)", {"x", "y", "z", "t"}, "the test");
    EXPECT_LE(largest_error(problem, "x^2*y"), 1e-11) << shape_name(shape);
  }
}

// u = x: flux k = 2 enters at one side by Neumann, and the other loses h (u - u_out) = -k du/dn with h = 4, u_out = 1.5.
TEST(Diffusion, TakesFluxesAndTransfer) {
  for (const Shape shape : all_shapes) {
    const std::size_t dim = dimension(shape);
    const Mesh mesh = make_box({std::vector<double>(dim, 0.0), std::vector<double>(dim, 1.0),
                                std::vector<std::int64_t>(dim, 2), shape, {}});
    DiffusionProblem problem = problem_on(mesh, 2, "2");
    for (auto& boundary : problem.boundary) boundary = {};
    for (std::size_t i = 0; i < mesh.boundaries.size(); ++i) {
      if (mesh.boundaries[i] == "xmin") problem.boundary[i].value = Expression(-2.0);
      if (mesh.boundaries[i] == "xmax")
        problem.boundary[i] = {DiffusionBoundary::Kind::robin, Expression(1.5), Expression(4.0)};
    }
    EXPECT_LE(largest_error(problem, "x"), 1e-11) << shape_name(shape);
  }
}

}  // namespace
}  // namespace swell
