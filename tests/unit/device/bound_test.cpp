// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "device/peaks.hpp"

namespace swell {
namespace {

const Peaks peaks{100, 40, 80, 60, 0};

TEST(BenchBound, IsTheLongerOfMovingAndComputing) {
  EXPECT_DOUBLE_EQ(bound_of({200, 10}, peaks, Precision::double_).seconds, 2);
  EXPECT_STREQ(bound_of({200, 10}, peaks, Precision::double_).by, "bandwidth");
  EXPECT_DOUBLE_EQ(bound_of({100, 160}, peaks, Precision::single_).seconds, 2);
  EXPECT_STREQ(bound_of({100, 160}, peaks, Precision::single_).by, "fma");
}

TEST(BenchBound, TakesTensorCoresWhereTheyAreFaster) {
  EXPECT_DOUBLE_EQ(bound_of({100, 180}, peaks, Precision::double_).seconds, 3);
  EXPECT_STREQ(bound_of({100, 180}, peaks, Precision::double_).by, "tensor");
}

}  // namespace
}  // namespace swell
