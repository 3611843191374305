// SPDX-License-Identifier: Apache-2.0
// A whole run with everything that it leaves in its folder: the work of `swell run`.
#pragma once

#include "comm/ranks.hpp"
#include "sim/case.hpp"

namespace swell {

struct RunOptions {
  bool quiet = false;
  std::string restart = "";  // a checkpoint, or "latest"
  Ranks* ranks = &lone_rank();
};

// Returns the exit code: 0 done, or stopped by SIGTERM with a checkpoint to go on from; 130 interrupted. Throws InputError before
// anything is written, RunError where the run failed (its summary then says so).
int run_case(const Case& c, const RunOptions& options);

}  // namespace swell
