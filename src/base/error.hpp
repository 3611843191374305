// SPDX-License-Identifier: Apache-2.0
// The two ways to fail: the input is wrong (exit code 2), or the run failed (exit code 3).
// Each carries one full sentence that names the file, the key or the element, and what to do.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace swell {

class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  template <class... Args>
  explicit InputError(fmt::format_string<Args...> text, Args&&... args) requires(sizeof...(Args) > 0)
      : std::runtime_error(fmt::format(text, std::forward<Args>(args)...)) {}
};

class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  template <class... Args>
  explicit RunError(fmt::format_string<Args...> text, Args&&... args) requires(sizeof...(Args) > 0)
      : std::runtime_error(fmt::format(text, std::forward<Args>(args)...)) {}
};

}  // namespace swell
