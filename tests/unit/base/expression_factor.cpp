// SPDX-License-Identifier: Apache-2.0
// Expressions as a factor of time and the rest.
#include <gtest/gtest.h>

#include <cmath>

#include "base/expression.hpp"

namespace swell {
namespace {

Expression parsed(const char* text) { return Expression::parse(text, {"x", "t"}, "the test"); }

TEST(ExpressionSeparated, GivesFactorsWhoseProductIsTheExpression) {
  for (const char* text :
       {"sin(x)*cos(t)", "-x^2*exp(-t)/(1 + t^2)", "x/t*2", "3", "x", "t", "-(x*t)", "cos(pi*t/8)*x*sin(x)"}) {
    const Expression whole = parsed(text);
    const auto parts = whole.separated("t");
    ASSERT_TRUE(parts) << text;
    EXPECT_FALSE(parts->first.uses("x")) << text;
    EXPECT_FALSE(parts->second.uses("t")) << text;
    const double at[] = {0.7, 1.3};
    EXPECT_NEAR(parts->first(at) * parts->second(at), whole(at), 1e-15 * std::abs(whole(at))) << text;
  }
}

TEST(ExpressionSeparated, GivesTheSameFactorOfTimeWhereTheTextHasTheSame) {
  EXPECT_EQ(parsed("-sin(x)*cos(pi*t/8)").separated("t")->first.c_text(),
            parsed("x^2*cos(pi*t/8)").separated("t")->first.c_text());
}

TEST(ExpressionSeparated, FindsNoFactorsInSums) {
  for (const char* text : {"x + t", "sin(x*t)", "x*(1 + x*t)", "x^t"})
    EXPECT_FALSE(parsed(text).separated("t")) << text;
}

}  // namespace
}  // namespace swell
