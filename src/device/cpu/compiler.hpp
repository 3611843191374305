// SPDX-License-Identifier: Apache-2.0
// The system's C++ compiler: finding it, asking it what machine it compiles for, and running it on kernel source.
#pragma once

#include "device/device.hpp"

#include <string>
#include <vector>

namespace swell {

struct Compiler {
  std::string path;
  std::string version;        // its own first line about itself
  std::string machine;        // digest of what -march=native means here
  bool clang = false;
  int vector_bytes = 16;      // of the widest registers that its code uses
  int vector_registers = 16;
  int optimization = 3;       // -O level of kernels: $SWELL_KERNEL_OPTIMIZE
};

// $SWELL_CXX, else g++, c++, clang++ on the PATH. The compiler's answers are kept in `folder`, a private one. Throws RunError
// where there is none, and InputError for a level of optimization that there is not.
Compiler find_compiler(const std::string& folder);

// The compiler's arguments without input and output: part of the key of the cache.
std::vector<std::string> compile_options(const Compiler& compiler, Precision precision);

// Compiles the text at `source` into the shared library `library`; the compiler's output goes to `log`. Throws RunError that
// names `program`, the text and the log.
void run_compiler(const Compiler& compiler, Precision precision, const std::string& program, const std::string& source,
                  const std::string& library, const std::string& log);

}  // namespace swell
