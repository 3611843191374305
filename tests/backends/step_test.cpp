// SPDX-License-Identifier: Apache-2.0
// Steps give equal bits each time and agree between the precisions, with nothing but launches inside a step.
#include <cmath>

#include "support.hpp"

namespace swell {
namespace {

// Boundaries of several kinds, a source, a point source and a material that varies: everything that a step can hold.
const std::string busy_case = R"toml(
[mesh]
box = { low = [0, 0], high = [1.3, 1], cells = [5, 3], element = "triangle" }
[model]
name = "maxwell-tm"
order = 3
[material]
epsilon = "1 + if(x > 0.8, 0.5*(x - 0.8), 0)"
sigma = 0.1
[boundary]
xmin = { kind = "incident", wave = "plane", direction = [1, 0], pulse = "sin(3*s)" }
xmax = "absorbing"
ymin = { kind = "impedance", Z = "1 + 0.2*x" }
[initial]
Ez = "exp(-20*((x - 0.6)^2 + (y - 0.5)^2))"
[source]
Hx = "0.1*cos(x)*sin(t)"
[[source.point]]
at = [0.4, 0.6]
field = "Ez"
signal = "0.1*sin(5*t)"
[time]
steps = 20
)toml";

std::vector<double> final_state(const std::string& text, Device& device,
                                const std::vector<std::string>& overrides = {}) {
  Simulation run(parse_case(text, "test.toml", overrides), device);
  run.advance(run.end());
  return values_of(run.dg(), run.state());
}

class Step : public OnEveryDevice {};

TEST_P(Step, GivesTheSameBitsAgain) { EXPECT_EQ(final_state(busy_case, device), final_state(busy_case, device)); }

TEST_P(Step, AgreesInSingleAndDoublePrecision) {
  // Both take equal steps: a computed step may differ in its last digits.
  const auto exact = final_state(busy_case, device, {"time.dt=0.004"});
  const auto rounded = final_state(busy_case, device, {"time.dt=0.004", "device.precision=single"});
  double most = 0, worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    most = std::max(most, std::abs(exact[i])), worst = std::max(worst, std::abs(exact[i] - rounded[i]));
  EXPECT_GT(most, 0.1);
  EXPECT_LT(worst, 1e-5 * most);
  EXPECT_GT(worst, 0);
}

TEST_P(Step, AllocatesCopiesAndWaitsForNothing) {
  Simulation run(parse_case(busy_case, "test.toml"), device);
  for (const auto& scheme : integrator_names()) {
    if (scheme == "ader") continue;  // not where material varies inside an element: modal_test.cpp has its steps
    const auto integrator = make_integrator(scheme, run.dg());
    write_noise(run.dg(), integrator->state());
    for (int i = 0; i < 3; ++i)
      integrator->step(i * run.dt(), run.dt());  // the first steps of a multistep scheme are others
    const DeviceCounters before = device.counters();
    for (int i = 3; i < 53; ++i) integrator->step(i * run.dt(), run.dt());
    const DeviceCounters after = device.counters();
    EXPECT_EQ(after.allocations, before.allocations) << scheme;
    EXPECT_EQ(after.copies, before.copies) << scheme;
    EXPECT_EQ(after.waits, before.waits) << scheme;
    EXPECT_EQ(after.compiles, before.compiles) << scheme;
    EXPECT_GE(after.launches, before.launches + 50 * integrator->stages()) << scheme;
    EXPECT_TRUE(run.dg().observer().finite(integrator->state())) << scheme;
  }
}

TEST_P(Step, CompilesNothingAtTheSecondStart) {
  { Simulation first(parse_case(busy_case, "test.toml"), device); }
  const auto fresh = open_device(GetParam());
  Simulation second(parse_case(busy_case, "test.toml"), *fresh);
  EXPECT_EQ(fresh->counters().compiles, 0);
}

INSTANTIATE_TEST_SUITE_P(Devices, Step, testing::ValuesIn(usable_devices()), device_test_name);

TEST(Threads, DoNotChangeTheBits) {
  const auto one = final_state(busy_case, device_named("cpu:1"));
  for (const char* threads : {"cpu:2", "cpu:3"})
    EXPECT_EQ(final_state(busy_case, device_named(threads)), one) << threads;
}

}  // namespace
}  // namespace swell
