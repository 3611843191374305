// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "assembled.hpp"
#include "cg/grid/grid.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

Device& cpu() {
  static const auto device = open_device("cpu");
  return *device;
}

struct Asked {
  const char* capacity;
  const char* conductivity;
  std::array<bool, 3> periodic;
};

// One material, and those of "Forward Heat Equation Model with Heterogeneous Computing" (2016): an abrupt change away from the
// middles of tetrahedra, a smoothed one, its polynomial, an elliptic pit.
const Asked materials[] = {
    {"2", "3", {false, false, false}},
    {"2", "3", {true, false, true}},
    {"2", "3", {true, true, true}},
    {"if(z < 0.52, 3.6, 1.2)", "if(z < 0.52, 45, 2)", {false, false, false}},
    {"2 + tanh(5*(x - 0.5))", "3 + tanh(5*(z - 0.6))", {false, true, false}},
    {"3", "12 + x^2 - 0.2*y^2 + 10*z", {true, false, false}},
    {"if((x - 0.5)^2/0.09 + (y - 0.3)^2/0.04 + (z - 1.3)^2/0.16 < 1, 1.1, 4)",
     "if((x - 0.5)^2/0.09 + (y - 0.3)^2/0.04 + (z - 1.3)^2/0.16 < 1, 0.3, 45)",
     {true, true, true}},
};

Expression formula(const char* text) { return Expression::parse(text, {"x", "y", "z"}, "the test"); }

// Sizes whose rows end inside a vector, at its end, and are shorter than one.
const std::array<std::int64_t, 3> sizes[] = {{12, 5, 4}, {17, 3, 3}, {3, 4, 5}};

struct Grid {
  GridProblem problem;
  Mesh mesh;
  Numbering numbering;
  SparseMatrix matrix;                 // over the unknowns of the elements
  std::vector<std::int64_t> vertex;    // of an unknown: i + nx (j + ny k)

  Grid(const std::array<std::int64_t, 3>& cells, const Asked& asked, double a, double b) {
    problem.cells = cells;
    problem.high = {1.0, 0.7, 1.3};
    problem.periodic = asked.periodic;
    problem.mass = a != 0;
    problem.material = {formula(asked.capacity), formula(asked.conductivity)};
    mesh = make_box({{0, 0, 0},
                     {1.0, 0.7, 1.3},
                     {cells[0], cells[1], cells[2]},
                     Shape::tetrahedron,
                     std::vector<bool>(asked.periodic.begin(), asked.periodic.end())});
    DiffusionProblem heat;
    heat.mesh = &mesh;
    heat.material = {problem.material};
    const ReferenceElement element(Shape::tetrahedron, 1);
    numbering = number_nodes(mesh, Elements(mesh, 1), std::vector<char>(mesh.boundaries.size() + 1, 0));
    matrix = assembled(heat, numbering, a, b);
    vertex.resize(numbering.count);
    const CellMap map(mesh, element.nodes);
    std::vector<double> x(12);
    for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
      map.coordinates(cell, x.data());
      for (int n = 0; n < 4; ++n) {
        std::int64_t at[3];
        for (int d = 0; d < 3; ++d)
          at[d] = std::llround(x[3 * n + d] / problem.high[d] * static_cast<double>(cells[d])) % problem.count(d);
        vertex[numbering.of_node[cell * 4 + n]] = at[0] + problem.count(0) * (at[1] + problem.count(1) * at[2]);
      }
    }
  }
  std::int64_t place(const GridOperator& of, std::int64_t unknown) const {
    const auto& n = of.counts();
    const std::int64_t v = vertex[unknown];
    return of.place(v % n[0], v / n[0] % n[1], v / (n[0] * n[1]));
  }
  bool given(const GridOperator& of, std::int64_t unknown) const {
    const auto& n = of.counts();
    const std::int64_t v = vertex[unknown];
    return of.given(v % n[0], v / n[0] % n[1], v / (n[0] * n[1]));
  }
};

class FixedGrid : public testing::TestWithParam<Asked> {
 protected:
  // Bits of sides that the grid has.
  unsigned sides(unsigned asked) const {
    for (int axis = 0; axis < 3; ++axis)
      if (GetParam().periodic[axis]) asked &= ~(3u << (2 * axis));
    return asked;
  }
};

