// SPDX-License-Identifier: Apache-2.0
// One body for all backends: the device is the tests' argument. Compiled kernels are kept between runs of the tests, so that
// only what has changed is compiled again.
#pragma once

#include "device/device.hpp"
#include "environment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace swell {

inline std::string kept_cache() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kernel-cache").string();
}

// The cache beside the program, for as long as this lives; PoCL's own cache lies in it too.
class KeptCache {
 public:
  KeptCache() {
    std::filesystem::create_directories(kept_cache() + "/pocl");
    setenv("POCL_CACHE_DIR", (kept_cache() + "/pocl").c_str(), 0);
  }

 private:
  Environment cache_{"SWELL_CACHE", kept_cache()};
};

inline std::vector<std::string> usable_devices() {
  KeptCache cache;
  std::vector<std::string> names{"cpu:1", "cpu:3"};
  for (const DeviceChoice& choice : list_devices())
    if (choice.usable) names.push_back(choice.name);
  return names;
}

// Those whose threads work in groups.
inline std::vector<std::string> usable_gpus() {
  std::vector<std::string> names = usable_devices();
  std::erase_if(names, [](const std::string& name) { return name.starts_with("cpu"); });
  return names;
}

inline std::string device_test_name(const testing::TestParamInfo<std::string>& given) {
  std::string name = given.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

class OnEveryDevice : public testing::TestWithParam<std::string> {
 protected:
  KeptCache cache;
  std::unique_ptr<Device> device = open_device(GetParam());

  template <class T>
  static std::vector<T> content(const Buffer& buffer) {
    std::vector<T> all(buffer.bytes() / sizeof(T));
    buffer.read(all.data(), buffer.bytes());
    return all;
  }
  template <class T>
  std::unique_ptr<Buffer> filled(const std::vector<T>& values) {
    auto buffer = device->allocate(values.size() * sizeof(T), "values");
    buffer->write(values.data(), buffer->bytes());
    return buffer;
  }
};

}  // namespace swell
