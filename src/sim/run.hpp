// SPDX-License-Identifier: Apache-2.0
// A whole run with everything that it leaves in its folder: the work of `swell run`.
#pragma once

#include <optional>

#include "case/case.hpp"
#include "comm/ranks.hpp"
#include "io/summary.hpp"

namespace swell {

class Log;
class RunSession;

struct RunOptions {
  bool quiet = false;
  std::string restart = "";  // a checkpoint, or "latest"
  Ranks* ranks = &lone_rank();
  std::optional<int> view = {};  // the port of the live view; 0: any that is free
  bool hold = false;             // the view stays after the run until it is interrupted
};

// Returns the exit code: 0 done, or stopped by SIGTERM with a checkpoint to go on from; 130 interrupted. Throws InputError
// before anything is written, RunError where the run failed (its summary then says so).
int run_case(const Case& c, const RunOptions& options);
// Runs on a device and with a set-up that are kept, and fills the summary.
int run_case(const Case& c, Log& log, const RunOptions& options, RunSession& session, Summary& result);

}  // namespace swell
