// SPDX-License-Identifier: Apache-2.0
// The progress of a run: a bar on a terminal, a line now and then elsewhere, nothing where the log is quiet.
#pragma once

#include <cstdint>
#include <string>

#include "base/log.hpp"
#include "base/timer.hpp"

namespace swell {

class Progress {
 public:
  // Counts towards `total` (the end time, or the number of steps), from `start` on.
  Progress(Log& log, double total, double start = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // After each step; draws at most ten times a second, and writes a line at most every ten seconds.
  void update(double done, std::int64_t steps);
  // Takes the bar away and writes the last line.
  void finish();

  // "[#####     ]  50.0 %  0:42  1234 steps/s  0:42 left", `width` characters of bar.
  std::string text(int width) const;

 private:
  Log& log_;
  Stopwatch clock_;
  double total_, start_, done_;
  std::int64_t steps_ = 0;
  double last_drawn_ = -1, last_line_ = 0;
  bool finished_ = false;
};

// Seconds as a clock shows them: 0:07, 12:34, 1:02:03.
std::string clock_text(double seconds);

}  // namespace swell
