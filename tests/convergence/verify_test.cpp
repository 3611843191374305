// SPDX-License-Identifier: Apache-2.0
// The quick form of the verification suite: every row is a claim. And the judge itself must be able to say no.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "study/verify/measures.hpp"
#include "study/verify/verify.hpp"

namespace swell {
namespace {

Device& shared_device() {
  static const std::unique_ptr<Device> device = open_device("cpu");
  return *device;
}

std::vector<std::string> entry_names() {
  std::vector<std::string> names;
  for (const auto& entry : verify_entries()) names.push_back(entry.name);
  return names;
}

VerifyEntry entry_named(const std::string& name) {
  for (const auto& entry : verify_entries())
    if (entry.name == name) return entry;
  throw InputError("There is no verification case '{}'.", name);
}

VerifySeries study(std::string element, int order, std::vector<int> cells, std::vector<int> quick = {}) {
  VerifySeries series{std::move(element), order, std::move(cells), std::move(quick)};
  series.expected_order = order + 1;
  return series;
}

VerifySeries limit(std::string element, int order, std::vector<int> cells, std::vector<int> quick, double at_most) {
  VerifySeries series{std::move(element), order, std::move(cells), std::move(quick)};
  series.at_most = at_most;
  return series;
}

class Verification : public testing::TestWithParam<std::string> {};

TEST_P(Verification, MeetsItsExactAnswerOnSmallMeshes) {
  VerifyOptions options;
  options.quick = true;
  const VerifyEntry entry = entry_named(GetParam());
  for (const auto& series : entry.series)
    for (const auto& row : run_series(entry, series, options, shared_device()))
      EXPECT_TRUE(row.passed) << row.name << " on " << row.element << ", order " << row.order << ", N = " << row.cells
                              << ": error " << row.error << ", order " << row.observed_order << ", expected "
                              << row.expected << ": " << row.remark;
}

INSTANTIATE_TEST_SUITE_P(Quick, Verification, testing::ValuesIn(entry_names()), [](const auto& tested) {
  std::string name = tested.param;
  for (char& c : name)
    if (c == '-' || c == '.') c = '_';
  return name;
});

TEST(VerifyInSinglePrecision, ReachesTheRoundingFloorAndStaysThere) {
  VerifyOptions options;
  options.precision = Precision::single_;
  const VerifyEntry entry = entry_named("maxwell-tm-cavity");
  const auto rows = run_series(entry, limit("quadrilateral", 8, {4, 8}, {}, floor_single), options, shared_device());
  ASSERT_EQ(rows.size(), 2u);
  for (const auto& row : rows) EXPECT_LE(row.error, floor_single) << row.remark;
  EXPECT_GT(rows[1].error, 1e-9) << "this is not single precision";
}

// Two rows as a run would leave them, judged.
VerifyRow judged(const VerifySeries& series, double coarse, double fine, Precision precision = Precision::double_) {
  std::vector<VerifyRow> rows;
  for (const double error : {coarse, fine}) {
    VerifyRow row;
    row.cells = rows.empty() ? 8 : 16;
    row.error = error;
    rows.push_back(row);
    judge(series, precision, rows.size() == 2, rows);
  }
  return rows.back();
}

TEST(VerifyJudge, TakesTheExpectedOrderAndRefusesALowerOne) {
  const auto third = study("triangle", 2, {8, 16});
  EXPECT_TRUE(judged(third, 8e-3, 1e-3).passed);
  EXPECT_NEAR(judged(third, 8e-3, 1e-3).observed_order, 3, 1e-12);
  EXPECT_TRUE(judged(third, 8e-3, 1.15e-3).passed);
  EXPECT_FALSE(judged(third, 8e-3, 1.3e-3).passed);
  EXPECT_FALSE(judged(third, 1e-3, 1e-3).passed);
}

TEST(VerifyJudge, TakesAHigherOrderOnlyBelowAnErrorThatIsGiven) {
  auto third = study("triangle", 2, {8, 16});
  EXPECT_FALSE(judged(third, 1.6e-2, 1e-3).passed);
  third.at_most = 2e-3;
  EXPECT_TRUE(judged(third, 1.6e-2, 1e-3).passed);
  EXPECT_FALSE(judged(third, 1.6e-2, 1e-3).remark.empty());
  third.at_most = 0.9e-3;
  EXPECT_FALSE(judged(third, 1.6e-2, 1e-3).passed);
}

TEST(VerifyJudge, RefusesAnErrorThatIsNotItsReferenceWithinTheFactor) {
  auto series = study("triangle", 2, {8, 16});
  series.reference = {{16, 1e-3}};
  EXPECT_TRUE(judged(series, 1.12e-2, 1.4e-3).passed);
  EXPECT_FALSE(judged(series, 1.28e-2, 1.6e-3).passed);
  EXPECT_FALSE(judged(series, 4.8e-3, 0.6e-3).passed);
}

TEST(VerifyJudge, ForgivesALostOrderOnlyBelowTheFloorOfThePrecision) {
  const auto third = study("triangle", 2, {8, 16});
  EXPECT_TRUE(judged(third, 1e-13, 1e-13).passed);
  EXPECT_FALSE(judged(third, 1e-11, 1e-11).passed);
  EXPECT_TRUE(judged(third, 5e-6, 5e-6, Precision::single_).passed);
  EXPECT_FALSE(judged(third, 2e-5, 2e-5, Precision::single_).passed);
}

TEST(VerifyJudge, TakesOrdersUpToThatOfThePhaseWhereASeriesSaysSo) {
  auto third = study("triangle", 2, {8, 16});
  third.highest_order = 5;
  EXPECT_TRUE(judged(third, 3e-2, 1e-3).passed);
  EXPECT_TRUE(judged(third, 8e-3, 1e-3).passed);
  EXPECT_FALSE(judged(third, 4e-2, 1e-3).passed);
  EXPECT_FALSE(judged(third, 6e-3, 1e-3).passed);
  EXPECT_EQ(judged(third, 8e-3, 1e-3).expected, "order 3 to 5 +- 0.25");
}

TEST(VerifyJudge, SaysWhichBoundsAreGuards) {
  EXPECT_EQ(judged(limit("triangle", 2, {8, 16}, {}, 2e-3), 8e-3, 1e-3).expected, "at most 0.002");
  auto third = study("triangle", 2, {8, 16});
  third.at_most = 2e-3;
  third.guard = true;
  EXPECT_EQ(judged(third, 8e-3, 1e-3).expected, "order 3 +- 0.25, at most 0.002 (guard)");
}

TEST(VerifyJudge, RefusesAnOrderThatShouldBeLost) {
  VerifySeries second{"triangle", 3, {8, 16}};
  second.lost_order = 2;
  EXPECT_TRUE(judged(second, 4e-3, 1.1e-3).passed);
  EXPECT_FALSE(judged(second, 8e-3, 1e-3).passed);
  EXPECT_FALSE(judged(second, 4e-3, std::numeric_limits<double>::quiet_NaN()).passed);
}

TEST(VerifySeries, MayAskForAPrecisionOfItsOwn) {
  const VerifyEntry entry = entry_named("maxwell-tm-cavity");
  auto series = limit("quadrilateral", 8, {8}, {}, floor_single);
  series.precision = Precision::single_;
  const auto rows = run_series(entry, series, {}, shared_device());
  EXPECT_EQ(rows.back().precision, "single");
  EXPECT_GT(rows.back().error, 1e-9) << "this is not single precision";
}

// Known values at the turn of the flow; at its period everything is where it began.
TEST(Carried, TakesExactValuesAlongTheFlow) {
  const VerifyEntry entry = entry_named("advection-swirl-half");
  const Case c = case_of_row(entry, entry.series.front(), 8, Precision::double_);
  const auto swirl = [&](double x, double y, double t) { return carried_value(entry.measure, c.initial.at("u"), x, y, t); };
  EXPECT_NEAR(swirl(0.4405570412318, 0.7443167989667, 0.75), 0.5, 1e-10);
  EXPECT_NEAR(swirl(0.5636941123474, 0.7952657399080, 0.75), 0.5 * std::exp(-0.5), 1e-9);
  EXPECT_NEAR(swirl(0.7, 0.52, 1.5), swirl(0.7, 0.52, 0), 1e-14);
  EXPECT_GT(std::abs(swirl(0.75, 0.5, 0.75) - 0.5), 0.1);
}

TEST(VerifyJudge, RefusesWhatIsNotANumber) {
  VerifySeries free{"triangle", 2, {8, 16}};
  EXPECT_TRUE(judged(free, 1, 1).passed);
  EXPECT_FALSE(judged(free, 1, std::numeric_limits<double>::quiet_NaN()).passed);
}

TEST(Verify, FailsForAWrongReferenceAWrongAnswerAndARunThatCannotStart) {
  VerifyOptions options;
  options.quick = true;
  VerifyEntry entry = entry_named("maxwell-tm-cavity");
  auto series = limit("quadrilateral", 3, {}, {4}, 1);
  series.reference = {{4, 1e-3}};
  EXPECT_FALSE(run_series(entry, series, options, shared_device()).back().passed);
  series.reference.clear();
  EXPECT_TRUE(run_series(entry, series, options, shared_device()).back().passed);

  // A frequency that is 3 % off is no solution: the order is lost.
  auto order = study("quadrilateral", 3, {}, {4, 8});
  order.words = {{"w", "\"(1.03*sqrt(2)*pi)\""}};
  EXPECT_FALSE(run_series(entry, order, options, shared_device()).back().passed);

  entry.sections += "\n[material]\nepsilom = 2\n";
  const auto rows = run_series(entry, series, options, shared_device());
  EXPECT_FALSE(rows.back().passed);
  EXPECT_NE(rows.back().remark.find("material.epsilom"), std::string::npos) << rows.back().remark;
}

// A wave that is carried to the right for a unit of time, and what it holds.
TEST(VerifyMeasures, FindWhereALevelIsCrossedAndIntegralsOfFields) {
  const std::string text = R"toml(
[mesh]
box = { low = [0], high = [2], cells = ["$N"], periodic = [true] }
[model]
name = "advection"
order = "$order"
[initial]
u = "1 + 0.5*sin(pi*x)"
[time]
end = 1
[[verify]]
name = "place"
shows = "where it is 1.25 on the way from 0.5 to 1.8"
measure = "values"
values = [{ at = [0.5], to = [1.8], crosses = 1.25, value = 0.6666666667 }, { at = [0.5], to = [1.5], mean = true, value = 1 }]
series = [{ element = "line", order = 5, cells = [16], at_most = 1e-6 }]
[[verify]]
name = "never"
shows = "a level that it has nowhere"
measure = "values"
values = [{ field = "u", at = [0.5], to = [1.8], crosses = 2, value = 1 }]
series = [{ element = "line", order = 5, cells = [16], at_most = 1e9 }]
[[verify]]
name = "integral"
shows = "what it holds"
measure = "energy-change"
field = "u"
series = [{ element = "line", order = 5, cells = [16], at_most = 1e-12 }]
)toml";
  const auto entries = parse_verify_file(text, "wave.toml");
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[2].quantity, "change of the u");
  const auto row = [](const VerifyEntry& entry) { return run_series(entry, entry.series.front(), {}, shared_device()).back(); };
  EXPECT_TRUE(row(entries[0]).passed) << row(entries[0]).error;
  EXPECT_FALSE(row(entries[1]).passed);
  EXPECT_NE(row(entries[1]).remark.find("u does not cross 2 between 0.5 and 1.8"), std::string::npos) << row(entries[1]).remark;
  EXPECT_TRUE(row(entries[2]).passed) << row(entries[2]).error;
  VerifyEntry wrong = entries[0];
  wrong.measure.values[0].value = 0.66;
  EXPECT_FALSE(row(wrong).passed);
}

