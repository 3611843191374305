// SPDX-License-Identifier: Apache-2.0
// NVIDIA's GPUs through the driver API, kernels compiled by NVRTC: both are found at run time, neither to build.
#pragma once

#include "device/device.hpp"

#include <memory>
#include <vector>

namespace swell {

// "cuda:0", "cuda:1", ...; or one "cuda" that is not usable, with the sentence that says why.
std::vector<DeviceChoice> cuda_choices();

// Throws InputError where there is no such device, with the sentence that says why.
std::unique_ptr<Device> open_cuda(int number);

// A device that compiles for a chip which need not be there and runs nothing: allocates host memory, and a launch
// throws std::logic_error. `architecture` is 10 * major + minor. Throws RunError where there is no NVRTC.
std::unique_ptr<Device> open_nvrtc_only(int architecture);

}  // namespace swell
