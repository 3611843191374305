// SPDX-License-Identifier: Apache-2.0
// The monitor on devices: sums that do not depend on the order, and values that are not finite.
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/exact_sum.hpp"
#include "support.hpp"

namespace swell {
namespace {

class MonitorOnEveryDevice : public OnEveryDevice {};

constexpr std::int64_t count = 5000;

std::vector<double> of_all_sizes() {
  std::mt19937_64 engine(3);
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const double size = std::ldexp(1.0, static_cast<int>(engine() % 400) - 190);  // 2^-190 to 2^209
    values.push_back((2 * std::generate_canonical<double, 53>(engine) - 1) * size);
  }
  return values;
}

double summed(Device& device, const std::vector<double>& values, const std::vector<Range>& ranges) {
  Monitor monitor(device, Precision::double_, ranges.size());
  const auto o_values = device.allocate(values.size() * sizeof(double), "values");
  o_values->write(values.data(), values.size() * sizeof(double));
  const auto log = monitor.make_log(3);
  monitor.sum(*o_values, ranges, *log, 1);
  return monitor.read_log(*log, 3, lone_rank())[1];
}

TEST_P(MonitorOnEveryDevice, SumsExactlyInAnyOrder) {
  if (!device.info().doubles) GTEST_SKIP() << "no double precision";
  std::vector<double> values = of_all_sizes();
  ExactSum exact;
  for (const double value : values) exact.add(value);
  EXPECT_EQ(summed(device, values, {{0, count}}), exact.value());
  EXPECT_EQ(summed(device, values, {{0, 17}, {17, count - 17}}), exact.value());
  std::reverse(values.begin(), values.end());
  EXPECT_EQ(summed(device, values, {{0, count}}), exact.value());
  values[7] = 0x1p256;  // more than the digits hold: said, and not wrapped around
  EXPECT_TRUE(std::isnan(summed(device, values, {{0, count}})));
  values[7] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(summed(device, values, {{0, count}})));
}

std::string modal_ader(const std::string& box, int steps) {
  return fmt::format("[mesh]\nbox = {{ {}, element = \"triangle\" }}\n[model]\nname = \"acoustics\"\norder = 2\nfamily = \"modal\"\n"
                     "[initial]\np = \"cos(2*pi*x)\"\n[time]\nsteps = {}\nscheme = \"ader\"\n", box, steps);
}

// Modal ADER looks in the kernel that ends a step: it must find what a look at the whole state finds, wherever it lies.
TEST_P(MonitorOnEveryDevice, AStepThatLooksFindsWhatAWholeLookFinds) {
  Simulation run(parse_case(modal_ader("low = [0, 0], high = [1, 1], cells = [4, 4], periodic = [true, true]", 1), "test.toml"), device);
  Operator& dg = run.dg();
  const int numbers = dg.element().node_count, fields = dg.fields();
  auto state = dg.make_state("state");
  const auto look = [&](std::int64_t cell, int number, double value) {
    dg.states().write_numbers(*state, [&](std::int64_t at, double* values) {
      std::fill_n(values, numbers * fields, 0.1);
      if (at == cell) values[number] = value;
    });
    dg.observer().expect_watch();
    dg.predictor()->advance(state, 0, run.dt(), {});
    dg.observer().monitor().forget();
    dg.observer().watch(*state, 7);
    const Verdict quick = dg.observer().monitor().verdict();
    dg.observer().monitor().forget();
    dg.observer().watch(*state, 7);  // nothing was expected: looks at everything
    const Verdict whole = dg.observer().monitor().verdict();
    EXPECT_EQ(quick.finite, whole.finite);
    EXPECT_EQ(quick.index, whole.index);
    EXPECT_EQ(quick.step, whole.step);
    return quick.finite;
  };
  EXPECT_TRUE(look(-1, 0, 0));
  for (const std::int64_t cell : {0, 13, 31})
    for (int number = 0; number < numbers * fields; ++number) {
      EXPECT_FALSE(look(cell, number, std::numeric_limits<double>::quiet_NaN())) << cell << " " << number;
      EXPECT_FALSE(look(cell, number, std::numeric_limits<double>::infinity())) << cell << " " << number;
    }
}

// The promise holds through a run: the step, the element and the field of the sentence.
TEST_P(MonitorOnEveryDevice, NamesFieldElementAndStepOfModesWithAder) {
  Simulation run(parse_case(modal_ader("low = [0, 0], high = [8, 1], cells = [40, 1]", 60), "test.toml"), device);
  run.advance(10 * run.dt());
  const int numbers = run.dg().element().node_count, fields = run.dg().fields();
  std::vector<std::vector<double>> all(run.elements());
  run.dg().states().read_numbers(run.state(), [&](std::int64_t cell, const double* values) {
    all[cell].assign(values, values + numbers * fields);
  });
  run.dg().states().write_numbers(run.state(), [&](std::int64_t cell, double* values) {
    std::copy_n(all[cell].begin(), numbers * fields, values);
    if (cell == 40) values[fields - 1] = std::numeric_limits<double>::quiet_NaN();  // vy
  });
  try {
    run.advance(run.end());
    FAIL() << "nobody looked";
  } catch (const RunError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("(step 20)"), std::string::npos) << said;
    // Ten steps carry it to at most ten elements either side: the element named lies among them.
    const auto at = said.find("in element ");
    ASSERT_NE(at, std::string::npos) << said;
    EXPECT_NEAR(std::stod(said.substr(at + 11)), 40, 10 + 1) << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, MonitorOnEveryDevice, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
