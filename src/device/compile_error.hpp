// SPDX-License-Identifier: Apache-2.0
// A kernel source that the device's compiler rejected: the user's fault where the model is the user's own.
#pragma once

#include "base/error.hpp"

namespace swell {

class CompileError : public RunError {
 public:
  using RunError::RunError;
};

}  // namespace swell
