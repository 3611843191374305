// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/cpu_device.hpp"

#include "devices.hpp"
#include "folder.hpp"
#include "widths.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

namespace swell {
namespace {

struct Function {
  const char* text;  // in x and y
  std::function<double(double, double)> exact;
  double low, high;
};

std::vector<Function> all_functions() {
  return {
      {"sqrt(x)", [](double x, double) { return std::sqrt(x); }, 0, 50},
      {"cbrt(x)", [](double x, double) { return std::cbrt(x); }, -9, 9},
      {"exp(x)", [](double x, double) { return std::exp(x); }, -5, 5},
      {"log(x)", [](double x, double) { return std::log(x); }, 2, 90},
      {"sin(x)", [](double x, double) { return std::sin(x); }, 0.1, 3},
      {"cos(x)", [](double x, double) { return std::cos(x); }, -1.5, 1.5},
      {"tan(x)", [](double x, double) { return std::tan(x); }, 0.1, 1.4},
      {"asin(x)", [](double x, double) { return std::asin(x); }, 0.1, 0.9},
      {"acos(x)", [](double x, double) { return std::acos(x); }, -0.9, 0.9},
      {"atan(x)", [](double x, double) { return std::atan(x); }, -5, 5},
      {"sinh(x)", [](double x, double) { return std::sinh(x); }, -3, 3},
      {"cosh(x)", [](double x, double) { return std::cosh(x); }, -3, 3},
      {"tanh(x)", [](double x, double) { return std::tanh(x); }, -3, 3},
      {"erf(x)", [](double x, double) { return std::erf(x); }, -2, 2},
      {"floor(x)", [](double x, double) { return std::floor(x); }, -7, 7},
      {"ceil(x)", [](double x, double) { return std::ceil(x); }, -7, 7},
      {"abs(x)", [](double x, double) { return std::fabs(x); }, -7, 7},
      {"fabs(x)", [](double x, double) { return std::fabs(x); }, -7, 7},
      {"pow(x, y)", [](double x, double y) { return std::pow(x, y); }, 0.5, 3},
      {"pow(x, 3.0)", [](double x, double) { return x * x * x; }, -2, 2},
      {"atan2(x, y)", [](double x, double y) { return std::atan2(x, y); }, 0.5, 5},
      {"fmin(x, y)", [](double x, double y) { return std::fmin(x, y); }, -5, 5},
      {"fmax(x, y)", [](double x, double y) { return std::fmax(x, y); }, -5, 5},
      {"fmax(0.5, fmin(x, 1.5))", [](double x, double) { return std::fmax(0.5, std::fmin(x, 1.5)); }, 0, 3},
      {"x > y ? 2.0 * x : y - 1.0", [](double x, double y) { return x > y ? 2 * x : y - 1; }, -5, 5},
      {"x > 0.0 && y > 0.0 ? x : splat(3.5)", [](double x, double y) { return x > 0 && y > 0 ? x : 3.5; }, -5, 5},
      {"splat(sum_lanes(x - x)) + lane(x, 0) * 0.0 + 1.1", [](double, double) { return 1.1; }, -5, 5},
      {"any(x > 100.0) ? x : y", [](double, double y) { return y; }, -5, 5}};
}

// Those whose text differs from width to width.
std::vector<Function> functions_by_width() {
  return {{"sqrt(x)", [](double x, double) { return std::sqrt(x); }, 0, 50},
          {"x < y ? fabs(x) : y", [](double x, double y) { return x < y ? std::fabs(x) : y; }, -7, 7}};
}

template <class Scalar>
void expect_functions(Device& device, Precision precision, bool vectors, const std::vector<Function>& functions) {
  ProgramText text{"words", "", {}, precision, vectors};
  for (std::size_t n = 0; n < functions.size(); ++n) {
    text.kernels.push_back(fmt::format("f{}", n));
    text.text += fmt::format(
        "KERNEL void f{}(GLOBAL const scalar *RESTRICT xs, GLOBAL const scalar *RESTRICT ys, "
        "GLOBAL scalar *RESTRICT zs) {{\n"
        "  ITEMS(i) {{\n    real x = load(xs + i * LANES), y = load(ys + i * LANES);\n"
        "    store(zs + i * LANES, {});\n  }}\n}}\n", n, functions[n].text);
  }
  const auto program = device.compile(text);
  constexpr std::size_t points = 64;
  const auto o_x = device.allocate(points * sizeof(Scalar), "x"), o_y = device.allocate(points * sizeof(Scalar), "y"),
             o_z = device.allocate(points * sizeof(Scalar), "z");
  std::mt19937 random(5);
  for (std::size_t n = 0; n < functions.size(); ++n) {
    const Function& f = functions[n];
    std::uniform_real_distribution<Scalar> in(static_cast<Scalar>(f.low), static_cast<Scalar>(f.high));
    std::vector<Scalar> x(points), y(points), z(points);
    for (std::size_t i = 0; i < points; ++i) x[i] = in(random), y[i] = in(random);
    o_x->write(x.data(), o_x->bytes());
    o_y->write(y.data(), o_y->bytes());
    const int lanes = vectors ? device.lanes(precision) : 1;
    device.queue().launch(program->kernel(text.kernels[n]), points / lanes, {*o_x, *o_y, *o_z});
    o_z->read(z.data(), o_z->bytes());
    const double tolerance = precision == Precision::single_ ? 1e-6 : 1e-15;
    for (std::size_t i = 0; i < points; ++i) {
      const double exact = f.exact(x[i], y[i]);
      ASSERT_NEAR(z[i], exact, 4 * tolerance * (1 + std::fabs(exact))) << f.text << " at " << x[i] << ", " << y[i];
    }
  }
}

using DeviceWords = OnEveryDevice;

TEST_P(DeviceWords, FunctionsAgreeWithTheHost) {
  for (const bool vectors : {false, true}) {
    SCOPED_TRACE(vectors);
    expect_functions<double>(*device, Precision::double_, vectors, all_functions());
    expect_functions<float>(*device, Precision::single_, vectors, all_functions());
  }
}

TEST(Words, FunctionsAgreeWithTheHostForEveryWidth) {
  TemporaryCache cache;
  for (const int width : usable_widths()) {
    SCOPED_TRACE(width);
    CpuDevice device(1, width);
    EXPECT_EQ(device.lanes(Precision::double_), width / 8);
    EXPECT_EQ(device.lanes(Precision::single_), width / 4);
    expect_functions<double>(device, Precision::double_, true, functions_by_width());
    expect_functions<float>(device, Precision::single_, true, functions_by_width());
  }
}

// Source that a model may contain: names that OpenCL C reserves, an integer where a scalar is expected, tables of tables.
constexpr const char* model_like = R"(
TABLE int order[2][3] = {{2, 1, 0}, {0, 2, 1}};
TABLE scalar weight[3] = {0.1, 1e-3, .5};
enum { rho, half };
FUNCTION void cross(const real *a, const real *b, real *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}
FUNCTION real dot(const real *a, const real *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
FUNCTION real clamp(real x) { return fmin(fmax(x, 0), 1); }
FUNCTION real step(real x) { return x < 0 ? 0.0 : 1.0; }
KERNEL void select(GLOBAL const scalar *x, GLOBAL scalar *y) {
  ITEMS(i) {
    real a[3], b[3], local[3], max = 0.0, length = sqrt(4.0), distance = pow(2.0, 3);
    UNROLL for (int k = 0; k < 3; ++k) {
      a[k] = weight[order[0][k]];
      b[k] = x[3 * i + order[1][k]];
    }
    cross(a, b, local);
    for (int k = 0; k < 3; ++k) max = fmax(max, abs(local[k]));
    y[5 * i] = dot(local, a);
    y[5 * i + 1] = max;
    y[5 * i + 2] = clamp(length) + step(-1) + half;
    y[5 * i + 3] = distance;
    y[5 * i + 4] = fmax(0.0 / x[3 * i + 3], 1.0);
  }
})";

TEST_P(DeviceWords, LeaveAModelItsOwnNames) {
  const auto program = device->compile({"model-like", model_like, {"select"}});
  const auto o_x = filled<double>({1, 2, 3, 0}), o_y = device->allocate(5 * sizeof(double), "y");
  device->queue().launch(program->kernel("select"), 1, {*o_x, *o_y});
  const auto y = content<double>(*o_y);
  // a = (0.5, 0.001, 0.1), b = (1, 3, 2).
  const double c[] = {0.001 * 2 - 0.1 * 3, 0.1 * 1 - 0.5 * 2, 0.5 * 3 - 0.001 * 1};
  EXPECT_NEAR(y[0], 0, 1e-15);
  EXPECT_NEAR(y[1], std::max({std::fabs(c[0]), std::fabs(c[1]), std::fabs(c[2])}), 1e-15);
  EXPECT_EQ(y[2], 2);
  EXPECT_EQ(y[3], 8);
  EXPECT_TRUE(std::isnan(y[4])) << "a NaN that comes first stays";
}

// 0.1 as a double would make a double of the sum; 1e-300 stays a double, and so does what it meets.
TEST_P(DeviceWords, LiteralsHaveTheProgramsPrecision) {
  constexpr const char* text = R"(
KERNEL void literals(GLOBAL const scalar *x, GLOBAL scalar *y) {
  ITEMS(i) y[i] = (x[i] + 0.1) - x[i];
})";
  const auto program = device->compile({"literals", text, {"literals"}, Precision::single_});
  const auto o_x = filled<float>({1e6f}), o_y = device->allocate(sizeof(float), "y");
  device->queue().launch(program->kernel("literals"), 1, {*o_x, *o_y});
  EXPECT_EQ(content<float>(*o_y)[0], 0.125f);  // a sixteenth is the last bit of a million
}

INSTANTIATE_TEST_SUITE_P(, DeviceWords, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
