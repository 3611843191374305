// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.hpp"

namespace swell {

namespace {

// The smoother works on the upper part of the spectrum of D^-1 A, down from the largest eigenvalue, which powers find from
// below, hence the margin, to a sixth of it (Adams, Brezina, Hu and Tuminaro 2003). A polynomial of degree m damps a part
// 1 / s of the spectrum by 2 exp(-2 m / sqrt(s)): a high degree is there for elements whose next level leaves more of the
// spectrum to it, and goes down to 6 / m^2, where it still damps by 0.015.
constexpr double margin = 1.1;
double lowest_part(int degree) { return 1 / std::max(6.0, degree * degree / 6.0); }
constexpr int power_steps = 20;
constexpr int bottom_degree = 40;  // of the smoother on a coarsest level that is large

}  // namespace

SparseRows SparseRows::transposed(std::int64_t columns) const {
  SparseRows out;
  out.start.assign(static_cast<std::size_t>(columns) + 1, 0);
  for (const auto c : column) ++out.start[c + 1];
  for (std::int64_t i = 0; i < columns; ++i) out.start[i + 1] += out.start[i];
  out.column.resize(column.size());
  out.value.resize(value.size());
  auto next = out.start;
  for (std::int64_t i = 0; i < rows(); ++i)
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int at = next[column[k]]++;
      out.column[at] = static_cast<std::int32_t>(i);
      out.value[at] = value[k];
    }
  return out;
}

Multigrid::Multigrid(Vectors& vectors, std::vector<MultigridLevel> levels, bool singular) : vectors_(vectors) {
  program_ = vectors.device().compile(
      {"multigrid",
       vectors.totals_text() + std::string(solve_texts("kernels/solve/multigrid.h")),
       {"chebyshev_step", "chebyshev_first", "subtract", "sparse_rows", "dense_rows"},
       vectors.precision(),
       false});
  for (MultigridLevel& given : levels) {
    Level& level = levels_.emplace_back();
    level.given = std::move(given);
    const auto length = level.given.a->length();
    for (auto* vector : {&level.b, &level.x, &level.q, &level.d}) *vector = vectors.make(length, "multigrid level");
    if (level.given.prolongation.rows() == 0) continue;
    const SparseRows& rows = level.given.prolongation;
    level.start = vectors.upload(rows.start, "prolongation");
    level.column = vectors.upload(rows.column, "prolongation");
    level.value = vectors.upload(rows.value, "prolongation");
  }
  for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
    SparseRows owned = levels_[i].given.prolongation;
    owned.start.resize(static_cast<std::size_t>(levels_[i].given.a->owned()) + 1);
    owned.column.resize(static_cast<std::size_t>(owned.start.back()));
    owned.value.resize(owned.column.size());
    const SparseRows rows = owned.transposed(levels_[i + 1].given.a->size());
    levels_[i].back_start = vectors.upload(rows.start, "restriction");
    levels_[i].back_column = vectors.upload(rows.column, "restriction");
    levels_[i].back_value = vectors.upload(rows.value, "restriction");
  }
  for (Level& level : levels_)
    if (!level.given.inverse) level.largest = margin * largest_eigenvalue(level);
  if (!levels_.back().given.inverse && vectors.ranks().single()) make_bottom(singular);
}

void Multigrid::launch(const char* kernel, std::int64_t items, std::initializer_list<Argument> arguments,
                       double numbers) {
  if (items == 0) return;
  vectors_.device().queue().launch(program_->kernel(kernel), items, arguments,
                                   {numbers * static_cast<double>(bytes_of(vectors_.precision())), numbers});
}

double Multigrid::largest_eigenvalue(Level& level) {
  LinearOperator& a = *level.given.a;
  const auto n = a.size();
  std::mt19937_64 engine(7);
  std::vector<double> start(static_cast<std::size_t>(a.length()), 0.0);
  for (std::int64_t i = 0; i < n; ++i) start[i] = 2 * std::generate_canonical<double, 53>(engine) - 1;
  vectors_.write(start, *level.x);
  a.agree(*level.x);
  double value = 1;
  for (int i = 0; i < power_steps; ++i) {
    a.apply(*level.x, *level.q);
    vectors_.multiply(*level.given.inverse_diagonal, *level.q, *level.q, n);
    value = std::sqrt(vectors_.dot(*level.q, *level.q, a.owned()));
    vectors_.combine(1 / value, *level.q, 0, *level.x, n);
  }
  return value;
}

