// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "assembled.hpp"
#include "cg/grid.hpp"
#include "mesh/sources.hpp"

namespace swell {
namespace {

Device& cpu() {
  static const auto device = open_device("cpu");
  return *device;
}

// Sizes whose rows end inside a vector, at its end, and are shorter than one.
const std::array<std::int64_t, 3> sizes[] = {{12, 5, 4}, {17, 3, 2}, {3, 4, 5}};

struct Grid {
  GridProblem problem;
  Mesh mesh;
  Numbering numbering;
  SparseMatrix matrix;                 // over the unknowns of the elements
  std::vector<std::int64_t> vertex;    // of an unknown: i + nx (j + ny k)

  Grid(const std::array<std::int64_t, 3>& cells, double a, double b) {
    problem.cells = cells;
    problem.high = {1.0, 0.7, 1.3};
    problem.capacity = 2;
    problem.conductivity = 3;
    mesh = make_box({{0, 0, 0}, {1.0, 0.7, 1.3}, {cells[0], cells[1], cells[2]}, Shape::tetrahedron, {}});
    HeatProblem heat;
    heat.mesh = &mesh;
    heat.material = {{Expression(2.0), Expression(3.0)}};
    const ReferenceElement element(Shape::tetrahedron, 1);
    numbering = number_nodes(mesh, element, std::vector<char>(mesh.boundaries.size() + 1, 0));
    matrix = assembled(heat, numbering, a, b, element_rule(element), true);
    vertex.resize(numbering.count);
    const CellMap map(mesh, element.nodes);
    std::vector<double> x(12);
    for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
      map.coordinates(cell, x.data());
      for (int n = 0; n < 4; ++n) {
        std::int64_t at[3];
        for (int d = 0; d < 3; ++d) at[d] = std::llround(x[3 * n + d] / problem.high[d] * static_cast<double>(cells[d]));
        vertex[numbering.of_node[cell * 4 + n]] = at[0] + (cells[0] + 1) * (at[1] + (cells[1] + 1) * at[2]);
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

TEST(FixedGrid, IsTheAssembledMatrix) {
  for (const auto& cells : sizes)
    for (const double a : {0.0, 0.7})
      for (const unsigned fixed : {0u, 63u, 9u})
        for (const Precision precision : {Precision::double_, Precision::single_}) {
          Grid grid(cells, a, 0.3);
          grid.problem.fixed = fixed;
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
TEST(FixedGrid, SolvesInTwoPassesWhatTheGeneralIterationSolves) {
  for (const auto& cells : sizes)
    for (const double a : {0.0, 0.7})
      for (const unsigned fixed : {63u, 9u}) {
        Grid grid(cells, a, 0.3);
        grid.problem.fixed = fixed;
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
        fused.fuse(of);
        const auto one = general.solve(*b, *x, {1e-12, 1000}), other = fused.solve(*b, *y, {1e-12, 1000});
        EXPECT_NEAR(static_cast<double>(one.iterations), static_cast<double>(other.iterations), 1);
        const auto u = vectors.download(*x, of.length()), v = vectors.download(*y, of.length());
        double largest = 0;
        for (const double value : u) largest = std::max(largest, std::abs(value));
        for (std::size_t i = 0; i < u.size(); ++i) ASSERT_NEAR(u[i], v[i], 1e-9 * largest);
      }
}

}  // namespace
}  // namespace swell
