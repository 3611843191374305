// SPDX-License-Identifier: Apache-2.0
// Expressions as steps on registers against their values on the host. Kernels that read such steps: tests/unit/cg/material_test.cpp.
#include "base/expression_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace swell {
namespace {

const std::vector<std::string> variables{"x", "y", "z"};

Expression formula(const std::string& text) { return Expression::parse(text, variables, "the test"); }

// At places on both sides of 0, in pieces of several sizes.
void expect_values_of(const std::string& text) {
  const Expression expression = formula(text);
  constexpr int places = 37;
  ExpressionRunner runner(expression, places);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-2, 3);
  for (const int count : {1, 8, places}) {
    for (int v = 0; v < 3; ++v)
      for (int i = 0; i < count; ++i) runner.variable(v)[i] = any(random);
    std::vector<double> expected;
    for (int i = 0; i < count; ++i) {
      const double at[] = {runner.variable(0)[i], runner.variable(1)[i], runner.variable(2)[i]};
      expected.push_back(expression(at));
    }
    const double* const values = runner.run(count);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(std::abs(values[i] - expected[i]) <= 1e-14 * std::abs(expected[i]) || values[i] == expected[i] ||
                  (std::isnan(values[i]) && std::isnan(expected[i])))
          << text << ": " << values[i] << " for " << expected[i];
  }
}

TEST(ExpressionSteps, HaveTheValuesOfTheExpression) {
  for (const char* text :
       {"7", "x", "z", "-x", "x - y - z", "x/y/z", "x - (y - z)", "(x + 1)/(y - 2)", "-x^2", "(x*y)^3", "(x - y)^4", "2^x^y",
        "x < y", "x <= y", "x > y", "x >= y", "x == x", "x != y", "if(x < 0.3, 45, 2*y)", "if(x, y, z)",
        "min(x, y, z, 0.1, x*y, -2, y - z)", "max(x + y, y*z, z, 1, 2)", "ricker(x, 2, y)", "gauss(x - y, 0.5 + z^2)",
        "atan2(x*y, z)", "pow(abs(x), y)", "jn(3, x)", "yn(3, abs(x))", "x^2 - 0.2*y^2 + 10*z", "1 + 0.5*tanh((sqrt(x^2 + y^2) - 0.3)/0.05)"})
    expect_values_of(text);
}

TEST(ExpressionSteps, KnowEveryFunction) {
  const std::string arguments[] = {"(abs(x)/3)", "(x, y)", "(x, y, z)"};
  int known = 0;
  for (const std::string& name : expression_functions())
    for (const std::string& given : arguments) {
      if (name == "jn" || name == "yn") continue;  // of whole orders: above
      try {
        formula(name + given);
      } catch (const std::exception&) {
        continue;  // takes another number
      }
      expect_values_of(name + given);
      ++known;
    }
  EXPECT_GE(known, 29);
}

// Long chains, deep nests, and the bushiest trees that fit into a text: registers are enough for all.
TEST(ExpressionSteps, FindRegistersForEveryExpressionThatCanBeParsed) {
  std::string chain = "x", right = "x";
  for (int i = 0; i < 2400; ++i) chain += i % 2 ? "+y" : "*z";
  for (int i = 0; i < 190; ++i) right = "(" + right + "-y)";
  expect_values_of(chain);
  expect_values_of(right);
  std::string pairs = "x*2", choices = "x*2";
  while (2 * pairs.size() + 3 < 10000) pairs = "(" + pairs + ")-(" + pairs + ")";
  while (3 * choices.size() + 8 < 10000) choices = "if(" + choices + "," + choices + "," + choices + ")";
  expect_values_of(pairs);
  expect_values_of(choices);
}

// Others that read the same registers come after it.
TEST(ExpressionSteps, LeaveTheVariablesAlone) {
  ExpressionSteps all;
  all.add(Expression(2.0));
  all.add(Expression::parse("x*2 + 1", {"x"}, "the test"));
  all.add(formula("x*y + 2*z"));
  for (std::size_t s = 0; s < all.steps.size(); s += ExpressionSteps::width) EXPECT_GE(all.steps[s + 1], 4);
}

// A variable is read where it is, and a number is not kept from step to step.
TEST(ExpressionSteps, AreFew) {
  ExpressionSteps all;
  const auto piece = all.add(formula("x*y + 2*z"));
  EXPECT_EQ(piece.end - piece.begin, 4);  // 2, 2*z, x*y, the sum
  const auto variable = all.add(formula("y"));
  EXPECT_EQ(variable.begin, variable.end);
  EXPECT_EQ(variable.result, 1);
}

}  // namespace
}  // namespace swell