TEST_P(FixedGrid, IsTheAssembledMatrix) {
  for (const auto& cells : sizes)
    for (const auto& [a, fixed, precision] :
         {std::tuple{0.0, 63u, Precision::double_}, {0.7, 9u, Precision::double_}, {0.7, 0u, Precision::single_}}) {
      Grid grid(cells, GetParam(), a, 0.3);
      grid.problem.fixed = sides(fixed);
      Vectors vectors(cpu(), precision);
      GridOperator of(grid.problem, a, 0.3, vectors);
      std::mt19937_64 engine(4);
      Vector x(grid.numbering.count);
      std::vector<double> on_grid(of.length(), 0.0);
      for (std::int64_t i = 0; i < x.size(); ++i)
        on_grid[grid.place(of, i)] = x[i] = 2 * std::generate_canonical<double, 53>(engine) - 1;
      const Vector expected = grid.matrix * x;
      const Vector bound =
          (precision == Precision::double_ ? 1e-13 : 1e-6) * (grid.matrix.cwiseAbs() * x.cwiseAbs());
      const auto o_x = vectors.upload(on_grid, "x"), o_y = vectors.make(of.length(), "y");
      of.apply(*o_x, *o_y);
      const auto y = vectors.download(*o_y, of.length()), d = vectors.download(of.inverse_diagonal(), of.length());
      double outside = 0;
      for (const double value : y) outside += std::abs(value);
      for (std::int64_t i = 0; i < x.size(); ++i) {
        const auto at = grid.place(of, i);
        outside -= std::abs(y[at]);
        const bool given = grid.given(of, i);
        ASSERT_NEAR(y[at], given ? 0.0 : expected[i], bound[i]) << i;
        ASSERT_NEAR(d[at], given ? 0.0 : 1 / grid.matrix.coeff(i, i), 1e-5 / grid.matrix.coeff(i, i));
      }
      EXPECT_NEAR(outside, 0, 1e-9);
    }
}

// The two passes do what the general iteration does.
TEST_P(FixedGrid, SolvesInTwoPassesWhatTheGeneralIterationSolves) {
  for (const auto& cells : sizes)
    for (const double a : {0.0, 0.7})
      for (const unsigned fixed : {63u, 9u}) {
        Grid grid(cells, GetParam(), a, 0.3);
        grid.problem.fixed = sides(fixed);
        if (a == 0 && grid.problem.fixed == 0) continue;  // known up to a constant only
        Vectors vectors(cpu(), Precision::double_);
        GridOperator of(grid.problem, a, 0.3, vectors);
        std::vector<double> right(of.length(), 0.0);
        std::mt19937_64 engine(4);
        for (std::int64_t i = 0; i < grid.numbering.count; ++i)
          if (!grid.given(of, i)) right[grid.place(of, i)] = std::generate_canonical<double, 53>(engine);
        const auto b = vectors.upload(right, "b"), x = vectors.make(of.length(), "x"), y = vectors.make(of.length(), "y");
        Pcg general(vectors, of), fused(vectors, of);
        general.precondition(of.inverse_diagonal());
        fused.precondition(of.inverse_diagonal());
        fused.fuse(&of);
        const auto one = general.solve(*b, *x, {1e-12, 1000}), other = fused.solve(*b, *y, {1e-12, 1000});
        EXPECT_NEAR(static_cast<double>(one.iterations), static_cast<double>(other.iterations), 1);
        const auto u = vectors.download(*x, of.length()), v = vectors.download(*y, of.length());
        double largest = 0;
        for (const double value : u) largest = std::max(largest, std::abs(value));
        for (std::size_t i = 0; i < u.size(); ++i) ASSERT_NEAR(u[i], v[i], 1e-9 * largest);
      }
}

INSTANTIATE_TEST_SUITE_P(Materials, FixedGrid, testing::ValuesIn(materials));

// A second material whose expression differs in constants only: nothing is compiled and nothing is allocated.
TEST(FixedGridMaterial, ChangesWithoutACompilerAndWithoutNewMemory) {
  Vectors vectors(cpu(), Precision::double_);
  GridProblem problem;
  problem.cells = {5, 4, 3};
  problem.material = {formula("2"), formula("if(z < 0.5, 1, 2)")};
  GridOperator of(problem, 1, 1, vectors);
  problem.material = {formula("7"), formula("if(z < 0.25, 3, 4)")};
  GridOperator other(problem, 1, 1, vectors);
  const auto before = cpu().counters();
  of.set_material(problem.material);
  EXPECT_EQ(cpu().counters().compiles, before.compiles);
  EXPECT_EQ(cpu().counters().allocations, before.allocations);
  const auto one = vectors.make(of.length(), "one"), two = vectors.make(of.length(), "two");
  of.diagonal(1, 1, *one);
  other.diagonal(1, 1, *two);
  EXPECT_EQ(vectors.download(*one, of.length()), vectors.download(*two, of.length()));
}

TEST(FixedGridMaterial, FindsWhatIsNotAboveZero) {
  Vectors vectors(cpu(), Precision::double_);
  GridProblem problem;
  problem.cells = {4, 4, 4};
  // 4 x 4 bricks of 6 tetrahedra lie below z = 0.25.
  problem.material = {formula("1"), formula("if(z < 0.25, -1, 1)")};
  EXPECT_EQ(GridOperator(problem, 1, 1, vectors).count_bad_material(), 96);
  problem.material = {formula("log(x - 2)"), formula("1")};  // not a number anywhere
  EXPECT_EQ(GridOperator(problem, 1, 1, vectors).count_bad_material(), 384);
  problem.material = {formula("1"), formula("1 + z")};
  EXPECT_EQ(GridOperator(problem, 1, 1, vectors).count_bad_material(), 0);
}

}  // namespace
}  // namespace swell
