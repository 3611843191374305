// SPDX-License-Identifier: Apache-2.0
// Shared parts of the tests of several ranks: they run under mpirun, on as many of its ranks as a test needs.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "comm/ranks.hpp"

namespace swell {

// All ranks that mpirun started.
Ranks& everybody();
bool has_opencl();  // a device of it, on this rank

// "cpu:1"; a GPU's tests name cuda or opencl by SWELL_TEST_DEVICE.
std::string usual_device();

// Calls `work` on the first `count` ranks, as ranks of their own; the others wait.
void on_ranks(int count, const std::function<void(Ranks&)>& work);

// A case as a test's argument.
struct NamedCase {
  std::string name, toml;
};
void PrintTo(const NamedCase& named, std::ostream* out);
std::string name_of(const testing::TestParamInfo<NamedCase>& test);

// Each family of the explicit models on a square of so many cells.
std::vector<NamedCase> families(const std::string& cells, int steps);

// The results of a run on this rank's cells: compared in bits, not within a tolerance.
struct Outcome {
  std::vector<std::int64_t> cells;          // numbers in the whole mesh
  std::vector<std::vector<double>> values;  // of each
  double dt = 0, energy = 0;
  std::vector<double> errors;
  std::int64_t elements = 0, compiles = 0;
};
Outcome outcome(const std::string& toml, const std::string& device, Ranks& ranks);

}  // namespace swell
