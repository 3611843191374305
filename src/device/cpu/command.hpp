// SPDX-License-Identifier: Apache-2.0
// Runs a program without a shell.
#pragma once

#include <string>
#include <vector>

namespace swell {

struct CommandResult {
  bool started = false;
  bool timed_out = false;
  int status = -1;       // exit status; 128 + signal where a signal ended it
  std::string problem;   // where it did not start: why
};

// `arguments[0]` is the program's path. Standard output and error go to `log`, standard input is empty. After
// `seconds` the program and its children are killed.
CommandResult run_command(const std::vector<std::string>& arguments, const std::string& log, double seconds);

}  // namespace swell
