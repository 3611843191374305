// SPDX-License-Identifier: Apache-2.0
#include "study/bench/heat.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace swell {
namespace {

// The condition of the 7-point stencil on N cells along each axis: the largest over the smallest of 4 sin^2(pi k / (2 N)), k =
// 1 .. N - 1.
double condition(double cells) {
  const double angle = std::acos(-1.0) / (2 * cells);
  return 1 / (std::tan(angle) * std::tan(angle));
}

TEST(HeatBench, AsksOfSinglePrecisionWhatItsRoundingAllows) {
  constexpr double half_a_digit = 5.9604644775390625e-8;  // 2^-24
  for (const std::int64_t cells : {64, 128, 256})
    EXPECT_NEAR(bench_heat_tolerance(Precision::single_, cells, 1) / (half_a_digit * condition(static_cast<double>(cells))), 1, 0.01);
  EXPECT_EQ(bench_heat_tolerance(Precision::single_, 8, 1), 1e-5);
  EXPECT_EQ(bench_heat_tolerance(Precision::double_, 256, 1), 1e-8);
}

TEST(HeatBench, CountsIterationsInBothPrecisions) {
  const auto device = open_device("cpu");
  for (const Precision precision : {Precision::single_, Precision::double_}) {
    EXPECT_GT(bench_fixed_grid(*device, precision, 24).iterations, 0);
    EXPECT_GT(bench_elements(*device, precision, {2, Shape::hexahedron, 8}).iterations, 0);
    EXPECT_GT(bench_elements(*device, precision, {2, Shape::tetrahedron, 6}).iterations, 0);
  }
}

// On 256^3 cells single precision does not come down to 1e-5; the table must come all the same.
TEST(HeatBench, TimesAnIterationWhereTheToleranceIsNotReached) {
  const auto device = open_device("cpu");
  const HeatBench result = bench_fixed_grid(*device, Precision::single_, 24, 1e-30);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_GT(result.seconds, 0);
  EXPECT_LT(result.seconds, 1);
}

}  // namespace
}  // namespace swell
