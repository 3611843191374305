// SPDX-License-Identifier: Apache-2.0
// Plans of heat and Poisson's equation agree with the runs that follow.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "sim/heat/heat.hpp"
#include "study/plan.hpp"
#include "study/tune.hpp"

namespace swell {
namespace {

constexpr double as_long_as_it_takes = 1e6;

const std::string rod =
    "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [8, 8, 8] }\n[model]\nname = \"heat\"\norder = 1\n"
    "[boundary]\nxmin = { kind = \"temperature\", T = 1 }\n[time]\nend = 1\ndt = 0.3\n[device]\nbackend = \"cpu\"\n";
const std::string rest =
    "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [12, 12] }\n[model]\nname = \"poisson\"\norder = 2\n"
    "[boundary]\nxmin = { kind = \"dirichlet\", u = 0 }\n[source]\nu = \"x\"\n[device]\nbackend = \"cpu\"\n";

struct Asked {
  const std::string& text;
  std::vector<std::string> overrides;
};

TEST(HeatPlan, HasTheIterationsTheStepsAndTheMemoryOfTheRun) {
  for (const Asked& asked : {Asked{rod, {}}, {rod, {"solver.form=elements"}}, {rod, {"solver.preconditioner=multigrid"}},
                             {rest, {}}, {rest, {"model.family=discontinuous"}}}) {
    const Case c = parse_case(asked.text, "test.toml", asked.overrides);
    const auto planned_on = open_device("cpu"), run_on = open_device("cpu");
    const Plan plan = plan_heat(c, *planned_on, as_long_as_it_takes);
    HeatSimulation simulation(c, *run_on);
    simulation.step(simulation.end());
    SCOPED_TRACE(simulation.form());
    ASSERT_TRUE(plan.solver && plan.solver->converged);
    EXPECT_EQ(plan.solver->form, simulation.form());
    EXPECT_EQ(plan.solver->iterations, simulation.last_solve().iterations);
    EXPECT_EQ(plan.solver->given, simulation.given_values());
    EXPECT_EQ(plan.dofs, simulation.dofs());
    EXPECT_EQ(plan.dt, simulation.dt());
    EXPECT_EQ(plan.steps, simulation.predicted_steps());
    EXPECT_NEAR(static_cast<double>(plan.device_bytes) / static_cast<double>(run_on->counters().bytes), 1, 0.1);
  }
}

TEST(HeatPlan, SaysWhereItDoesNotKnowTheIterations) {
  const auto device = open_device("cpu");
  const std::string said = describe(plan_heat(parse_case(rest, "test.toml"), *device, 0));
  EXPECT_NE(said.find("iterations more than 10; how many is known only when the solver has converged"), std::string::npos);
  EXPECT_NE(said.find("s for every 100 iterations"), std::string::npos);
}

TEST(HeatTuning, SaysWhatCanBeChosen) {
  const auto device = open_device("cpu");
  try {
    tune_case(parse_case(rest, "test.toml"), *device, Peaks{}, {});
    FAIL() << "There is nothing to tune.";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("solver.form and solver.preconditioner"), std::string::npos);
  }
}

}  // namespace
}  // namespace swell
