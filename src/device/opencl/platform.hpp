// SPDX-License-Identifier: Apache-2.0
// The OpenCL devices of this machine, each tried in a child process before this one touches it.
#pragma once

#include "device/opencl/api.hpp"

#include <string>
#include <vector>

namespace swell::opencl {

struct FoundDevice {
  int platform = 0, number = 0;  // as in "opencl:P:D"
  Platform platform_id = nullptr;
  DeviceId id = nullptr;
  bool gpu = false;
  std::string problem;           // "" where a kernel was compiled and ran rightly, else the sentence

  std::string name() const { return "opencl:" + std::to_string(platform) + ":" + std::to_string(number); }
};

struct Survey {
  std::shared_ptr<const Api> api;    // none where there is a problem
  std::vector<FoundDevice> devices;  // not empty where there is no problem
  std::string problem;               // the sentence that says why there is none
};

// Once for each process (and each $SWELL_OPENCL), then remembered.
const Survey& survey();

std::string text_of(const Api& api, Platform platform, PlatformInfo what);
std::string text_of(const Api& api, DeviceId device, DeviceQuery what);

// 0 where the driver does not answer.
template <class T>
T value_of(const Api& api, DeviceId device, DeviceQuery what) {
  T value{};
  return api.GetDeviceInfo(device, what, sizeof value, &value, nullptr) == success ? value : T{};
}

}  // namespace swell::opencl
