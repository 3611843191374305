// SPDX-License-Identifier: Apache-2.0
// Eigen's conjugate gradients, as others would use them: an assembled matrix by rows, its product on several threads where the
// compiler has OpenMP.
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/Sparse>
#include <algorithm>
#include <limits>

#include "base/timer.hpp"
#include "cg/grid/grid.hpp"
#include "study/bench/heat.hpp"

namespace swell {

namespace {

using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

constexpr int rounds = 4, timed_iterations = 20;

// The unknowns are the inner vertices; neighbours in the order of grid_coefficients with a mass of 0.
RowMatrix stencil_matrix(std::int64_t cells, int pattern) {
  GridProblem problem;
  problem.cells = {cells, cells, cells};
  problem.mass = false;
  const int half = (pattern - 1) / 2, inner = 13;
  // Entries that are 0 belong to the pattern of 15 all the same: the elements couple these vertices.
  const std::vector<double> seven = grid_coefficients(problem, 0, 1);
  const int steps[7][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  const std::int64_t n = cells - 1;
  RowMatrix matrix(n * n * n, n * n * n);
  matrix.reserve(Eigen::VectorXi::Constant(n * n * n, pattern));
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t row = i + n * (j + n * k);
        const auto add = [&](int s, int sign) {
          const std::int64_t at[3] = {i + sign * steps[s][0], j + sign * steps[s][1], k + sign * steps[s][2]};
          for (const std::int64_t a : at)
            if (a < 0 || a >= n) return;
          const double value = s < 3 ? seven[inner * 7 + 1 + (sign < 0 ? 3 : 0) + s] : 0.0;
          matrix.insert(row, at[0] + n * (at[1] + n * at[2])) = value;
        };
        for (int s = half - 1; s >= 0; --s) add(s, -1);
        matrix.insert(row, row) = seven[inner * 7];
        for (int s = 0; s < half; ++s) add(s, 1);
      }
  matrix.makeCompressed();
  return matrix;
}

}  // namespace

HeatBench bench_eigen(std::int64_t cells, int pattern, int threads) {
  Eigen::setNbThreads(threads);
  const RowMatrix matrix = stencil_matrix(cells, pattern);
  const double volume = 1.0 / static_cast<double>(cells * cells * cells);
  const Eigen::VectorXd b = Eigen::VectorXd::Constant(matrix.rows(), volume);
  Eigen::ConjugateGradient<RowMatrix, Eigen::Lower | Eigen::Upper, Eigen::DiagonalPreconditioner<double>> solver(matrix);
  HeatBench result{pattern == 15 ? "Eigen, assembled" : "Eigen, zeros dropped", cells, (cells + 1) * (cells + 1) * (cells + 1)};
  // The time of an iteration is measured as in study/bench/heat.cpp.
  double best[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (int round = 0; round < rounds; ++round)
    for (const bool more : {false, true}) {
      solver.setTolerance(1e-300);
      solver.setMaxIterations(more ? timed_iterations : 1);
      const Stopwatch clock;
      const Eigen::VectorXd x = solver.solve(b);
      best[more] = std::min(best[more], clock.seconds());
    }
  result.seconds = (best[1] - best[0]) / (timed_iterations - 1);
  const auto entries = static_cast<double>(matrix.nonZeros()), rows = static_cast<double>(matrix.rows());
  result.bytes = entries * 12 + rows * (4 + 8 * 13.0);
  return result;
}

}  // namespace swell
