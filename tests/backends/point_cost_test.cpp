// SPDX-License-Identifier: Apache-2.0
// A point source makes a step of ADER dearer by less than a fifth, counted in work and not in seconds.
#include "support.hpp"

namespace swell {
namespace {

// Operations that a device does while it moves a byte, as in watch_cost_test.cpp.
constexpr double operations_of_a_byte = 8;

double cost_of_steps(Device& device, const std::string& family, const std::string& source) {
  constexpr int steps = 4;
  Simulation run(parse_case(std::string(R"toml(
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [32, 32], element = "quadrilateral" }
[initial]
p = "cos(pi*x)"
[time]
scheme = "ader"
steps = 4
[model]
name = "acoustics"
order = 4
)toml") + family + source,
                            "test.toml"),
                 device);
  device.queue().set_profiling(true);
  for (int i = 0; i < steps; ++i) run.integrator().step(i * run.dt(), run.dt());
  double all = 0;
  for (const KernelProfile& kernel : device.queue().profile())
    all += std::max(kernel.bytes, kernel.flops / operations_of_a_byte);
  device.queue().set_profiling(false);
  return all;
}

TEST(PointCost, IsUnderAFifthOfAStep) {
  Device& device = device_named("cpu:1");
  for (const std::string family : {"", "family = \"modal\"\n"}) {
    const double without = cost_of_steps(device, family, ""),
                 with = cost_of_steps(device, family,
                                      "[[source.point]]\nat = [0.41, 0.52]\nfield = \"p\"\nsignal = \"sin(9*t)\"\n");
    EXPECT_GT(with, without) << family;
    EXPECT_LT(with, 1.2 * without) << family;
  }
}

}  // namespace
}  // namespace swell
