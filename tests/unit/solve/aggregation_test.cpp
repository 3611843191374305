// SPDX-License-Identifier: Apache-2.0
// Aggregates keep constants, and the entries learnt by applying an operator are its own.
#include "solve/aggregation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "solve/pcg.hpp"

namespace swell {
namespace {

Device& cpu() {
  static const auto device = open_device("cpu");
  return *device;
}

// The five-point stencil on a grid of side^2 points, shifted by `shift`: with 0 its rows add up to 0.
class Stencil : public LinearOperator {
 public:
  Stencil(Vectors& vectors, std::int64_t side, double shift) : vectors_(vectors), side_(side), shift_(shift) {
    for (std::int64_t i = 0; i < size(); ++i) {
      visit(i, [&](std::int64_t j) { pattern_.column.push_back(static_cast<std::int32_t>(j)); });
      pattern_.start.push_back(static_cast<std::int32_t>(pattern_.column.size()));
    }
  }
  const SparsePattern& pattern() const { return pattern_; }
  std::int64_t size() const override { return side_ * side_; }
  std::int64_t length() const override { return size(); }
  double diagonal(std::int64_t i) const { return shift_ + pattern_.start[i + 1] - pattern_.start[i] - 1; }
  void apply(const Buffer& x, Buffer& y) override {
    const auto in = vectors_.download(x, size());
    std::vector<double> out(in.size());
    for (std::int64_t i = 0; i < size(); ++i) {
      out[i] = (diagonal(i) + 1) * in[i];
      visit(i, [&](std::int64_t j) { out[i] -= in[j]; });
    }
    vectors_.write(out, y);
  }

 private:
  template <class Visit>
  void visit(std::int64_t i, const Visit& act) const {
    const std::int64_t row = i / side_, column = i % side_;
    if (row > 0) act(i - side_);
    if (column > 0) act(i - 1);
    act(i);
    if (column + 1 < side_) act(i + 1);
    if (row + 1 < side_) act(i + side_);
  }
  Vectors& vectors_;
  std::int64_t side_;
  double shift_;
  SparsePattern pattern_;
};

TEST(Aggregation, KeepsConstantsWhereTheOperatorMapsThemToZero) {
  Vectors vectors(cpu(), Precision::double_);
  Stencil fine(vectors, 60, 0);
  const AggregationLevels coarse(vectors, fine, fine.pattern());
  const SparseRows& p = coarse.prolongation();
  ASSERT_EQ(p.rows(), fine.size());
  for (std::int64_t i = 0; i < p.rows(); ++i) {
    double sum = 0;
    for (int k = p.start[i]; k < p.start[i + 1]; ++k) sum += p.value[k];
    ASSERT_NEAR(sum, 1, 1e-13) << i;
  }
}

// P^T A P with the true A on some vectors: were an entry learnt wrongly, the coarser operator would be another.
TEST(Aggregation, HasTheOperatorBetweenItsFunctions) {
  Vectors vectors(cpu(), Precision::double_);
  Stencil fine(vectors, 60, 0.1);
  const AggregationLevels below(vectors, fine, fine.pattern());
  const auto levels = below.levels();
  ASSERT_FALSE(levels.empty());
  LinearOperator& coarse = *levels.front().a;
  const SparseRows &p = below.prolongation(), back = p.transposed(coarse.size());
  const auto multiplied = [](const SparseRows& rows, const std::vector<double>& x) {
    std::vector<double> y(static_cast<std::size_t>(rows.rows()), 0.0);
    for (std::int64_t i = 0; i < rows.rows(); ++i)
      for (int k = rows.start[i]; k < rows.start[i + 1]; ++k) y[i] += rows.value[k] * x[rows.column[k]];
    return y;
  };
  std::vector<double> x(static_cast<std::size_t>(coarse.size()));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::cos(static_cast<double>(i * i));
  const auto above = vectors.upload(multiplied(p, x), "x"), applied = vectors.make(fine.size(), "A x");
  fine.apply(*above, *applied);
  const auto expected = multiplied(back, vectors.download(*applied, fine.size()));
  const auto given = vectors.upload(x, "x"), result = vectors.make(coarse.size(), "y");
  coarse.apply(*given, *result);
  const auto values = vectors.download(*result, coarse.size());
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], 1e-12) << i;
}

// Conjugate gradients with the diagonal as preconditioner take more than 100 iterations here.
TEST(Aggregation, MakesAMultigridThatNeedsFewIterations) {
  Vectors vectors(cpu(), Precision::double_);
  Stencil fine(vectors, 60, 1e-4);
  const AggregationLevels below(vectors, fine, fine.pattern());
  std::vector<double> inverse(static_cast<std::size_t>(fine.size())), right(inverse.size(), 0.0);
  for (std::size_t i = 0; i < inverse.size(); ++i) inverse[i] = 1 / fine.diagonal(static_cast<std::int64_t>(i));
  right[0] = 1;
  const auto diagonal = vectors.upload(inverse, "diagonal"), b = vectors.upload(right, "b");
  std::vector<MultigridLevel> levels{{&fine, diagonal.get(), below.prolongation(), 4}};
  for (auto& level : below.levels()) levels.push_back(level);
  Multigrid multigrid(vectors, levels);
  const auto iterations = [&](bool with) {
    Pcg solver(vectors, fine);
    if (with)
      solver.precondition(multigrid);
    else
      solver.precondition(*diagonal);
    const auto x = vectors.make(fine.size(), "x");
    return solver.solve(*b, *x, {1e-10, 1000}).iterations;
  };
  EXPECT_LE(iterations(true), 25);
  EXPECT_GT(iterations(false), 100);
}

}  // namespace
}  // namespace swell
