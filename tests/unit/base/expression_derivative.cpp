// SPDX-License-Identifier: Apache-2.0
// Derivatives of expressions against differences of their values.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "base/expression.hpp"

namespace swell {
namespace {

const std::vector<std::string> names{"x", "y", "t"};

class Derivative : public testing::TestWithParam<const char*> {};

// Richardson's extrapolation of central differences: an error of h^4.
double difference(const Expression& f, std::array<double, 3> at, int variable) {
  const auto central = [&](double h) {
    auto low = at, high = at;
    low[variable] -= h, high[variable] += h;
    return (f(high.data()) - f(low.data())) / (2 * h);
  };
  constexpr double h = 1e-3;
  return (4 * central(h / 2) - central(h)) / 3;
}

TEST_P(Derivative, IsTheSlopeOfTheValues) {
  const Expression f = Expression::parse(GetParam(), names, "test");
  for (const auto& at : {std::array{0.3, 0.7, 0.2}, std::array{0.55, 0.15, 0.9}})
    for (int variable = 0; variable < 3; ++variable) {
      const Expression slope = f.derivative(names[variable]);
      EXPECT_NEAR(slope(at.data()), difference(f, at, variable), 1e-8 * (1 + std::abs(slope(at.data()))))
          << names[variable] << " of " << GetParam() << ": " << slope.c_text();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, Derivative,
    testing::Values("2", "x", "-x*y", "x - 3*y + t", "(x + y)/(1 + t*x)", "x^2", "(x*y)^3", "(1 + x)^2.5", "(1 + x)^(y*t)",
                    "pow(1 + x, 2)", "sin(x*y)*cos(t)", "tan(x)", "asin(x*y)", "acos(x*t)", "atan(x/y)", "atan2(y, x)", "sinh(x)",
                    "cosh(x*y)", "tanh(3*y)", "exp(-x^2)", "log(1 + x*y)", "sqrt(x + y)", "cbrt(x + y)", "erf(x - y)",
                    "abs(x - y)", "min(x, y, t)", "max(x, y, t)", "if(x < y, x^2, y^2)", "gauss(x - y, 0.3 + t)",
                    "ricker(t, 1.5, 0.4*x)", "j0(3*x)", "j1(2*x*y)", "jn(3, 4*x)", "y0(3*x)", "y1(2*x*y)", "yn(3, 1 + 4*x)", "step(x - y)*x", "floor(x) + sign(y)*x"));

TEST(DerivativeOf, WhatDoesNotUseTheVariableIsTheConstantZero) {
  const Expression slope = Expression::parse("sin(y)*3 + t", names, "test").derivative("x");
  ASSERT_TRUE(slope.is_constant());
  EXPECT_EQ(slope.constant(), 0);
  EXPECT_TRUE(Expression(4.0).derivative("x").is_constant());
}

TEST(DerivativeOf, ABesselFunctionOfAnOrderThatVariesIsRefused) {
  EXPECT_THROW(Expression::parse("jn(y, x)", names, "test").derivative("x"), InputError);
}

}  // namespace
}  // namespace swell
