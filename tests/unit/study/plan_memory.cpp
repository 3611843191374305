// SPDX-License-Identifier: Apache-2.0
// A plan says what does not fit.
#include <gtest/gtest.h>

#include "study/plan.hpp"

namespace swell {
namespace {

Plan needing(double device, double process) {
  Plan plan;
  plan.device_bytes = static_cast<std::int64_t>(device);
  plan.process_bytes = static_cast<std::int64_t>(process);
  plan.device_memory = 20'000'000'000;
  plan.host_memory = 25'000'000'000;
  return plan;
}

TEST(PlanMemory, IsTooLittleWhereTheProcessOrTheDeviceNeedsMore) {
  EXPECT_EQ(needing(10e9, 20e9).excess(), "");
  EXPECT_NE(needing(10e9, 40.26e9).excess().find("40.3 GB of the 25.0 GB that this machine has"), std::string::npos);
  EXPECT_NE(needing(21e9, 22e9).excess().find("21.0 GB of the 20.0 GB that the device has"), std::string::npos);
  EXPECT_NE(describe(needing(10e9, 40e9)).find("does not fit"), std::string::npos);
}

TEST(PlanTime, IsInHoursAndDaysWhereItIsLong) {
  Plan plan = needing(1e6, 1e6);
  plan.seconds = 12;
  EXPECT_NE(describe(plan).find("about 12 s"), std::string::npos);
  plan.seconds = 7200;
  EXPECT_NE(describe(plan).find("about 2 hours"), std::string::npos);
  plan.seconds = 1.31e6;
  EXPECT_NE(describe(plan).find("about 15.2 days"), std::string::npos);
}

}  // namespace
}  // namespace swell
