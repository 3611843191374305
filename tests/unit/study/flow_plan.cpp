// SPDX-License-Identifier: Apache-2.0
// What a plan says of models whose steps follow the state.
#include <gtest/gtest.h>

#include "sim/simulation.hpp"
#include "study/plan.hpp"

namespace swell {
namespace {

constexpr const char* stream = R"toml(
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [4, 4], element = "mixed" }
[model]
name = "navier-stokes"
order = 2
[material]
mu = 0.01
[initial]
rho = "1 + 0.1*sin(2*pi*x)"
ux = 0.5
p = 1
[time]
end = 0.1
)toml";

TEST(FlowPlan, HasTheFirstStepAndTheMemoryOfTheRun) {
  const Case c = parse_case(stream, "test.toml");
  const auto planned_on = open_device("cpu:1"), run_on = open_device("cpu:1");
  const Plan plan = plan_case(c, *planned_on);
  Simulation run(c, *run_on);
  EXPECT_EQ(plan.dt, run.dt());
  EXPECT_EQ(plan.steps, run.predicted_steps());
  run.step(run.end());
  run.settle();
  EXPECT_NEAR(static_cast<double>(plan.device_bytes) / static_cast<double>(run_on->counters().bytes), 1, 0.1);
  EXPECT_GT(plan.seconds, 0);
  EXPECT_NE(describe(plan).find("at the beginning; later ones follow the state"), std::string::npos);
}

TEST(FlowPlan, KeepsAGivenStep) {
  const auto device = open_device("cpu:1");
  const Plan plan = plan_case(parse_case(stream, "test.toml", {"time.dt=1e-3"}), *device);
  EXPECT_EQ(plan.dt, 1e-3);
  EXPECT_EQ(plan.steps, 100);
  EXPECT_FALSE(plan.follows_state);
  EXPECT_EQ(plan.growth, "");
}

}  // namespace
}  // namespace swell
