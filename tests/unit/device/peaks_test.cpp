// SPDX-License-Identifier: Apache-2.0
#include "device/peaks.hpp"

#include "devices.hpp"

#include <cstdio>

namespace swell {
namespace {

using DevicePeaks = OnEveryDevice;

TEST_P(DevicePeaks, AreWhatAProcessorCanHave) {
  const Peaks peaks = measure_peaks(*device);
  std::printf("%s: bandwidth %.1f GB/s, multiply-add %.1f GFLOP/s in double, %.1f in single\n", GetParam().c_str(),
              peaks.bandwidth * 1e-9, peaks.fma_double * 1e-9, peaks.fma_single * 1e-9);
  const DeviceInfo& info = device->info();
  EXPECT_GT(peaks.bandwidth, 1e8);
  EXPECT_LT(peaks.bandwidth, 1e13);
  // Below 10 GHz with two multiply-adds of whole vectors a cycle; a GPU's processor has at most 128 lanes.
  const double ceiling = 1e10 * 4 * info.threads;
  const auto lanes = [&](Precision p) { return info.simt ? 128 : device->lanes(p); };
  EXPECT_LT(peaks.fma_double, ceiling * lanes(Precision::double_));
  EXPECT_LT(peaks.fma_single, ceiling * lanes(Precision::single_));
  EXPECT_GT(peaks.fma_double, info.doubles ? 1e8 : -1);
  // Twice the lanes in single; half of that is left to whatever else the machine does meanwhile.
  EXPECT_GT(peaks.fma_single, peaks.fma_double / 2);
  EXPECT_EQ(device->counters().bytes, 0);
}

INSTANTIATE_TEST_SUITE_P(, DevicePeaks, testing::ValuesIn([] {
                           std::vector<std::string> names = usable_gpus();
                           names.push_back("cpu");
                           return names;
                         }()),
                         device_test_name);

}  // namespace
}  // namespace swell
