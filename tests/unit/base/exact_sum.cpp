// SPDX-License-Identifier: Apache-2.0
#include "base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace swell {
namespace {

double sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double value : values) sum.add(value);
  return sum.value();
}

TEST(ExactSum, KeepsWhatOrdinarySumsLose) {
  EXPECT_EQ(sum_of({1e300, 1, -1e300}), 1);
  EXPECT_EQ(sum_of({1, 0x1p-80, -1}), 0x1p-80);
  EXPECT_EQ(sum_of({-3, 1e-200, 3, -1e-200}), 0);
  EXPECT_EQ(sum_of({}), 0);
}

TEST(ExactSum, HoldsTheSmallestAndTheLargestNumbers) {
  const double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of({least, least, least}), 3 * least);
  EXPECT_EQ(sum_of({-least}), -least);
  EXPECT_EQ(sum_of({most, most, -most, -most, -most}), -most);
}

TEST(ExactSum, IsTheSameInEveryOrderAndForEveryWayToShareItOut) {
  std::mt19937 random(7);
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back(std::ldexp(static_cast<double>(random()) - 2e9, static_cast<int>(random() % 200) - 100));
  const double all = sum_of(values);
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(values.begin(), values.end(), random);
    EXPECT_EQ(sum_of(values), all);
    ExactSum parts[3];
    for (const double value : values) parts[random() % 3].add(value);
    const auto first = parts[0].digits();
    for (int p = 1; p < 3; ++p)
      for (std::size_t i = 0; i < first.size(); ++i) first[i] += parts[p].digits()[i];
    EXPECT_EQ(parts[0].value(), all);
  }
}

TEST(ExactSum, IsWithinTwoRoundingsOfALongSum) {
  long double reference = 0;
  ExactSum sum;
  for (int i = 1; i <= 100000; ++i) {
    sum.add(1.0 / i);
    reference += static_cast<long double>(1.0 / i);
  }
  EXPECT_NEAR(sum.value(), static_cast<double>(reference), 2 * std::numeric_limits<double>::epsilon() * 12);
}

TEST(ExactSum, SaysWhatIsNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum_of({1, infinity}), infinity);
  EXPECT_EQ(sum_of({-infinity, 1e300}), -infinity);
  EXPECT_TRUE(std::isnan(sum_of({infinity, -infinity})));
  EXPECT_TRUE(std::isnan(sum_of({std::nan(""), 1})));
}

}  // namespace
}  // namespace swell
