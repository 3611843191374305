// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/cpu_device.hpp"

#include "folder.hpp"

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
        "KERNEL void f{}(GLOBAL const scalar *RESTRICT xs, GLOBAL const scalar *RESTRICT ys, GLOBAL scalar *RESTRICT zs) {{\n"
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

// out[f][i] = 10 in[i][f] by a transpose there, back[i][f] = in[i][f] + 1 by one back. Items begin one scalar behind a
// whole vector and have one scalar behind their fields, so that nothing is aligned and a scalar too much is seen. Vectors
// stream out, so that those words are tried too.
constexpr const char* lanes_text = R"(
template <int F> FUNCTION void there_and_back(const scalar *in, scalar *out, scalar *back) {
  ITEMS(i) {
    const scalar *from[LANES];
    scalar *to[LANES];
    for (int l = 0; l < LANES; ++l) {
      from[l] = in + 1 + (i * LANES + l) * (F + 1);
      to[l] = back + 1 + (i * LANES + l) * (F + 1);
      prefetch(to[l]);
    }
    real x[F];
    load_lanes<F>(from, x);
    for (int f = 0; f < F; ++f) stream_store((real *)out + i * F + f, 10.0 * x[f]);
    for (int f = 0; f < F; ++f) x[f] += 1.0;
    store_lanes<F>(to, x);
  }
  stream_fence();
}
)";
constexpr int most_fields = 9;

template <class Scalar>
void expect_transposes(Device& device, Precision precision, bool vectors) {
  ProgramText text{"lanes", lanes_text, {}, precision, vectors};
  for (int fields = 1; fields <= most_fields; ++fields) {
    text.kernels.push_back(fmt::format("turn{}", fields));
    text.text += fmt::format("KERNEL void turn{0}(GLOBAL const scalar *in, GLOBAL scalar *out, GLOBAL scalar *back) {{ "
                             "there_and_back<{0}>(in, out, back); }}\n", fields);
  }
  const auto program = device.compile(text);
  for (int fields = 1; fields <= most_fields; ++fields) {
    const int lanes = vectors ? device.lanes(precision) : 1, batches = 3, items = batches * lanes;
    const std::size_t guarded = 1 + static_cast<std::size_t>(items) * (fields + 1);
    std::vector<Scalar> in(guarded), out(items * fields), back(guarded);
    for (std::size_t i = 0; i < guarded; ++i) in[i] = static_cast<Scalar>(i);
    const auto o_in = device.allocate(guarded * sizeof(Scalar), "in"), o_back = device.allocate(o_in->bytes(), "back"),
               o_out = device.allocate(out.size() * sizeof(Scalar), "out");
    o_in->write(in.data(), o_in->bytes());
    device.queue().launch(program->kernel(text.kernels[fields - 1]), batches, {*o_in, *o_out, *o_back});
    o_out->read(out.data(), o_out->bytes());
    o_back->read(back.data(), o_back->bytes());
    EXPECT_EQ(back[0], 0);
    for (int i = 0; i < items; ++i) {
      const std::size_t at = 1 + static_cast<std::size_t>(i) * (fields + 1);
      for (int f = 0; f < fields; ++f) {
        ASSERT_EQ(out[(i / lanes * fields + f) * lanes + i % lanes], 10 * in[at + f]) << i << ", " << f << "/" << fields;
        ASSERT_EQ(back[at + f], in[at + f] + 1) << i << ", " << f << "/" << fields;
      }
      ASSERT_EQ(back[at + fields], 0) << "behind item " << i << " of " << fields << " fields";
    }
  }
}

// The widths that this machine's compiler can use.
std::vector<int> widths() {
  const int widest = CpuDevice(1).info().vector_bytes;
  std::vector<int> all;
  for (int bytes = 16; bytes <= widest; bytes *= 2) all.push_back(bytes);
  return all;
}

TEST(Words, FunctionsAgreeWithTheHostOnScalarsAndVectors) {
  TemporaryCache cache;
  CpuDevice device(1);
  for (const bool vectors : {false, true}) {
    SCOPED_TRACE(vectors);
    expect_functions<double>(device, Precision::double_, vectors, all_functions());
    expect_functions<float>(device, Precision::single_, vectors, all_functions());
  }
}

TEST(Words, FunctionsAgreeWithTheHostForEveryWidth) {
  TemporaryCache cache;
  for (const int width : widths()) {
    SCOPED_TRACE(width);
    CpuDevice device(1, width);
    EXPECT_EQ(device.lanes(Precision::double_), width / 8);
    EXPECT_EQ(device.lanes(Precision::single_), width / 4);
    expect_functions<double>(device, Precision::double_, true, functions_by_width());
    expect_functions<float>(device, Precision::single_, true, functions_by_width());
  }
}

TEST(Lanes, TransposeAnyNumberOfFieldsThereAndBack) {
  TemporaryCache cache;
  for (const int width : widths()) {
    SCOPED_TRACE(width);
    CpuDevice device(1, width);
    expect_transposes<double>(device, Precision::double_, true);
    expect_transposes<float>(device, Precision::single_, true);
  }
  CpuDevice device(1);
  expect_transposes<double>(device, Precision::double_, false);
}

}  // namespace
}  // namespace swell
