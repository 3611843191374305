// SPDX-License-Identifier: Apache-2.0
// The functions that kernels see, compiled here as plain C++, against those of the host.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "base/expression.hpp"

namespace kernel {
using std::acos, std::asin, std::atan, std::atan2, std::cbrt, std::cos, std::cosh, std::erf, std::exp, std::fabs,
    std::floor, std::log, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
typedef double scalar;
#define FUNCTION static inline
#include "kernels/shared/functions.h"
}  // namespace kernel

namespace swell {
namespace {

double host(const std::string& text, double x, double y = 0, double t = 0) {
  const double values[] = {x, y, t};
  return Expression::parse(text, {"x", "y", "t"}, "test")(values);
}

struct OfOne {
  const char* text;
  double (*kernel)(double);
  double low, high;
};

TEST(KernelFunctions, OfOneArgumentAgreeWithTheHost) {
  const OfOne functions[] = {
      {"sin(x)", kernel::ex_sin, -50, 50},   {"cos(x)", kernel::ex_cos, -50, 50},
      {"tan(x)", kernel::ex_tan, -1.5, 1.5}, {"asin(x)", kernel::ex_asin, -1, 1},
      {"acos(x)", kernel::ex_acos, -1, 1},   {"atan(x)", kernel::ex_atan, -9, 9},
      {"sinh(x)", kernel::ex_sinh, -9, 9},   {"cosh(x)", kernel::ex_cosh, -9, 9},
      {"tanh(x)", kernel::ex_tanh, -9, 9},   {"exp(x)", kernel::ex_exp, -50, 50},
      {"log(x)", kernel::ex_log, 1e-9, 99},  {"sqrt(x)", kernel::ex_sqrt, 0, 99},
      {"cbrt(x)", kernel::ex_cbrt, -99, 99}, {"abs(x)", kernel::ex_abs, -9, 9},
      {"floor(x)", kernel::ex_floor, -9, 9}, {"sign(x)", kernel::ex_sign, -1, 1},
      {"step(x)", kernel::ex_step, -1, 1},   {"erf(x)", kernel::ex_erf, -4, 4},
      {"x^2", kernel::ex_square, -9, 9},     {"x^3", kernel::ex_cube, -9, 9},
      {"x^4", kernel::ex_fourth, -9, 9},     {"j0(x)", kernel::ex_j0, -90, 90},
      {"j1(x)", kernel::ex_j1, -90, 90},     {"y0(x)", kernel::ex_y0, 1e-9, 90},
      {"y1(x)", kernel::ex_y1, 0.1, 90},
  };
  std::mt19937 random(1);
  for (const OfOne& function : functions) {
    std::uniform_real_distribution<double> any(function.low, function.high);
    for (int i = 0; i < 300; ++i) {
      const double x = i == 0 && function.low <= 0 ? 0 : any(random);
      const double expected = host(function.text, x);
      EXPECT_NEAR(function.kernel(x), expected, 1e-14 * (1 + std::abs(expected))) << function.text << " at " << x;
    }
  }
}

TEST(KernelFunctions, OfMoreArgumentsAgreeWithTheHost) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> any(-3, 3);
  for (int i = 0; i < 300; ++i) {
    const double x = any(random), y = any(random), t = any(random);
    EXPECT_EQ(kernel::ex_atan2(x, y), host("atan2(x, y)", x, y));
    EXPECT_EQ(kernel::ex_min(x, y), host("min(x, y)", x, y));
    EXPECT_EQ(kernel::ex_max(x, y), host("max(x, y)", x, y));
    EXPECT_EQ(kernel::ex_pow(std::abs(x), y), host("pow(x, y)", std::abs(x), y));
    EXPECT_NEAR(kernel::ex_gauss(x, y), host("gauss(x, y)", x, y), 1e-15);
    EXPECT_NEAR(kernel::ex_ricker(x, y, t), host("ricker(x, y, t)", x, y, t), 1e-14);
  }
}

// Relative to the amplitude: the size of J_n itself where x < n, the envelope sqrt(2 / (pi x)) where it oscillates.
TEST(KernelFunctions, BesselFunctionsAreAccurateForAllOrdersAndArguments) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int n = 0; n <= 50; ++n)
    for (int i = 0; i < 2'000; ++i) {
      const double u = unit(random);
      const double x = i % 4 == 0   ? 100 * u
                       : i % 4 == 1 ? std::pow(10.0, 7 * u - 3)
                       : i % 4 == 2 ? 20 + 12 * u
                                    : n + 4 * u;
      const double libm = ::jn(n, x);
      const double amplitude = std::max(std::abs(libm), x > n ? std::sqrt(2 / (std::numbers::pi * x)) : 0.0);
      ASSERT_NEAR(kernel::ex_jn(n, x), libm, 1e-13 * amplitude) << "J_" << n << "(" << x << ")";
      ASSERT_EQ(kernel::ex_jn(n, -x), (n % 2 == 0 ? 1 : -1) * kernel::ex_jn(n, x));
    }
}

