// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "view/series.hpp"

namespace swell {
namespace {

TEST(Series, StaysSmallHoweverLongItBecomes) {
  Series series("probe", {"a", "b"});
  const int points = 100000;
  for (int i = 0; i < points; ++i) {
    const double values[2] = {2.0 * i, -1.0 * i};
    series.add(i, values);
    EXPECT_LT(series.size(), Series::most_points);
  }
  EXPECT_EQ(series.generation(), 4);  // every 16th of 100000 is kept: 6250
  EXPECT_EQ(series.size(), points / 16u);
  for (std::size_t k = 0; k < series.size(); ++k) {
    EXPECT_EQ(series.time(k), 16.0 * static_cast<double>(k));
    EXPECT_EQ(series.value(k, 0), 2 * series.time(k));
    EXPECT_EQ(series.value(k, 1), -series.time(k));
  }
}

}  // namespace
}  // namespace swell
