// SPDX-License-Identifier: Apache-2.0
// The cost of a run, predicted without running it: the work of `swell plan`. For a solver of linear systems the first
// iterations are tried, since nothing else tells how many it needs.
#pragma once

#include <optional>
#include <string>

#include "case/case.hpp"
#include "device/device.hpp"
#include "sim/advice/resolution.hpp"
#include "time/clusters.hpp"

namespace swell {

// Heat and Poisson's equation.
struct SolverPlan {
  std::string form;                    // how the operator is applied
  std::string preconditioner;
  std::int64_t given = 0;              // values among the unknowns
  std::int64_t iterations = 0;         // of the first solve; where it has not converged, those that were tried
  bool converged = false;
  double iteration_seconds = 0;
};

struct Plan {
  std::string model, element;
  int order = 0;
  std::int64_t elements = 0, curved = 0, varying = 0, dofs = 0;
  std::int64_t device_bytes = 0;   // of the device's memory
  std::int64_t process_bytes = 0;  // the most that the process will hold, the device's included where that is the CPU
  double dt = 0, end = 0;
  bool follows_state = false;  // dt is the first step of a nonlinear model
  std::int64_t steps = 0;
  int stages = 0;
  std::optional<Clusters> clusters;  // with local time stepping; dt is then the step of the last
  std::string hint;                  // without: what it would gain, where that is much
  std::string growth;  // a sentence where the given step is too long, or the scheme lets waves grow too much in so many
  double seconds = 0;  // predicted for the time loop; with a solver that has converged
  double reinitialisation_seconds = 0;  // of them: a level set's, if every look finds the profile too thick
  std::optional<SolverPlan> solver;
  std::int64_t device_memory = 0, host_memory = 0;  // that there is; 0 where the system does not say
  std::optional<WaveResolution> waves;              // of the fastest signal
  std::int64_t cells_with_jumps = 0;                // of the material
  // Names what does not fit, and how to make it fit; else nothing.
  std::string excess() const;
};

// `trial_seconds`: how long a solver is tried at most, where it is not quicker.
Plan plan_heat(const Case& c, Device& device, double trial_seconds = 3);
Plan plan_case(const Case& c, Device& device);
std::string describe(const Plan& plan);

}  // namespace swell
