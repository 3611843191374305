// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "study/bench/bench.hpp"

namespace swell {
namespace {

bool has(const std::vector<BenchEntry>& entries, const std::string& name) {
  return std::any_of(entries.begin(), entries.end(), [&](const BenchEntry& entry) { return entry.name() == name; });
}

TEST(BenchEntries, AreNamedByModelElementOrderAndPrecision) {
  const auto entries = bench_entries({3});
  EXPECT_TRUE(has(entries, "maxwell-tetrahedron-3-double"));
  for (const auto& e : entries) EXPECT_EQ(e.order, 3) << e.name();
}

TEST(BenchEntries, AreTheLinearWavesThatShipInTheDimensionsOfTheirPages) {
  const auto entries = bench_entries({2});
  EXPECT_TRUE(has(entries, "elastic-triangle-2-single"));
  EXPECT_TRUE(has(entries, "elastic-hexahedron-2-single"));
  EXPECT_TRUE(has(entries, "acoustics-hexahedron-irregular-2-double"));
  EXPECT_TRUE(has(entries, "maxwell-tetrahedron-varying-2-double"));
  for (const char* kind : {"curved", "reacting", "sources"}) EXPECT_TRUE(has(entries, fmt::format("maxwell-tetrahedron-{}-2-double", kind))) << kind;
  EXPECT_TRUE(has(entries, "maxwell-tm-quadrilateral-2-double"));
  EXPECT_FALSE(has(entries, "maxwell-tm-tetrahedron-2-double"));
  EXPECT_FALSE(has(entries, "heat-triangle-2-double"));
  EXPECT_FALSE(has(entries, "levelset-triangle-2-double"));
}

TEST(BenchEntries, AreMeasuredBesideRegularBoxesOfTheirShapes) {
  const auto names = [](const BenchEntry& entry) {
    std::vector<std::string> all;
    for (const auto& other : entry.plain()) all.push_back(other.name());
    return all;
  };
  const auto entries = bench_entries({2});
  const auto of = [&](const std::string& name) {
    return names(*std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name() == name; }));
  };
  ASSERT_TRUE(has(entries, "acoustics-mixed-2-single"));
  EXPECT_EQ(of("acoustics-mixed-2-single"),
            (std::vector<std::string>{"acoustics-triangle-2-single", "acoustics-quadrilateral-2-single"}));
  EXPECT_EQ(of("acoustics-space-mixed-2-double"),
            (std::vector<std::string>{"acoustics-tetrahedron-2-double", "acoustics-prism-2-double", "acoustics-pyramid-2-double",
                                      "acoustics-hexahedron-2-double"}));
  EXPECT_EQ(of("acoustics-hexahedron-irregular-2-double"), (std::vector<std::string>{"acoustics-hexahedron-2-double"}));
  EXPECT_EQ(of("maxwell-tetrahedron-varying-2-double"), (std::vector<std::string>{"maxwell-tetrahedron-2-double"}));
  for (const char* kind : {"curved", "reacting", "sources"})
    EXPECT_EQ(of(fmt::format("maxwell-tetrahedron-{}-2-double", kind)), (std::vector<std::string>{"maxwell-tetrahedron-2-double"})) << kind;
  EXPECT_TRUE(of("acoustics-quadrilateral-2-double").empty());
  ASSERT_TRUE(has(entries, "euler-hexahedron-ranocha-2-double"));
  EXPECT_EQ(of("euler-hexahedron-ranocha-2-double"), (std::vector<std::string>{"euler-hexahedron-2-double"}));
  EXPECT_TRUE(has(entries, "euler-quadrilateral-2-single"));
  for (const char* element : {"triangle", "quadrilateral", "tetrahedron", "hexahedron", "hexahedron-kennedy_gruber"})
    EXPECT_TRUE(has(entries, fmt::format("navier-stokes-{}-2-double", element))) << element;
}

// Each kind does what its name says beside the plain box: its elements read more, or have more to do.
TEST(BenchOfKinds, RunsBesideThePlainBox) {
  const auto device = open_device("cpu:1");
  const Peaks peaks{1e10, 1e10, 2e10};
  BenchEntry entry{"maxwell", Shape::hexahedron, 1, Precision::double_};
  std::vector<BenchResult> results{run_bench(entry, *device, peaks, 3000)};
  EXPECT_FALSE(results[0].of_plain);
  EXPECT_EQ(worst_of_plain(results), nullptr);
  for (bool BenchEntry::*kind : {&BenchEntry::curved, &BenchEntry::reacting, &BenchEntry::sources}) {
    BenchEntry other = entry;
    other.*kind = true;
    results.push_back(run_bench(other, *device, peaks, 3000));
    ASSERT_TRUE(results.back().of_plain) << other.name();
    EXPECT_GT(*results.back().of_plain, 0) << other.name();
  }
  EXPECT_GT(results[1].work.bytes, results[0].work.bytes);  // metrics at points
  const BenchResult* worst = worst_of_plain(results);
  ASSERT_NE(worst, nullptr);
  for (const BenchResult& result : results) EXPECT_GE(result.of_plain.value_or(1e9), *worst->of_plain);
}

// Their states are admissible ones, and the passes of viscous terms count for the bound.
TEST(BenchOfFlow, RunsAndNamesItsFractionOfTheBound) {
  const auto device = open_device("cpu:1");
  const Peaks peaks{1e10, 1e10, 2e10};
  std::vector<BenchResult> results;
  for (const char* model : {"euler", "navier-stokes"})
    results.push_back(run_bench({model, Shape::quadrilateral, 1, Precision::double_}, *device, peaks, 2000));
  for (const BenchResult& result : results) {
    EXPECT_GT(result.fraction(), 0) << result.entry.name();
    EXPECT_LT(result.seconds, 1) << result.entry.name();
  }
  EXPECT_GT(results[1].work.bytes, 1.5 * results[0].work.bytes);
}

}  // namespace
}  // namespace swell
