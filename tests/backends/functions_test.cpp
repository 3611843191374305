// SPDX-License-Identifier: Apache-2.0
// The Bessel functions that expressions may call, as each device computes them, against those of the host.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include "support.hpp"

namespace swell {
namespace {

const char* const functions[] = {"j0(x)", "j1(x)", "jn(4, x)", "y0(x)", "y1(x)", "yn(4, x)"};

std::string functions_text() {
  std::ifstream file(SWELL_SOURCE_DIR "/src/kernels/shared/functions.h");
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Scalar>
void expect_values_of_the_host(Device& device, Precision precision, double tolerance) {
  ProgramText text{"functions", functions_text(), {}, precision};
  for (std::size_t i = 0; i < std::size(functions); ++i) {
    text.kernels.push_back(fmt::format("values{}", i));
    text.text += fmt::format("KERNEL void values{}(GLOBAL const scalar *xs, GLOBAL scalar *ys)\n{{\n  ITEMS(i) {{\n    scalar x = xs[i];\n"
                             "    ys[i] = {};\n  }}\n}}\n",
                             i, Expression::parse(functions[i], {"x"}, "test").c_text());
  }
  const auto program = device.compile(text);
  std::vector<Scalar> x, y;
  for (int i = 1; i <= 300; ++i) x.push_back(static_cast<Scalar>(0.005 * i * std::pow(1.02, 0.8 * i)));  // to 170
  y.resize(x.size());
  const auto from = device.allocate(x.size() * sizeof(Scalar), "x"), to = device.allocate(y.size() * sizeof(Scalar), "y");
  from->write(x.data(), from->bytes());
  for (std::size_t f = 0; f < std::size(functions); ++f) {
    device.queue().launch(program->kernel(text.kernels[f]), static_cast<std::int64_t>(x.size()), {*from, *to});
    to->read(y.data(), to->bytes());
    const Expression host = Expression::parse(functions[f], {"x"}, "test");
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double at = x[i], expected = host(&at);
      const double amplitude = std::max(std::abs(expected), std::min(1.0, std::sqrt(2 / (std::numbers::pi * at))));
      ASSERT_NEAR(y[i], expected, tolerance * amplitude) << functions[f] << " at " << at;
    }
  }
}

class BesselFunctions : public OnEveryDevice {};

// The phase of single precision at x is right to 2^-24 x.
TEST_P(BesselFunctions, AreThoseOfTheHostInEachPrecision) {
  expect_values_of_the_host<double>(device, Precision::double_, 1e-13);
  expect_values_of_the_host<float>(device, Precision::single_, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Devices, BesselFunctions, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
