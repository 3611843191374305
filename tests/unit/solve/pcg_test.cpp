// SPDX-License-Identifier: Apache-2.0
#include "solve/pcg.hpp"

#include <gtest/gtest.h>

namespace swell {
namespace {

// y = D x with a given diagonal.
class Diagonal : public LinearOperator {
 public:
  Diagonal(Vectors& vectors, const std::vector<double>& entries)
      : vectors_(vectors), size_(static_cast<std::int64_t>(entries.size())), d_(vectors.upload(entries, "diagonal")) {}
  std::int64_t size() const override { return size_; }
  std::int64_t length() const override { return size_; }
  void apply(const Buffer& x, Buffer& y) override { vectors_.multiply(*d_, x, y, size_); }

 private:
  Vectors& vectors_;
  std::int64_t size_;
  std::unique_ptr<Buffer> d_;
};

struct Solved {
  explicit Solved(const std::vector<double>& entries)
      : device(open_device("cpu")), vectors(*device, Precision::double_), a(vectors, entries), solver(vectors, a) {
    const std::vector<double> one(entries.size(), 1.0);
    ones = vectors.upload(one, "ones");
    x = vectors.make(a.length(), "x");
    solver.precondition(*ones);  // none
  }
  std::unique_ptr<Device> device;
  Vectors vectors;
  Diagonal a;
  Pcg solver;
  std::unique_ptr<Buffer> ones, x;
};

std::vector<double> eigenvalues(int different, int count) {
  std::vector<double> all(count);
  for (int i = 0; i < count; ++i) all[i] = 1 + i % different;
  return all;
}

// In exact arithmetic the iteration ends after as many steps as there are different eigenvalues (Saad 2003, section 6.11).
TEST(ConjugateGradients, TakeAnIterationForEachEigenvalue) {
  for (const int different : {1, 3, 7}) {
    Solved problem(eigenvalues(different, 1000));
    const SolveReport report = problem.solver.solve(*problem.ones, *problem.x, {1e-12, 100});
    EXPECT_EQ(report.iterations, different);
    EXPECT_EQ(report.history.size(), static_cast<std::size_t>(different + 1));
    const auto x = problem.vectors.download(*problem.x, 1000);
    for (int i = 0; i < 1000; ++i) ASSERT_NEAR(x[i], 1.0 / (1 + i % different), 1e-12);
  }
}

TEST(ConjugateGradients, ChangeNothingPastConvergence) {
  Solved problem(eigenvalues(7, 1000));
  problem.solver.solve(*problem.ones, *problem.x, {1e-12, 100});
  const auto first = problem.vectors.download(*problem.x, 1000);
  // The second solve is converged at once, and the seven iterations that the first leads it to queue must keep x.
  EXPECT_EQ(problem.solver.solve(*problem.ones, *problem.x, {1e-10, 100}).iterations, 0);
  EXPECT_EQ(problem.vectors.download(*problem.x, 1000), first);
}

TEST(ConjugateGradients, SayHowFarTheyCameWhereTheLimitEndsThem) {
  Solved problem(eigenvalues(50, 1000));
  try {
    problem.solver.solve(*problem.ones, *problem.x, {1e-12, 5});
    FAIL() << "five iterations cannot solve for fifty eigenvalues";
  } catch (const NotConverged& failure) {
    EXPECT_NE(std::string(failure.what()).find("did not converge after 5 iterations"), std::string::npos);
    EXPECT_EQ(failure.report().history.size(), 6u);
    EXPECT_GT(failure.report().residual, 1e-12);
  }
}

TEST(ConjugateGradients, NameAnOperatorThatIsNotPositive) {
  std::vector<double> entries = eigenvalues(3, 100);
  for (double& entry : entries) entry = -entry;
  Solved problem(entries);
  try {
    problem.solver.solve(*problem.ones, *problem.x, {1e-12, 50});
    FAIL() << "the operator is negative";
  } catch (const NotConverged& failure) {
    EXPECT_NE(std::string(failure.what()).find("not positive definite"), std::string::npos);
  }
}

}  // namespace
}  // namespace swell
