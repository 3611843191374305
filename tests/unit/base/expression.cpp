// SPDX-License-Identifier: Apache-2.0
#include "base/expression.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace swell {
namespace {

const std::vector<std::string> xyt{"x", "y", "t"};

double value(const std::string& text, double x = 0, double y = 0, double t = 0) {
  const double values[] = {x, y, t};
  return Expression::parse(text, xyt, "test")(values);
}

std::string refusal(const std::string& text) {
  try {
    Expression::parse(text, xyt, "initial.Ez in cavity.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Expression, FollowsTheUsualPrecedence) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("8 - 3 - 2"), 3);
  EXPECT_EQ(value("16/4/2"), 2);
  EXPECT_EQ(value("-x^2", 3), -9);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2*-x", 4), -8);
  EXPECT_EQ(value("+x - +y", 4, 1), 3);
  EXPECT_EQ(value("(1 + x)*(1 - x)", 3), -8);
  EXPECT_EQ(value("1 + x < 2*y", 1, 1.5), 1);
  EXPECT_EQ(value("-x^-2", 2), -0.25);
}

TEST(Expression, ReadsNumbersInEveryForm) {
  EXPECT_EQ(value("1.5e3"), 1500);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("2."), 2);
  EXPECT_EQ(value("1E-2"), 0.01);
  EXPECT_EQ(value(" \t3 \n"), 3);
  EXPECT_EQ(value("0.1"), 0.1);
}

TEST(Expression, KnowsItsConstantsAndFunctions) {
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
  EXPECT_EQ(value("atan2(x, y)", 1, -1), std::atan2(1, -1));
  EXPECT_EQ(value("min(x, y, t)", 3, 2, 5), 2);
  EXPECT_EQ(value("max(x, y, t, 4)", 3, 2, 5), 5);
  EXPECT_EQ(value("step(x)", -1e-300), 0);
  EXPECT_EQ(value("step(x)", 0), 1);
  EXPECT_EQ(value("sign(x)", -2), -1);
  EXPECT_EQ(value("sign(x)", 0), 0);
  EXPECT_EQ(value("floor(x)", -1.5), -2);
  EXPECT_DOUBLE_EQ(value("gauss(x, 0.5)", 1), std::exp(-4.0));
  EXPECT_DOUBLE_EQ(value("ricker(t, 10, 0.15)", 0, 0, 0.15), 1);
  EXPECT_DOUBLE_EQ(value("ricker(t, 10, 0.15)", 0, 0, 0.15 + std::sqrt(1.5) / (10 * std::numbers::pi)),
                   -2 * std::exp(-1.5));
  EXPECT_NEAR(value("jn(6, x)", 13.5892901705412), 0, 1e-13);  // a zero of J6
  EXPECT_NEAR(value("yn(2, x)", 3.38424176714959), 0, 1e-14);  // of Y2
  EXPECT_EQ(value("y0(x)", 0.7), value("yn(0, x)", 0.7));
  EXPECT_EQ(value("y1(x)", 0.7), value("yn(1, x)", 0.7));
  EXPECT_EQ(value("if(x < 0, 1, 2.25)", -1), 1);
  EXPECT_EQ(value("if(x < 0, 1, 2.25)", 0), 2.25);
  EXPECT_EQ(value("(x == 1) + 2*(x != 1) + 4*(x >= 1) + 8*(x <= 1) + 16*(x > 0)", 1), 1 + 4 + 8 + 16);
}

TEST(Expression, FoldsConstants) {
  const Expression folded = Expression::parse("2*pi + sin(0) - min(1, 2)", xyt, "test");
  ASSERT_TRUE(folded.is_constant());
  EXPECT_DOUBLE_EQ(folded.constant(), 2 * std::numbers::pi - 1);
  EXPECT_FALSE(Expression::parse("0*x", xyt, "test").is_constant());
  EXPECT_TRUE(Expression().is_constant());
  EXPECT_EQ(Expression(2.5).constant(), 2.5);
}

TEST(Expression, KnowsWhichVariablesItUses) {
  const Expression e = Expression::parse("if(x < 1, sin(t), 2)", xyt, "test");
  EXPECT_TRUE(e.uses("x"));
  EXPECT_FALSE(e.uses("y"));
  EXPECT_TRUE(e.uses("t"));
  EXPECT_FALSE(e.uses("si"));
  EXPECT_EQ(e.text(), "if(x < 1, sin(t), 2)");
}

TEST(Expression, IsWrittenAsC) {
  const auto c_text = [](const std::string& text) { return Expression::parse(text, xyt, "test").c_text(); };
  EXPECT_EQ(c_text("2"), "2.0");
  EXPECT_EQ(c_text("-2"), "(-2.0)");
  EXPECT_EQ(c_text("1e300"), "1e+300");
  EXPECT_EQ(c_text("0.1"), "0.1");
  EXPECT_EQ(c_text("x - y + t"), "(x - y + t)");
  EXPECT_EQ(c_text("x - (y + t)"), "(x - (y + t))");
  EXPECT_EQ(c_text("x/(y*t)"), "(x / (y * t))");
  EXPECT_EQ(c_text("x^2 + y^3"), "((x * x) + (y * y * y))");
  EXPECT_EQ(c_text("sin(x)^2"), "ex_square(ex_sin(x))");
  EXPECT_EQ(c_text("x^0.5"), "ex_pow(x, 0.5)");
  EXPECT_EQ(c_text("x < 1"), "((x < 1.0) ? 1.0 : 0.0)");
  EXPECT_EQ(c_text("if(x, y, t)"), "((x != 0.0) ? y : t)");
  EXPECT_EQ(c_text("max(x, y, t, 1)"), "ex_max(ex_max(ex_max(x, y), t), 1.0)");
  EXPECT_EQ(c_text("-x"), "(-x)");
  EXPECT_EQ(c_text("--x"), "(-(-x))");
}

TEST(Expression, RefusesWhatItDoesNotKnowWithTheNearestName) {
  EXPECT_EQ(refusal("2*sni(x)"),
            "initial.Ez in cavity.toml, column 3 of the expression: unknown name 'sni' (did you mean 'sin'?)");
  EXPECT_EQ(refusal("q"),
            "initial.Ez in cavity.toml, column 1 of the expression: unknown name 'q' (known: x, y, t, pi, e)");
  EXPECT_NE(refusal("sin(X)").find("(did you mean 'x'?)"), std::string::npos);
  EXPECT_NE(refusal("system(x)").find("unknown name 'system'"), std::string::npos);
}

TEST(Expression, RefusesBrokenTextWithTheColumn) {
  const std::string head = "initial.Ez in cavity.toml";
  EXPECT_EQ(refusal(""), head + ": the expression is empty");
  EXPECT_EQ(refusal("  "), head + ": the expression is empty");
  EXPECT_EQ(refusal("1 +"),
            head + ", column 4 of the expression: the expression ends where a number, a name or '(' is expected");
  EXPECT_EQ(refusal("(x"), head + ", column 3 of the expression: expected ')' but found the end");
  EXPECT_EQ(refusal("sin(x"), head + ", column 6 of the expression: expected ',' or ')' but found the end");
  EXPECT_EQ(refusal("x)"), head + ", column 2 of the expression: expected an operator before ')'");
  EXPECT_EQ(refusal("2x"), head + ", column 2 of the expression: expected an operator before 'x'");
  EXPECT_EQ(refusal("2*$x"), head + ", column 3 of the expression: expected a number, a name or '(' but found '$'");
  EXPECT_EQ(refusal("x; y"), head + ", column 2 of the expression: expected an operator before ';'");
  EXPECT_EQ(refusal("2*\xCF\x80"),
            head + ", column 3 of the expression: expected a number, a name or '(' but found '\xCF\x80'");
  EXPECT_EQ(refusal("x\xFF"), head + ", column 2 of the expression: expected an operator before '\\xFF'");
  EXPECT_EQ(refusal("x ** 2"), head + ", column 3 of the expression: unexpected '**', powers are written with '^'");
  EXPECT_EQ(refusal("x = 2"), head + ", column 3 of the expression: unexpected '=', equality is written '=='");
  EXPECT_EQ(refusal("0 < x < 1"), head + ", column 7 of the expression: comparisons cannot be chained");
  EXPECT_EQ(refusal("sin"), head + ", column 1 of the expression: 'sin' is a function, write sin(...)");
  EXPECT_EQ(refusal("x(2)"), head + ", column 1 of the expression: 'x' is not a function");
  EXPECT_EQ(refusal("sin(x, y)"), head + ", column 1 of the expression: sin() takes 1 argument, not 2");
  EXPECT_EQ(refusal("atan2()"), head + ", column 1 of the expression: atan2() takes 2 arguments, not 0");
  EXPECT_EQ(refusal("min(x)"), head + ", column 1 of the expression: min() takes 2 to 16 arguments, not 1");
  EXPECT_EQ(refusal("if(x, y)"), head + ", column 1 of the expression: if() takes 3 arguments, not 2");
  EXPECT_EQ(refusal("1e999"), head + ", column 1 of the expression: the number '1e999' is too large or too small");
  EXPECT_EQ(refusal("x + 1/0 "), head + ", column 5 of the expression: '1/0' has no finite value");
  EXPECT_EQ(
      refusal("jn(x, 2)"),
      head + ", column 1 of the expression: the first argument of jn() must be a constant whole number from 0 to 50");
  EXPECT_EQ(refusal("jn(51, x)").find("accepted"), std::string::npos);
  EXPECT_NE(refusal("yn(-1, x)").find("the first argument of yn() must be a constant whole number"), std::string::npos);
  EXPECT_NE(refusal("y0(0)").find("'y0(0)' has no finite value"), std::string::npos);
}

TEST(Expression, RefusesTextThatWouldExhaustTheStack) {
  EXPECT_NE(refusal(std::string(1'000'000, '(')).find("more than the 10000"), std::string::npos);
  EXPECT_NE(refusal(std::string(5'000, '(')).find("nested more than 200 levels"), std::string::npos);
  EXPECT_NE(refusal(std::string(5'000, '-') + "x").find("nested more than 200 levels"), std::string::npos);
  std::string powers = "x", calls = "x";
  for (int i = 0; i < 2'000; ++i) powers += "^x";
  for (int i = 0; i < 150; ++i) calls = "sin(1+" + calls + ")";  // few brackets here, two a level in C
  EXPECT_NE(refusal(powers).find("nested more than 200 levels"), std::string::npos);
  EXPECT_NE(refusal(calls).find("nested more than 200 levels"), std::string::npos);
}

TEST(Expression, TakesLongFlatSums) {
  std::string sum = "x";
  for (int i = 0; i < 4'000; ++i) sum += "+x";
  EXPECT_EQ(value(sum, 1), 4'001);
  EXPECT_EQ(value(std::string(150, '(') + "x" + std::string(150, ')'), 7), 7);
}

TEST(Expression, DoesNotGrowWhenPowersAreNested) {
  std::string text = "x";
  for (int i = 0; i < 100; ++i) text = "(" + text + ")^4";
  EXPECT_LT(Expression::parse(text, xyt, "test").c_text().size(), 2'000u);
}

}  // namespace
}  // namespace swell
