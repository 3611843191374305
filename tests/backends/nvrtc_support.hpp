// SPDX-License-Identifier: Apache-2.0
// NVRTC without a GPU, as the tests of CUDA kernel sources use it. At the end of the program a line says how many sources were
// compiled, or why none.
#pragma once

#include <memory>

#include "device/device.hpp"

namespace swell {

// For sm_90. Throws RunError where there is no NVRTC.
std::unique_ptr<Device> open_noted_nvrtc();

}  // namespace swell
