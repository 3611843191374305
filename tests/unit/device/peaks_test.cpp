// SPDX-License-Identifier: Apache-2.0
#include "device/peaks.hpp"

#include "folder.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace swell {
namespace {

TEST(Peaks, AreWhatAProcessorCanHave) {
  TemporaryCache cache;
  const auto device = open_device("cpu");
  const Peaks peaks = measure_peaks(*device);
  std::printf("bandwidth %.1f GB/s, multiply-add %.1f GFLOP/s in double, %.1f in single\n", peaks.bandwidth * 1e-9,
              peaks.fma_double * 1e-9, peaks.fma_single * 1e-9);
  EXPECT_GT(peaks.bandwidth, 1e8);
  EXPECT_LT(peaks.bandwidth, 1e13);
  // Below 10 GHz with two multiply-adds of whole vectors a cycle.
  const double ceiling = 1e10 * 4 * device->info().threads;
  EXPECT_LT(peaks.fma_double, ceiling * device->lanes(Precision::double_));
  EXPECT_LT(peaks.fma_single, ceiling * device->lanes(Precision::single_));
  EXPECT_GT(peaks.fma_double, 1e8);
  // Twice the lanes in single; half of that is left to whatever else the machine does meanwhile.
  EXPECT_GT(peaks.fma_single, peaks.fma_double / 2);
  EXPECT_EQ(device->counters().bytes, 0);
}

}  // namespace
}  // namespace swell
