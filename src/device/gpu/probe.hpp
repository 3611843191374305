// SPDX-License-Identifier: Apache-2.0
// Asks a driver something in a child process: a driver that aborts, crashes or hangs then costs a sentence, not the run.
#pragma once

#include <functional>
#include <string>

namespace swell {

struct ProbeResult {
  std::string said;     // everything that the question wrote, also where it failed later
  // "" where the question came back, else what happened: "was ended by signal 6 (Aborted); it printed: no memory"
  std::string problem;
  bool died = false;    // the problem is the child's end, not an exception's sentence
};

// `question` runs in a child of this process and hands its answer to `say`, at once or in pieces. A std::exception that
// leaves it becomes the problem. Libraries and devices that it opens are closed with the child. The parent should not have
// opened the same driver before: drivers do not survive a fork.
ProbeResult probe(const std::function<void(const std::function<void(const std::string&)>& say)>& question,
                  double seconds);

}  // namespace swell
