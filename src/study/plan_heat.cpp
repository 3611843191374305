// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/memory.hpp"
#include "sim/heat/heat.hpp"
#include "study/plan.hpp"

namespace swell {

namespace {

// Enough to time an iteration by.
constexpr std::int64_t first_iterations = 10;

struct Trial {
  SolveReport report;
  bool converged = false;
  double seconds = 0;
};

// The first step, or the steady problem, with so many iterations at most. A solver that breaks down before would do so in a
// run.
Trial try_solver(HeatSimulation& simulation, std::int64_t most) {
  try {
    simulation.step(simulation.end());
    return {simulation.last_solve(), true, simulation.solve_seconds()};
  } catch (const NotConverged& failure) {
    if (failure.report().iterations < most) throw;
    return {failure.report(), false, simulation.solve_seconds()};
  }
}

}  // namespace

Plan plan_heat(const Case& c, Device& device, double trial_seconds) {
  Case limited = c;
  limited.solver.iterations = std::min(c.solver.iterations, first_iterations);
  auto simulation = std::make_unique<HeatSimulation>(limited, device);
  Trial trial = try_solver(*simulation, limited.solver.iterations);
  const auto each = [&] { return trial.seconds / static_cast<double>(std::max<std::int64_t>(1, trial.report.iterations)); };
  if (!trial.converged && limited.solver.iterations < c.solver.iterations) {
    const double affordable = std::min(trial_seconds / each(), static_cast<double>(c.solver.iterations));
    limited.solver.iterations = std::max(first_iterations, static_cast<std::int64_t>(affordable));
    if (!simulation->adopt(limited)) {
      simulation.reset();
      simulation = std::make_unique<HeatSimulation>(limited, device);
    }
    trial = try_solver(*simulation, limited.solver.iterations);
  }
  Plan plan;
  plan.model = c.model;
  plan.element = simulation->mesh().shapes_in_words();
  plan.order = c.order;
  plan.elements = simulation->mesh().cell_count();
  plan.dofs = simulation->dofs();
  // A solver keeps room for the history of all iterations that it may take.
  plan.device_bytes = device.counters().bytes + static_cast<std::int64_t>(simulation->vectors().total_bytes()) *
                                                    (c.solver.iterations - limited.solver.iterations);
  plan.process_bytes = peak_resident_memory();
  plan.dt = simulation->dt();
  plan.end = simulation->end();
  plan.steps = simulation->predicted_steps();
  plan.stages = 1;
  plan.solver = SolverPlan{simulation->form(),      c.solver.preconditioner, simulation->given_values(),
                           trial.report.iterations, trial.converged,         each()};
  plan.seconds = trial.seconds * static_cast<double>(plan.steps);
  return plan;
}

}  // namespace swell
