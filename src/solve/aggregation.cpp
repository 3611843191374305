// SPDX-License-Identifier: Apache-2.0
#include "solve/aggregation.hpp"

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>

namespace swell {

namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

// Entries below this part of the diagonal's couple weakly; half of it on each coarser level (Vanek and others 1996, section 5).
constexpr double weakest_coupling = 0.08;
// A level that leaves more than this part of its unknowns is the last one.
constexpr double most_left = 0.7;
constexpr int power_steps = 15, smoother_degree = 4;

// Unknowns of one colour meet in no row, so that one application shows a column of each.
std::vector<std::int32_t> coloured(const SparsePattern& pattern) {
  const auto n = static_cast<std::int32_t>(pattern.start.size()) - 1;
  std::vector<std::int32_t> colour(n, -1), seen;
  for (std::int32_t i = 0; i < n; ++i) {
    for (int r = pattern.start[i]; r < pattern.start[i + 1]; ++r)
      for (int c = pattern.start[pattern.column[r]]; c < pattern.start[pattern.column[r] + 1]; ++c)
        if (const auto other = colour[pattern.column[c]]; other >= 0) seen[other] = i;
    std::int32_t mine = 0;
    while (mine < static_cast<std::int32_t>(seen.size()) && seen[mine] == i) ++mine;
    if (mine == static_cast<std::int32_t>(seen.size())) seen.push_back(-1);
    colour[i] = mine;
  }
  return colour;
}

Sparse entries_of(Vectors& vectors, LinearOperator& a, const SparsePattern& pattern) {
  const auto n = a.size();
  const auto colour = coloured(pattern);
  const auto colours = n == 0 ? 0 : *std::max_element(colour.begin(), colour.end()) + 1;
  Sparse matrix(n, n);
  matrix.resizeNonZeros(static_cast<Eigen::Index>(pattern.column.size()));
  std::copy(pattern.start.begin(), pattern.start.end(), matrix.outerIndexPtr());
  std::copy(pattern.column.begin(), pattern.column.end(), matrix.innerIndexPtr());
  const auto x = vectors.make(a.length(), "colour"), y = vectors.make(a.length(), "columns");
  std::vector<double> ones(static_cast<std::size_t>(a.length()));
  for (std::int32_t c = 0; c < colours; ++c) {
    std::fill(ones.begin(), ones.end(), 0.0);
    for (std::int64_t i = 0; i < n; ++i) ones[i] = colour[i] == c;
    vectors.write(ones, *x);
    a.apply(*x, *y);
    const auto values = vectors.download(*y, n);
    for (std::int64_t i = 0; i < n; ++i)
      for (int k = pattern.start[i]; k < pattern.start[i + 1]; ++k)
        if (colour[pattern.column[k]] == c) matrix.valuePtr()[k] = values[i];
  }
  return matrix;
}

// [unknown]: its aggregate. First whole neighbourhoods become aggregates, then the remaining unknowns join one beside them,
// then form their own.
std::vector<std::int32_t> aggregates(const Sparse& a, const Eigen::VectorXd& diagonal, double weakest, std::int32_t& count) {
  const auto n = static_cast<std::int32_t>(a.rows());
  std::vector<std::int32_t> of(n, -1);
  const auto strongly = [&](std::int32_t i, auto&& visit) {
    for (Sparse::InnerIterator entry(a, i); entry; ++entry)
      if (entry.col() != i && std::abs(entry.value()) > weakest * std::sqrt(diagonal(i) * diagonal(entry.col())))
        visit(static_cast<std::int32_t>(entry.col()), std::abs(entry.value()));
  };
  count = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    bool free = of[i] < 0;
    strongly(i, [&](std::int32_t j, double) { free = free && of[j] < 0; });
    if (!free) continue;
    of[i] = count;
    strongly(i, [&](std::int32_t j, double) { of[j] = count; });
    ++count;
  }
  const auto first = of;
  for (std::int32_t i = 0; i < n; ++i) {
    if (first[i] >= 0) continue;
    double strongest = 0;
    strongly(i, [&](std::int32_t j, double value) {
      if (first[j] >= 0 && value > strongest) strongest = value, of[i] = first[j];
    });
  }
  for (std::int32_t i = 0; i < n; ++i) {
    if (of[i] >= 0) continue;
    of[i] = count;
    strongly(i, [&](std::int32_t j, double) {
      if (of[j] < 0) of[j] = count;
    });
    ++count;
  }
  return of;
}

