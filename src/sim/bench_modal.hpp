// SPDX-License-Identifier: Apache-2.0
// What a Runge-Kutta step of a level set takes, beside the times that seed 001 (Jibben 2013, table 2) gives for it.
#pragma once

#include <functional>
#include <vector>

#include "device/device.hpp"

namespace swell {

struct LevelSetBench {
  int dim = 3, order = 1, cells = 10;  // cells along each axis of the unit square or cube
  double seed_cpu = 0, seed_gpu = 0;   // seconds of table 2: Opteron 6168 in serial, Tesla C2050
  std::int64_t dofs = 0;
  double seconds = 0;         // of one step of order + 1 stages, the best of several
  Work work;                  // of the step
  double reinit_seconds = 0;  // of one right-hand side of the reinitialisation
};

// The rows of table 2 for these degrees (1 to 4), in 2D and 3D.
std::vector<LevelSetBench> levelset_benches(const std::vector<int>& orders);
// Fills in what was measured.
void run_levelset_bench(LevelSetBench& bench, Device& device, Precision precision);

}  // namespace swell
