// SPDX-License-Identifier: Apache-2.0
// The watch over the state costs less than a hundredth of a run, counted in work and not in seconds.
#include "support.hpp"

namespace swell {
namespace {

// Operations that a device does while it moves a byte: 33 TFLOP/s over 4.2 TB/s of an H200, in double precision
// (docs/results.md); a processor's core does about as many.
constexpr double operations_of_a_byte = 8;

double cost(const KernelProfile& kernel) { return std::max(kernel.bytes, kernel.flops / operations_of_a_byte); }

class WatchCost : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(WatchCost, IsUnderOnePercentOfTheWork) {
  Device& device = device_named("cpu:1");
  const std::string toml = std::string(R"toml(
[mesh]
box = { low = [0, 0, 0], high = [1, 1, 1], cells = [6, 6, 6], element = "tetrahedron" }
[initial]
p = "cos(pi*x)"
[time]
steps = 40
)toml") + GetParam().second;
  Simulation run(parse_case(toml, "test.toml"), device);
  device.queue().set_profiling(true);
  run.advance(run.end());
  double all = 0, watch = 0;
  for (const KernelProfile& kernel : device.queue().profile()) {
    all += cost(kernel);
    if (kernel.name == "watch" || kernel.name == "lowest_found" || kernel.name == "judge") watch += cost(kernel);
  }
  device.queue().set_profiling(false);
  EXPECT_GT(watch, 0) << "nobody looked";
  EXPECT_LT(watch, 0.01 * all) << 100 * watch / all << " %";
}

INSTANTIATE_TEST_SUITE_P(
    Families, WatchCost,
    testing::Values(std::pair("nodal", "[model]\nname = \"acoustics\"\norder = 3\n"),
                    std::pair("modal", "[model]\nname = \"acoustics\"\norder = 3\nfamily = \"modal\"\n"),
                    std::pair("nodal_ader", "scheme = \"ader\"\n[model]\nname = \"acoustics\"\norder = 3\n")),
    [](const auto& test) { return test.param.first; });

}  // namespace
}  // namespace swell