// Constants on the aggregates, smoothed by one damped step (I - 4/3 D^-1 A / largest eigenvalue).
Sparse smoothed_prolongation(const Sparse& a, double weakest) {
  const auto n = a.rows();
  const Eigen::VectorXd diagonal = a.diagonal();
  std::int32_t count = 0;
  const auto of = aggregates(a, diagonal, weakest, count);
  Sparse constants(n, count);
  std::vector<Eigen::Triplet<double, std::int32_t>> ones;
  for (std::int32_t i = 0; i < n; ++i) ones.emplace_back(i, of[i], 1.0);
  constants.setFromTriplets(ones.begin(), ones.end());
  Eigen::VectorXd x(n);
  for (Eigen::Index i = 0; i < n; ++i) x(i) = std::sin(1.0 + static_cast<double>(i));  // no symmetry of a mesh has it
  double largest = 1;
  for (int step = 0; step < power_steps; ++step) {
    x = (a * x).cwiseQuotient(diagonal).eval();
    largest = x.norm();
    x /= largest;
  }
  Sparse step = a * constants;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Sparse::InnerIterator entry(step, i); entry; ++entry) entry.valueRef() *= 4.0 / 3 / largest / diagonal(i);
  return constants - step;
}

SparseRows rows_of(const Sparse& m) {
  SparseRows rows;
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Sparse::InnerIterator entry(m, i); entry; ++entry) {
      rows.column.push_back(static_cast<std::int32_t>(entry.col()));
      rows.value.push_back(entry.value());
    }
    rows.start.push_back(static_cast<std::int32_t>(rows.column.size()));
  }
  return rows;
}

// An assembled matrix.
class SparseOperator : public LinearOperator {
 public:
  SparseOperator(Vectors& vectors, const SparseRows& rows) : vectors_(vectors), size_(rows.rows()) {
    program_ = vectors.device().compile({"sparse",
                                         vectors.totals_text() + std::string(solve_texts("kernels/solve/multigrid.h")),
                                         {"sparse_rows"},
                                         vectors.precision(),
                                         false});
    start_ = vectors.upload(rows.start, "coarse operator");
    column_ = vectors.upload(rows.column, "coarse operator");
    value_ = vectors.upload(rows.value, "coarse operator");
  }
  std::int64_t size() const override { return size_; }
  std::int64_t length() const override { return size_; }
  void apply(const Buffer& x, Buffer& y) override {
    const double bytes = static_cast<double>(column_->bytes() + value_->bytes() + x.bytes() + y.bytes());
    vectors_.device().queue().launch(program_->kernel("sparse_rows"), size_,
                                     {*start_, *column_, *value_, x, y, Argument::real(0)}, {bytes, 0});
  }

 private:
  Vectors& vectors_;
  std::int64_t size_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> start_, column_, value_;
};

}  // namespace

SparsePattern SparsePattern::of_cells(const std::vector<std::int32_t>& of_node, const std::vector<std::int64_t>& first, std::int64_t count) {
  std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(count));
  for (std::size_t cell = 0; cell + 1 < first.size(); ++cell)
    for (std::int64_t i = first[cell]; i < first[cell + 1]; ++i)
      for (std::int64_t j = first[cell]; j < first[cell + 1]; ++j)
        if (of_node[i] < count && of_node[j] < count) rows[of_node[i]].push_back(of_node[j]);
  SparsePattern out;
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    out.column.insert(out.column.end(), row.begin(), std::unique(row.begin(), row.end()));
    out.start.push_back(static_cast<std::int32_t>(out.column.size()));
  }
  return out;
}

struct AggregationLevels::Level {
  std::unique_ptr<SparseOperator> a;
  std::unique_ptr<Buffer> inverse_diagonal;
  SparseRows prolongation;  // from the next level
};

AggregationLevels::AggregationLevels(Vectors& vectors, LinearOperator& fine, const SparsePattern& pattern) {
  Sparse a = entries_of(vectors, fine, pattern);
  double weakest = weakest_coupling;
  while (a.rows() > Multigrid::largest_dense) {
    const Sparse p = smoothed_prolongation(a, weakest);
    if (static_cast<double>(p.cols()) > most_left * static_cast<double>(a.rows())) break;
    (levels_.empty() ? prolongation_ : levels_.back()->prolongation) = rows_of(p);
    a = Sparse(p.transpose()) * Sparse(a * p);
    auto level = std::make_unique<Level>();
    level->a = std::make_unique<SparseOperator>(vectors, rows_of(a));
    const Eigen::VectorXd inverse = a.diagonal().cwiseInverse();
    level->inverse_diagonal =
        vectors.upload(std::vector<double>(inverse.data(), inverse.data() + inverse.size()), "inverse diagonal");
    levels_.push_back(std::move(level));
    weakest /= 2;
  }
}

AggregationLevels::~AggregationLevels() = default;

std::vector<MultigridLevel> AggregationLevels::levels() const {
  std::vector<MultigridLevel> all;
  for (const auto& level : levels_)
    all.push_back({level->a.get(), level->inverse_diagonal.get(), level->prolongation, smoother_degree});
  return all;
}

}  // namespace swell
