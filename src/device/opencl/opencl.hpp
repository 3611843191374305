// SPDX-License-Identifier: Apache-2.0
// Any processor through OpenCL 1.2: the loader and its drivers are found at run time.
#pragma once

#include "device/device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace swell {

// "opencl:P:D" for each device; or one "opencl" that is not usable, with the sentence that says why.
std::vector<DeviceChoice> opencl_choices();

// "opencl" (the first GPU, else the first device) or "opencl:P:D". Throws InputError where there is no such device.
std::unique_ptr<Device> open_opencl(const std::string& name);

}  // namespace swell
