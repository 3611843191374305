// SPDX-License-Identifier: Apache-2.0
// What a run would cost, found without running it: the work of `swell plan`.
#pragma once

#include <string>

#include "device/device.hpp"
#include "sim/case.hpp"

namespace swell {

struct Plan {
  std::string model, element;
  int order = 0;
  std::int64_t elements = 0, curved = 0, varying = 0, dofs = 0;
  std::int64_t device_bytes = 0;   // of the device's memory
  std::int64_t process_bytes = 0;  // the most that the process will hold, the device's included where that is the CPU
  double dt = 0, end = 0;
  std::int64_t steps = 0;
  int stages = 0;
  double seconds = 0;  // predicted for the time loop
};

Plan plan_case(const Case& c, Device& device);
std::string describe(const Plan& plan);

}  // namespace swell
