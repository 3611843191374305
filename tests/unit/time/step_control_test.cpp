// SPDX-License-Identifier: Apache-2.0
// How long steps are: equal ones that meet every instant, and stable ones that follow measured rates.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "time/step_control.hpp"

namespace swell {
namespace {

struct Nothing : Buffer {
  std::size_t bytes() const override { return 0; }
  void write(const void*, std::size_t, std::size_t) override {}
  void read(void*, std::size_t, std::size_t) const override {}
  void fill_zero() override {}
};

// The rate is a function of time, and known only to those who ask after it was noted.
struct Rates : StateRates {
  explicit Rates(double (*of_time)(double)) : rate(of_time) {}
  void note_rates(const Buffer&, double t) override {
    noted = rate(t);
    ++notes;
  }
  double largest_rate() override {
    ++reads;
    return noted;
  }
  double (*rate)(double);
  double noted = 0;
  int notes = 0, reads = 0;
};

std::vector<double> times_until(StepControl& control, TimePoint& now, double until) {
  Nothing q;
  std::vector<double> times;
  while (const double step = control.next(now, until)) {
    control.stepped(now, step);
    control.look(q, now);
    times.push_back(now.time);
  }
  return times;
}

TEST(EqualStepsTest, DivideAStretchEquallyAndEndItExactly) {
  EqualSteps control(false);
  TimePoint now{.dt = 0.3};
  EXPECT_EQ(times_until(control, now, 1.0), (std::vector<double>{0.25, 0.5, 0.75, 1.0}));
  EXPECT_EQ(times_until(control, now, 1.6), (std::vector<double>{1.0 + (1.6 - 1.0) / 2, 1.6}));
  EXPECT_TRUE(times_until(control, now, 1.6).empty());
  EXPECT_EQ(now.steps, 6);
  EXPECT_EQ(now.done, 0);
}

TEST(EqualStepsTest, GoOnInAStretchThatWasLeft) {
  EqualSteps control(false);
  TimePoint now{.dt = 0.3}, again;
  control.stepped(now, control.next(now, 1.0));
  EXPECT_EQ(now.done, 1);
  again = now;
  EXPECT_EQ(times_until(control, again, 1.0), (std::vector<double>{0.5, 0.75, 1.0}));
  EXPECT_EQ(times_until(control, now, 0.5), (std::vector<double>{0.5}));  // another instant begins another stretch
}

TEST(EqualStepsTest, KeepTheirLengthWhereItIsGiven) {
  EqualSteps control(true);
  TimePoint now{.dt = 0.3};
  EXPECT_EQ(times_until(control, now, 0.8), (std::vector<double>{0.3, 0.6, 3 * 0.3}));
}

TEST(StableStepsTest, BeginShortAndGrowToTheStableStep) {
  Rates rates([](double) { return 2.0; });
  StableSteps control(rates, 0.5);
  TimePoint now;
  Nothing q;
  control.begin(q, now);
  EXPECT_DOUBLE_EQ(now.dt, 0.25);
  const auto times = times_until(control, now, 10);
  EXPECT_LT(times.front(), 0.1);
  double before = 0, longest = 0, last = 0;
  for (const double t : times) {
    EXPECT_GT(t, before);
    longest = std::max(longest, t - before);
    last = t - before;
    before = t;
  }
  EXPECT_NEAR(longest, 0.25, 1e-12);
  EXPECT_GT(last, 0.12);  // no sliver before the end
  EXPECT_EQ(times.back(), 10);
}

TEST(StableStepsTest, FollowRatesThatRiseAndFall) {
  Rates rates([](double t) { return t < 2 ? 1.0 : t < 4 ? 5.0 : 2.0; });
  StableSteps control(rates, 0.1);
  TimePoint now;
  Nothing q;
  control.begin(q, now);
  times_until(control, now, 3.9);
  EXPECT_NEAR(now.dt, 0.02, 0.011);
  times_until(control, now, 8);
  EXPECT_NEAR(now.dt, 0.05, 0.026);
}

TEST(StableStepsTest, ReadAMeasurementOnlyWhenTheNextIsDue) {
  Rates rates([](double) { return 1.0; });
  StableSteps control(rates, 0.01);
  TimePoint now;
  Nothing q;
  control.begin(q, now);
  times_until(control, now, 1.0);
  EXPECT_EQ(rates.reads, rates.notes - 1);  // the last one waits
  EXPECT_LT(rates.reads, 21 + static_cast<int>(now.steps) / 4);
}

// Times agree bit by bit, from any step on.
TEST(StableStepsTest, GoOnFromACheckpointWithTheSameSteps) {
  const auto rate = [](double t) { return 1 + 0.5 * std::sin(3 * t); };
  Nothing q;
  Rates rates(rate);
  StableSteps whole(rates, 0.02);
  TimePoint now;
  whole.begin(q, now);
  const auto expected = times_until(whole, now, 1.5);
  for (const std::size_t cut : {3u, 21u, 22u, 24u, 25u, 40u}) {
    Rates first(rate), second(rate);
    StableSteps before(first, 0.02), after(second, 0.02);
    TimePoint at;
    before.begin(q, at);
    for (std::size_t i = 0; i < cut; ++i) {
      before.stepped(at, before.next(at, 1.5));
      before.look(q, at);
    }
    before.save(at);
    after.resume(at);
    const auto rest = times_until(after, at, 1.5);
    EXPECT_EQ(std::vector<double>(expected.begin() + static_cast<std::ptrdiff_t>(cut), expected.end()), rest) << cut;
  }
}

TEST(StableStepsTest, TellNothingThatMovesFromSpeedsThatAreNoNumbers) {
  Rates still([](double) { return 0.0; }), broken([](double) { return std::numeric_limits<double>::infinity(); });
  Nothing q;
  TimePoint now;
  StableSteps(still, 0.5).begin(q, now);
  EXPECT_TRUE(std::isinf(now.dt));
  StableSteps(broken, 0.5).begin(q, now);
  EXPECT_EQ(now.dt, 0);
}

}  // namespace
}  // namespace swell