TEST(KernelFunctions, BesselFunctionsOfTheSecondKindAreAccurateForAllOrdersAndArguments) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int n = 0; n <= 50; ++n)
    for (int i = 0; i < 2'000; ++i) {
      const double u = unit(random);
      const double x = i % 4 == 0   ? 100 * u
                       : i % 4 == 1 ? std::pow(10.0, 7 * u - 3)
                       : i % 4 == 2 ? 27 * u
                                    : n + 4 * u;
      const double libm = ::yn(n, x);
      const double amplitude = std::max(std::abs(libm), std::sqrt(2 / (std::numbers::pi * x)));
      ASSERT_NEAR(kernel::ex_yn(n, x), libm, 1e-13 * amplitude) << "Y_" << n << "(" << x << ")";
    }
}

// By the series of Abramowitz and Stegun (1964), 9.1.11, with 120 digits, at the arguments as they are in double precision: the
// doubles next to zeros, both sides of where one expansion takes over from another, and the ends.
TEST(KernelFunctions, BesselFunctionsOfTheSecondKindHaveTheValuesOfLongArithmetic) {
  struct Known {
    int n;
    double x, value;
  };
  const Known known[] = {
      {0, 1e-08, -11.80077387717953}, {0, 0.01, -3.0054556370836458}, {0, 0.5, -0.44451873350670656},
      {0, 0.893576966279167, -4.1393056859074939e-16}, {0, 1.0, 0.088256964215676956},
      {0, 1.9, 0.49681997128382022}, {0, 2.0, 0.51037567264974515}, {0, 2.1, 0.51829373751376073},
      {0, 3.95767841931486, -9.3715534984045296e-16}, {0, 7.086051060301773, 2.6514481725505039e-17},
      {0, 10.0, 0.055671167283599395}, {0, 24.9, -0.13649918399676522}, {0, 25.1, -0.11676770763803694},
      {0, 40.0, 0.12593641705826092}, {1, 1e-08, -63661977.236758195}, {1, 0.01, -63.678596282060653},
      {1, 0.5, -1.4714723926702431}, {1, 1.0, -0.78121282130028868}, {1, 1.99, -0.1126814084217741},
      {1, 2.19714132603102, 1.6440624514798229e-15}, {1, 2.01, -0.10140362210171799},
      {1, 5.42968104079414, -1.6719209994086306e-15}, {1, 10.0, 0.24901542420695388},
      {1, 24.9, -0.086002557595554252}, {1, 25.1, -0.11062223322783099}, {1, 40.0, -0.005793505821549633},
      {2, 0.01, -12732.713800775047}, {2, 1.0, -1.6506826068162543}, {2, 3.38424176714959, -1.4231064053023365e-15},
      {2, 10.0, -0.0058680824422086145}, {2, 30.0, 0.12292410306411385}, {5, 0.1, -24461484.50230391},
      {5, 5.0, -0.45369482249110188}, {5, 20.0, -0.10003576788953243}, {5, 40.0, 0.031869448780850365},
      {50, 10.0, -3.6410665018007404e+27}, {50, 50.0, -0.21031655464397742}, {50, 60.0, 0.008641769962674491},
  };
  for (const auto& [n, x, value] : known) {
    // Some roundings of numbers near 1, and those of each step of the recurrence.
    const double tolerance = 1e-15 * (n > 5 ? 20 : 1) * std::max(1.0, std::abs(value));
    EXPECT_NEAR(kernel::ex_yn(n, x), value, tolerance) << "Y_" << n << "(" << x << ")";
    EXPECT_NEAR(host("yn(" + std::to_string(n) + ", x)", x), value, tolerance) << "Y_" << n << "(" << x << ")";
  }
}

TEST(KernelFunctions, BesselFunctionsOfTheSecondKindEndAtZero) {
  for (const int n : {0, 1, 2, 50}) {
    EXPECT_EQ(kernel::ex_yn(n, 0), -std::numeric_limits<double>::infinity());
    EXPECT_EQ(host("yn(" + std::to_string(n) + ", x)", 0), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(kernel::ex_yn(n, -1)));
    EXPECT_TRUE(std::isnan(host("yn(" + std::to_string(n) + ", x)", -1)));
  }
  EXPECT_EQ(kernel::ex_yn(50, 1e-9), -std::numeric_limits<double>::infinity());  // and not what two infinities differ by
}

// Abramowitz and Stegun (1964), tables 9.1, 9.2 and 9.4.
TEST(KernelFunctions, BesselFunctionsHaveTheTabulatedValues) {
  EXPECT_NEAR(kernel::ex_j0(1), 0.765197686557967, 1e-15);
  EXPECT_NEAR(kernel::ex_j1(1), 0.440050585744934, 1e-15);
  EXPECT_NEAR(kernel::ex_j0(17.5), -0.103110398228686, 1e-15);
  EXPECT_EQ(kernel::ex_j0(0), 1);
  EXPECT_EQ(kernel::ex_jn(7, 0), 0);
  EXPECT_NEAR(kernel::ex_jn(10, 10), 0.2074861066, 5e-11);
  EXPECT_NEAR(kernel::ex_jn(50, 50), 0.1214090219, 5e-11);
  EXPECT_NEAR(kernel::ex_jn(50, 100), -0.03869833973, 5e-12);
}

}  // namespace
}  // namespace swell
