// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on disk by the content that made them: the second start of a case compiles nothing.
#pragma once

#include "device/cpu/compiler.hpp"

#include <cstdint>
#include <string>

namespace swell {

class KernelCache {
 public:
  // `folder` is one that secure_folder() has passed.
  KernelCache(std::string folder, Compiler compiler);

  struct Entry {
    std::string library;  // path of the shared library
    std::string text;     // path of the kernel source that it was made from
  };
  // Throws RunError where the kernel source does not compile. Adds the compiler's runs to `compiles`.
  Entry get(const std::string& name, const std::string& text, Precision precision, std::int64_t& compiles) const;

  const Compiler& compiler() const { return compiler_; }

 private:
  std::string folder_;
  Compiler compiler_;
};

}  // namespace swell
