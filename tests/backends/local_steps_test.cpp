// SPDX-License-Identifier: Apache-2.0
// Local time stepping: every device gives what one thread of the CPU gives, with nothing but launches inside a step; a run that goes
// on from another's memory keeps its bits; what it does not take is refused.
#include <fmt/format.h>

#include "base/error.hpp"
#include "support.hpp"
#include "time/clusters.hpp"

namespace swell {
namespace {

// On a graded box with a wall.
std::string local_case(const std::string& model, const std::string& more, const std::string& element = "triangle") {
  return fmt::format(R"toml(
[mesh]
box = {{ low = [0, 0], high = [1.3, 1], cells = [16, 10], element = "{}", grade = [30, 10] }}
[model]
name = "acoustics"
order = 2
{}
[boundary]
xmin = "rigid"
[initial]
p = "exp(-8*((x - 0.6)^2 + (y - 0.5)^2))"
[time]
local = true
steps = 4
{}
)toml",
                     element, model, more);
}

struct Variant {
  std::string name, text;
};

std::vector<Variant> variants() {
  return {{"modal with boundary data", local_case("family = \"modal\"", "[boundary.xmax]\nkind = \"dirichlet\"\np = \"sin(3*t)*y\"\n")},
          {"modal with a point source", local_case("family = \"modal\"", "[[source.point]]\nat = [1.2, 0.9]\nfield = \"p\"\nsignal = \"sin(4*t)\"\n")},
          {"nodal with boundary data", local_case("", "[boundary.xmax]\nkind = \"dirichlet\"\np = \"sin(3*t)*y\"\n", "quadrilateral")}};
}

class LocalSteps : public OnEveryDevice {
 protected:
  std::unique_ptr<Simulation> start(const std::string& text, Device& on) { return std::make_unique<Simulation>(parse_case(text, "test.toml"), on); }
};

TEST_P(LocalSteps, AgreeWithOneThread) {
  for (const auto& [name, text] : variants()) {
    const auto here = start(text, device), there = start(text, device_named("cpu:1"));
    ASSERT_TRUE(here->clusters());
    EXPECT_GE(here->clusters()->count(), 2) << name;
    for (Simulation* run : {here.get(), there.get()}) run->advance(run->end());
    const auto values = values_of(here->dg(), here->state()), expected = values_of(there->dg(), there->state());
    double most = 0, worst = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      most = std::max(most, std::abs(expected[i])), worst = std::max(worst, std::abs(values[i] - expected[i]));
    EXPECT_GT(most, 0.1) << name;
    EXPECT_LT(worst, 1e-12 * most) << name;
  }
}

TEST_P(LocalSteps, OnlyLaunchKernels) {
  for (const auto& [name, text] : variants()) {
    const auto run = start(text, device);
    run->integrator().step(0, run->dt());
    const DeviceCounters before = device.counters();
    for (int i = 1; i < 4; ++i) run->integrator().step(i * run->dt(), run->dt());
    const DeviceCounters after = device.counters();
    EXPECT_EQ(after.allocations, before.allocations) << name;
    EXPECT_EQ(after.copies, before.copies) << name;
    EXPECT_EQ(after.waits, before.waits) << name;
    EXPECT_GT(after.launches, before.launches) << name;
  }
}

TEST_P(LocalSteps, GoOnWithTheSameBits) {
  for (const auto& [name, text] : variants()) {
    const auto first = start(text, device), second = start(text, device);
    for (int i = 0; i < 2; ++i) first->step(first->end());
    first->settle();
    Memory memory = first->memory();
    memory.same_basis = memory.same_scheme = true;
    second->resume(memory);
    for (Simulation* run : {first.get(), second.get()}) {
      while (run->step(run->end())) {}
      run->settle();
    }
    EXPECT_EQ(values_of(first->dg(), first->state()), values_of(second->dg(), second->state())) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, LocalSteps, testing::ValuesIn(usable_devices()), device_test_name);

std::string refusal(const std::string& text) {
  try {
    Simulation run(parse_case(text, "test.toml"), device_named("cpu:1"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LocalStepsOf, OtherKindsAreRefusedByName) {
  for (const auto& more : {"[source]\np = \"sin(t)\"\n", "[boundary.xmax]\nkind = \"impedance\"\nZ = \"1 + t\"\n"})
    EXPECT_NE(refusal(local_case("", more)).find("time.local takes"), std::string::npos) << more;
  const std::string euler = R"toml(
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [2, 2] }
[model]
name = "euler"
order = 1
[initial]
rho = 1
E = 1
[time]
end = 0.1
local = true
)toml";
  EXPECT_NE(refusal(euler).find("is for waves and transport with linear models"), std::string::npos) << refusal(euler);
  EXPECT_NE(refusal(local_case("", "scheme = \"lsrk54\"\n")).find("local"), std::string::npos);
}

}  // namespace
}  // namespace swell
