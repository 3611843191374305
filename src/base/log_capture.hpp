// SPDX-License-Identifier: Apache-2.0
// Keeps the log lines of one thread away from the process's log: a program that uses Swell as a library reads them itself.
#pragma once

#include <string>
#include <vector>

namespace swell {

// While it lives, lines of this thread are added to `lines`; the innermost one of a thread counts.
class LogCapture {
 public:
  explicit LogCapture(std::vector<std::string>& lines);
  ~LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

 private:
  std::vector<std::string>* previous_;
};

}  // namespace swell
