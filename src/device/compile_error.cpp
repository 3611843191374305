// SPDX-License-Identifier: Apache-2.0
#include "device/compile_error.hpp"

#include <sstream>

namespace swell {

CompileError CompileError::with_log(const std::string& log) const {
  constexpr int most = 3;
  CompileError all = *this;
  std::istringstream lines(log);
  int found = 0;
  // Compilers write "file:line:column: error: ..." (g++, clang, OpenCL's) or "file(line): error: ..." (NVRTC).
  for (std::string line; found < most && std::getline(lines, line);) {
    if (line.find("error: ") == std::string::npos) continue;
    all.errors_ += "\n  " + line;
    if (line.find("'double' to 'real'") != std::string::npos || line.find("‘double’ to ‘real’") != std::string::npos)
      all.errors_ += " (a number becomes a real by splat(...))";
    ++found;
  }
  return all;
}

}  // namespace swell