void Multigrid::make_bottom(bool singular) {
  Level& level = levels_.back();
  LinearOperator& a = *level.given.a;
  const auto n = a.size();
  if (n > largest_dense) return;
  Eigen::MatrixXd matrix(n, n);
  std::vector<double> unit(static_cast<std::size_t>(a.length()), 0.0);
  for (std::int64_t i = 0; i < n; ++i) {
    unit[i] = 1;
    vectors_.write(unit, *level.x);
    unit[i] = 0;
    a.apply(*level.x, *level.q);
    const auto column = vectors_.download(*level.q, n);
    matrix.col(i) = Eigen::Map<const Eigen::VectorXd>(column.data(), n);
  }
  // On vectors without a constant part, which interpolation's transpose keeps free of it, this changes nothing.
  if (singular) matrix.array() += matrix.trace() / static_cast<double>(n * n);
  const Eigen::LLT<Eigen::MatrixXd> factor(matrix);
  if (factor.info() != Eigen::Success)
    throw RunError("The coarsest operator of the multigrid is not positive definite; use solver.preconditioner = \"jacobi\".");
  const Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(n, n));
  bottom_ = vectors_.upload(std::vector<double>(inverse.data(), inverse.data() + inverse.size()), "coarsest inverse");
}

void Multigrid::smooth(Level& level, const Buffer& b, Buffer& x, bool from_zero, int degree) {
  LinearOperator& a = *level.given.a;
  const Buffer& inverse = *level.given.inverse_diagonal;
  const auto n = a.size(), chunks = vectors_.chunks(n);
  const double high = level.largest, low = lowest_part(degree) * high, middle = (high + low) / 2, half = (high - low) / 2;
  const double sigma = middle / half;
  double rho = 1 / sigma;
  const double numbers = static_cast<double>(n);
  if (from_zero) {
    launch("chebyshev_first", chunks, {inverse, b, *level.d, x, Argument::real(1 / middle), n, chunks}, 4 * numbers);
  } else {
    a.apply(x, *level.q);
    launch("chebyshev_step", chunks,
           {inverse, b, *level.q, *level.d, x, Argument::real(0), Argument::real(1 / middle), n, chunks}, 7 * numbers);
  }
  for (int i = 1; i < degree; ++i) {
    const double next = 1 / (2 * sigma - rho);
    a.apply(x, *level.q);
    launch("chebyshev_step", chunks,
           {inverse, b, *level.q, *level.d, x, Argument::real(next * rho), Argument::real(2 * next / half), n, chunks},
           7 * numbers);
    rho = next;
  }
}

void Multigrid::cycle(std::size_t number, const Buffer& b, Buffer& x) {
  Level& level = levels_[number];
  const auto n = level.given.a->size(), chunks = vectors_.chunks(n);
  if (number + 1 == levels_.size()) {
    if (level.given.inverse)
      level.given.inverse->apply(b, x);
    else if (bottom_)
      launch("dense_rows", n, {*bottom_, b, x, n}, static_cast<double>(n) * static_cast<double>(n));
    else
      smooth(level, b, x, true, bottom_degree);
    return;
  }
  Level& coarse = levels_[number + 1];
  const auto m = coarse.given.a->size();
  const auto entries = static_cast<double>(level.given.prolongation.column.size());
  smooth(level, b, x, true, level.given.degree);
  level.given.a->apply(x, *level.q);
  launch("subtract", chunks, {b, *level.q, *level.d, n, chunks}, 3 * static_cast<double>(n));
  launch("sparse_rows", m,
         {*level.back_start, *level.back_column, *level.back_value, *level.d, *coarse.b, Argument::real(0)}, 3 * entries);
  coarse.given.a->add_copies(*coarse.b);
  cycle(number + 1, *coarse.b, *coarse.x);
  launch("sparse_rows", n, {*level.start, *level.column, *level.value, *coarse.x, x, Argument::real(1)}, 3 * entries);
  smooth(level, b, x, false, level.given.degree);
}

void Multigrid::apply(const Buffer& r, Buffer& z) {
  cycle(0, r, z);
  levels_.front().given.a->agree(z);
}

}  // namespace swell
