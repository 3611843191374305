// SPDX-License-Identifier: Apache-2.0
// The watch over the state costs less than a hundredth of a run, counted in work and not in seconds.
#include "support.hpp"

namespace swell {
namespace {

// Operations that a device does while it moves a byte: 33 TFLOP/s over 4.2 TB/s of an H200, in double precision
// (docs/results.md); a processor's core does about as many.
constexpr double operations_of_a_byte = 8;

double cost(Device& device) {
  double all = 0;
  for (const KernelProfile& kernel : device.queue().profile())
    all += std::max(kernel.bytes, kernel.flops / operations_of_a_byte);
  device.queue().set_profiling(false);
  return all;
}

class WatchCost : public testing::TestWithParam<std::pair<const char*, const char*>> {};

// Equal steps with and without the watch: the difference of their times counts, wherever the work is done.
TEST_P(WatchCost, IsUnderOnePercentOfTheWork) {
  Device& device = device_named("cpu:1");
  constexpr int steps = 40;
  const std::string toml = std::string(R"toml(
[mesh]
box = { low = [0, 0, 0], high = [1, 1, 1], cells = [6, 6, 6], element = "tetrahedron" }
[initial]
p = "cos(pi*x)"
[time]
steps = 40
)toml") + GetParam().second;
  Simulation run(parse_case(toml, "test.toml"), device);
  const auto unwatched = make_integrator(run.given().scheme, run.dg());
  device.queue().set_profiling(true);
  for (int i = 0; i < steps; ++i) unwatched->step(i * run.dt(), run.dt());
  const double alone = cost(device);
  device.queue().set_profiling(true);
  run.advance(run.end());
  const double watch = cost(device) - alone;
  EXPECT_GT(watch, 0) << "nobody looked";
  EXPECT_LT(watch, 0.01 * alone) << 100 * watch / alone << " %";
}

INSTANTIATE_TEST_SUITE_P(
    Families, WatchCost,
    testing::Values(std::pair("nodal", "[model]\nname = \"acoustics\"\norder = 3\n"),
                    std::pair("modal", "[model]\nname = \"acoustics\"\norder = 3\nfamily = \"modal\"\n"),
                    std::pair("nodal_ader", "scheme = \"ader\"\n[model]\nname = \"acoustics\"\norder = 3\n"),
                    std::pair("modal_ader", "scheme = \"ader\"\n[model]\nname = \"acoustics\"\norder = 3\nfamily = \"modal\"\n"),
                    std::pair("modal_ader_low", "scheme = \"ader\"\n[model]\nname = \"acoustics\"\norder = 1\nfamily = \"modal\"\n")),
    [](const auto& test) { return test.param.first; });

}  // namespace
}  // namespace swell
