// SPDX-License-Identifier: Apache-2.0
// A kernel source that the device's compiler rejected: the user's fault where the model is the user's own.
#pragma once

#include "base/error.hpp"

namespace swell {

class CompileError : public RunError {
 public:
  using RunError::RunError;
  // With what the compiler printed, whose first errors people should see at once.
  CompileError with_log(const std::string& log) const;
  // The first errors, each on a line of its own that begins with a line break; empty where nothing is known.
  const std::string& errors() const { return errors_; }

 private:
  std::string errors_;
};

}  // namespace swell
