// SPDX-License-Identifier: Apache-2.0
// The functions of expressions on the host; kernels/shared/functions.h holds the same for kernels.
#include <math.h>  // jn and yn of POSIX

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/expression_tree.hpp"

namespace swell {

namespace {

template <double (*function)(double)>
double of_one(const double* a, int) {
  return function(a[0]);
}

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
double step(double x) { return x < 0 ? 0 : 1; }

double gauss(const double* a, int) {
  const double ratio = a[0] / a[1];
  return std::exp(-ratio * ratio);
}

// Ricker (1953): the second derivative of a Gaussian, with peak frequency a[1], centred at a[2].
double ricker(const double* a, int) {
  const double phase = std::numbers::pi * a[1] * (a[0] - a[2]);
  const double square = phase * phase;
  return (1 - 2 * square) * std::exp(-square);
}

double smallest(const double* a, int count) {
  double result = a[0];
  for (int i = 1; i < count; ++i) result = a[i] < result ? a[i] : result;
  return result;
}

double largest(const double* a, int count) {
  double result = a[0];
  for (int i = 1; i < count; ++i) result = a[i] > result ? a[i] : result;
  return result;
}

// Minus infinity at 0 and no number below, whatever the C library makes of such arguments.
double bessel_second(int n, double x) { return x > 0 ? ::yn(n, x) : std::log(x); }

constexpr int many = expression_most_arguments;

// Sorted by name.
constexpr std::array<ExpressionFunction, 30> table{{
    {"abs", 1, 1, of_one<::fabs>},
    {"acos", 1, 1, of_one<::acos>},
    {"asin", 1, 1, of_one<::asin>},
    {"atan", 1, 1, of_one<::atan>},
    {"atan2", 2, 2, [](const double* a, int) { return std::atan2(a[0], a[1]); }},
    {"cbrt", 1, 1, of_one<::cbrt>},
    {"cos", 1, 1, of_one<::cos>},
    {"cosh", 1, 1, of_one<::cosh>},
    {"erf", 1, 1, of_one<::erf>},
    {"exp", 1, 1, of_one<::exp>},
    {"floor", 1, 1, of_one<::floor>},
    {"gauss", 2, 2, gauss},
    {"j0", 1, 1, of_one<::j0>},
    {"j1", 1, 1, of_one<::j1>},
    {"jn", 2, 2, [](const double* a, int) { return ::jn(static_cast<int>(a[0]), a[1]); }},
    {"log", 1, 1, of_one<::log>},
    {"max", 2, many, largest},
    {"min", 2, many, smallest},
    {"pow", 2, 2, [](const double* a, int) { return std::pow(a[0], a[1]); }},
    {"ricker", 3, 3, ricker},
    {"sign", 1, 1, of_one<sign>},
    {"sin", 1, 1, of_one<::sin>},
    {"sinh", 1, 1, of_one<::sinh>},
    {"sqrt", 1, 1, of_one<::sqrt>},
    {"step", 1, 1, of_one<step>},
    {"tan", 1, 1, of_one<::tan>},
    {"tanh", 1, 1, of_one<::tanh>},
    {"y0", 1, 1, [](const double* a, int) { return bessel_second(0, a[0]); }},
    {"y1", 1, 1, [](const double* a, int) { return bessel_second(1, a[0]); }},
    {"yn", 2, 2, [](const double* a, int) { return bessel_second(static_cast<int>(a[0]), a[1]); }},
}};

}  // namespace

const ExpressionFunction* find_expression_function(std::string_view name) {
  const auto found = std::lower_bound(table.begin(), table.end(), name,
                                      [](const ExpressionFunction& f, std::string_view n) { return f.name < n; });
  return found != table.end() && found->name == name ? &*found : nullptr;
}

const std::vector<std::string>& expression_functions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result{"if"};
    for (const ExpressionFunction& function : table) result.emplace_back(function.name);
    std::sort(result.begin(), result.end());
    return result;
  }();
  return names;
}

}  // namespace swell
