// SPDX-License-Identifier: Apache-2.0
// The time loop stays on the device: the host queues, and waits only where something is due.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "base/error.hpp"
#include "sim/outputs/outputs.hpp"
#include "support.hpp"

namespace swell {
namespace {

const std::string box = R"toml(
[mesh]
box = { low = [0, 0], high = [1, 1], cells = [5, 3], element = "triangle" }
[model]
name = "acoustics"
order = 3
[initial]
p = "cos(pi*x)*cos(2*pi*y)"
)toml";

const std::string heard = box + R"toml(
[[receiver]]
name = "probe"
at = [0.3, 0.4]
[time]
steps = 400
)toml";

class Loop : public OnEveryDevice {
 protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / fmt::format("swell-loop-{}-{}", getpid(), device_test_name({GetParam(), 0}));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
};

TEST_P(Loop, OfManyStepsOnlyQueuesBetweenOutputs) {
  Simulation run(parse_case(heard, "test.toml"), device);
  Receivers receivers(run);
  receivers.open_files(folder, {});
  EnergySeries energies(run, folder, {});
  const auto after_step = [&] {
    receivers.sample();
    if (run.steps() % 2 == 0) energies.note();
    return true;
  };
  run.run_to(run.dt() * 20, after_step);
  const DeviceCounters before = device.counters();
  const auto checks = run.checks();
  const Stopwatch clock;
  run.run_to(run.end(), after_step);
  const double seconds = clock.seconds();
  const DeviceCounters after = device.counters();
  EXPECT_EQ(run.steps(), 400);
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.compiles, before.compiles);
  // A check is one wait and the copy of the verdict; at first it comes after 4, 16, 64 steps, then a few times a second.
  EXPECT_EQ(after.waits - before.waits, run.checks() - checks);
  EXPECT_EQ(after.copies - before.copies, run.checks() - checks);
  EXPECT_LE(static_cast<double>(run.checks() - checks), 5 + seconds / 0.05);
  EXPECT_GE(after.launches - before.launches, 380 * run.stages() + 380 + 190);
  run.settle();
}

TEST_P(Loop, NotesTheEnergyThatIsMeasuredAtOnce) {
  Simulation run(parse_case(heard, "test.toml"), device);
  std::vector<double> expected;
  {
    EnergySeries energies(run, folder, {});
    run.advance(run.dt() * 7, [&] {
      energies.note();
      expected.push_back(run.energy());
      return true;
    });
    energies.close();
  }
  std::ifstream in(folder / "energy.csv");
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "time,energy");
  for (const double energy : expected) {
    ASSERT_TRUE(std::getline(in, line));
    // One is summed by a tree on the device, whose depth counts for its rounding, the other exactly.
    EXPECT_NEAR(std::stod(line.substr(line.find(',') + 1)), energy, 32 * std::numeric_limits<double>::epsilon() * energy);
  }
  EXPECT_FALSE(std::getline(in, line));
}

// cos(pi x) cos(2 pi y) holds 1/8 over the unit square.
TEST_P(Loop, SumsTheEnergyToItsPrecision) {
  for (const char* precision : {"double", "single"}) {
    Simulation run(parse_case(box + "[time]\nsteps = 1\n", "test.toml",
                              {fmt::format("device.precision={}", precision), "mesh.box.cells=[60, 40]"}),
                   device);
    EXPECT_NEAR(run.energy(), 0.125, precision[0] == 'd' ? 1e-7 : 2e-7) << precision;
  }
}

TEST_P(Loop, SeesEveryValueThatIsNotFinite) {
  Simulation run(parse_case(box + "[time]\nsteps = 1\n", "test.toml"), device);
  Operator& dg = run.dg();
  EXPECT_TRUE(dg.observer().finite(run.state()));
  for (const double bad : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()})
    for (const std::int64_t cell : {0, 13, 29}) {
      dg.states().write_state(run.state(), [&](std::int64_t here, double* values) {
        if (here == cell) values[7] = bad;
      });
      dg.observer().watch(run.state(), 30);
      dg.observer().watch(run.state(), 40);
      const Verdict verdict = dg.observer().monitor().verdict();
      dg.observer().monitor().forget();
      ASSERT_FALSE(verdict.finite);
      EXPECT_EQ(verdict.step, 30);
      const auto place = dg.states().place(verdict.index);
      EXPECT_EQ(place.cell, cell);
      EXPECT_EQ(place.node * dg.fields() + place.field, 7);
      EXPECT_FALSE(dg.observer().finite(run.state()));
    }
  dg.states().write_state(run.state(), [](std::int64_t, double*) {});
  EXPECT_TRUE(dg.observer().finite(run.state()));
}

// Three times the stable step: whether the host looks often or late, it is told of the same step, field and element.
TEST_P(Loop, BlowsUpWithTheSameWordsHoweverLateTheHostLooks) {
  const auto words = [&](bool often) {
    Simulation run(parse_case(box + "[time]\nend = 100\ncfl = 3\n", "test.toml"), device);
    try {
      run.advance(run.end(), [&] {
        if (often) run.check();
        return true;
      });
    } catch (const RunError& failure) {
      EXPECT_EQ(run.steps() % 10, 0);
      EXPECT_LT(run.time(), 100);
      return fmt::format("{} {} {}", failure.what(), run.steps(), run.time());
    }
    return std::string("it did not blow up");
  };
  const std::string late = words(false);
  EXPECT_NE(late.find("blew up at t = "), std::string::npos) << late;
  EXPECT_EQ(words(true), late);
}

TEST_P(Loop, KeepsTheSamplesUpToTheBlowUp) {
  Simulation run(parse_case(heard, "test.toml", {"time.cfl=3", "time.steps=4000"}), device);
  Receivers receivers(run);
  receivers.open_files(folder, {});
  EXPECT_THROW(run.advance(run.end(), [&] { return receivers.sample(), true; }), RunError);
  receivers.flush();
  std::ifstream in(folder / "receivers" / "probe.csv");
  std::int64_t rows = -1;  // the head
  for (std::string line; std::getline(in, line);) ++rows;
  EXPECT_EQ(rows, run.steps());
}

INSTANTIATE_TEST_SUITE_P(Devices, Loop, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
