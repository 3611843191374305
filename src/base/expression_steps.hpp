// SPDX-License-Identifier: Apache-2.0
// Expressions as data: steps on registers, which a kernel that was compiled once reads and does. An expression then changes
// without a compiler.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/expression.hpp"

namespace swell {

// A step is {operation, to, a, b, c}, all but the first being registers. The first registers hold the variables and are never
// written, not even by an expression with fewer variables, since several expressions share one set of registers.
struct ExpressionSteps {
  static constexpr int width = 5;
  static constexpr int variables = 4;
  // Enough for every expression that can be parsed: one with a register more has 1.7 times the leaves, and 10 000 characters
  // hold 5000 leaves.
  static constexpr int registers = 24;

  std::vector<std::int32_t> steps;  // [step][width]
  std::vector<double> numbers;      // an operation `number` names its place by a

  struct Piece {
    std::int32_t begin = 0, end = 0;  // of the steps
    std::int32_t result = 0;          // the register
  };
  Piece add(const Expression& expression);
};

// Evaluates an expression on the host at many places at once: several times as quick as one place after the other.
class ExpressionRunner {
 public:
  // Evaluates at most `places` places at a time.
  ExpressionRunner(const Expression& expression, int places);
  // The array for the values of a variable, to be filled before run().
  double* variable(int which) { return registers_.data() + which * places_; }
  // The values at the first `count` places, until the next call.
  const double* run(int count);

 private:
  int places_;
  ExpressionSteps steps_;
  int result_;
  std::vector<double> registers_;
};

// FUNCTION void do_step(...): one step on CHUNK places at once, for a kernel source, behind kernels/shared/functions.h,
// TOGETHER and MANY (kernels/continuous/material_steps.h).
std::string expression_steps_text();

}  // namespace swell
