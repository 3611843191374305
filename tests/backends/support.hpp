// SPDX-License-Identifier: Apache-2.0
// One body for all backends: the device is the tests' argument.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

#include "sim/simulation.hpp"

namespace swell {

// The cache is kept between runs of the tests, so that only what has changed is compiled again.
inline void keep_cache_beside_program() {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kernel-cache";
  setenv("SWELL_CACHE", folder.c_str(), 0);
}

// Every device that can be used here, and one thread of the CPU.
inline std::vector<std::string> usable_devices() {
  keep_cache_beside_program();
  std::vector<std::string> names;
  for (const DeviceChoice& choice : list_devices())
    if (choice.usable) names.push_back(choice.name);
  names.push_back("cpu:1");
  return names;
}

inline Device& device_named(const std::string& name) {
  keep_cache_beside_program();
  static std::map<std::string, std::unique_ptr<Device>> all;
  auto& found = all[name];
  if (!found) found = open_device(name);
  return *found;
}

inline std::string device_test_name(const testing::TestParamInfo<std::string>& given) {
  std::string name = given.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

class OnEveryDevice : public testing::TestWithParam<std::string> {
 protected:
  Device& device = device_named(GetParam());
};

// All values [cell][node][field] of a state.
inline std::vector<double> values_of(const Operator& dg, const Buffer& state) {
  const Elements& elements = dg.elements();
  std::vector<double> all(dg.dofs());
  dg.states().read_state(state, [&](std::int64_t cell, const double* values) {
    std::copy_n(values, elements.node_count(cell) * dg.fields(), all.begin() + elements.first_node(cell) * dg.fields());
  });
  return all;
}

// Excites every mode of the discretisation.
inline void write_noise(Operator& dg, Buffer& state) {
  std::mt19937_64 engine(5);
  std::vector<double> all(dg.dofs());
  for (double& x : all) x = 2 * std::generate_canonical<double, 53>(engine) - 1;
  const Elements& elements = dg.elements();
  dg.states().write_state(state, [&](std::int64_t cell, double* values) {
    std::copy_n(all.begin() + elements.first_node(cell) * dg.fields(), elements.node_count(cell) * dg.fields(), values);
  });
}

// Integral of each field over the mesh.
std::vector<double> integrals(Operator& dg, const Buffer& state);

}  // namespace swell