VerifyOptions named(const std::string& name) {
  VerifyOptions options;
  options.names = {name};
  return options;
}

TEST(VerifyNames, AreUniqueAndChosenByTheirBeginning) {
  const auto names = entry_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(select_entries(VerifyOptions{}).size(), names.size());
  EXPECT_EQ(select_entries(named("elastic-lame")).size(), 1u);
  EXPECT_GT(select_entries(named("elastic")).size(), 3u);
  EXPECT_EQ(select_entries(named("modal-swirl")).size(), 1u) << "a whole name takes no others that begin with it";
  try {
    select_entries(named("elastic-lme"));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("elastic-lame"), std::string::npos) << e.what();
  }
}

TEST(VerifyNames, TakeOnlyTheElementsAndOrdersAskedFor) {
  VerifyOptions options = named("elastic-periodic");
  options.elements = {"quadrilateral"};
  options.orders = {2, 3};
  const auto entries = select_entries(options);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries.front().series.size(), 2u);
  for (const VerifySeries& series : entries.front().series) {
    EXPECT_EQ(series.element, "quadrilateral");
    EXPECT_TRUE(series.order == 2 || series.order == 3) << series.order;
  }
  options.orders = {99};
  EXPECT_THROW(select_entries(options), InputError);
}

TEST(VerifyRows, AreCheckedBeforeAnyRuns) {
  EXPECT_GE(check_rows(verify_entries(), {}), 1768u) << "the suite only grows: fewer rows mean a file that is no longer read";
  VerifyEntry entry = entry_named("elastic-lame");
  entry.sections += "\n[modell]\norder = 2\n";
  EXPECT_THROW(check_rows({entry}, {}), InputError);
}

}  // namespace
}  // namespace swell
