// SPDX-License-Identifier: Apache-2.0
// Verification files: $words, lines that are combined, and a sentence for everything that is wrong.
#include "case/verify_file.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace swell {
namespace {

constexpr const char* sections = R"toml(
[let]
k = 2
wave = "sin($k*pi*x)"
[mesh.box]
low = [0, 0]
high = [1, 0.5]
cells = ["$N", "$half"]
element = "$element"
[model]
name = "advection"
order = "$order"
[material]
ax = 1
ay = 0
[initial]
u = "$wave"
[exact]
u = "0.5*$wave"
[time]
end = 1
cfl = "$cfl"
)toml";

constexpr const char* lines = R"toml(
[[verify]]
name = "wave"
shows = "a wave"
rate = "p + 1"
series = [{ element = ["triangle", "quadrilateral"], order = [2, 4], cells = [8, 16], quick = [4] , at_most = 0.5 }]
)toml";

VerifyEntry only(const std::string& text) {
  const auto entries = parse_verify_file(text, "mine.toml");
  EXPECT_EQ(entries.size(), 1u);
  return entries.front();
}

void expect_refused(const std::string& text, const std::vector<std::string>& words) {
  try {
    const VerifyEntry entry = only(text);
    for (const VerifySeries& series : entry.series) case_of_row(entry, series, 8, Precision::double_);
    FAIL() << "this was taken:" << text;
  } catch (const InputError& e) {
    for (const std::string& word : words) EXPECT_NE(std::string(e.what()).find(word), std::string::npos) << word << ": " << e.what();
  }
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const std::string whole = std::string(sections) + lines;

TEST(VerifyFile, CombinesElementsAndOrders) {
  const VerifyEntry entry = only(whole);
  ASSERT_EQ(entry.series.size(), 4u);
  EXPECT_EQ(entry.series[1].element, "triangle");
  EXPECT_EQ(entry.series[1].order, 4);
  EXPECT_EQ(entry.series[1].expected_order, 5);
  EXPECT_EQ(entry.series[1].cfl, 0.5);
  EXPECT_EQ(entry.series[2].element, "quadrilateral");
  EXPECT_EQ(entry.quantity, "relative L2");
}

TEST(VerifyFile, FillsWordsWithTheirKindAndInsideExpressions) {
  const VerifyEntry entry = only(whole);
  const Case c = case_of_row(entry, entry.series[1], 8, Precision::single_);
  EXPECT_EQ(c.order, 4);
  EXPECT_EQ(c.box->cells[1], 4);
  EXPECT_EQ(c.cfl, 0.5);
  EXPECT_EQ(c.precision, Precision::single_);
  EXPECT_EQ(c.initial.at("u").text, "sin(2*pi*x)");
  EXPECT_EQ(c.exact.at("u").text, "0.5*sin(2*pi*x)");
}

TEST(VerifyFile, MergesWhatOneCaseHasInstead) {
  const VerifyEntry entry = only(whole + "with.time.scheme = \"ader\"\nwith.material.ay = 3\nlet.k = \"(4)\"\n");
  const Case c = case_of_row(entry, entry.series[0], 8, Precision::double_);
  EXPECT_EQ(c.scheme, "ader");
  EXPECT_EQ(c.material.at("").at("ay").text, "3");
  EXPECT_EQ(c.material.at("").at("ax").text, "1");
  EXPECT_EQ(c.initial.at("u").text, "sin((4)*pi*x)");
}

TEST(VerifyFile, RefusesWordsWithoutAValueAndInACircle) {
  expect_refused(changed(whole, "k = 2", "kk = 2"), {"$k", "mine.toml"});
  expect_refused(changed(whole, "k = 2", "k = \"$wave\""), {"circle", "mine.toml"});
  expect_refused(changed(whole, "k = 2", "k = [1, 2]"), {"$k", "mine.toml"});
}

TEST(VerifyFile, RefusesWrongKeysWithTheirPlace) {
  expect_refused(sections, {"verify", "missing", "mine.toml"});
  expect_refused(changed(whole, "shows = \"a wave\"", ""), {"verify[0].shows", "missing", "mine.toml"});
  expect_refused(changed(whole, "rate =", "rats ="), {"verify[0].rats", "mine.toml", "verify[0].rate"});
  expect_refused(changed(whole, "quick =", "quik ="), {"verify[0].series[0].quik", "mine.toml", "quick"});
  expect_refused(changed(whole, "[8, 16]", "[16, 8]"), {"verify[0].series[0].cells", "coarse to fine"});
  expect_refused(changed(whole, "\"p + 1\"", "\"q + 1\""), {"verify[0].rate", "q"});
  expect_refused(changed(whole, "name = \"advection\"", "nam = \"advection\""), {"model.nam", "mine.toml"});
  expect_refused(changed(whole, "rate =", "measure = \"l3\"\nrate ="), {"verify[0].measure", "l2"});
  expect_refused(changed(whole, "rate =", "unit = 2\nrate ="), {"verify[0].unit", "l2"});
  expect_refused(changed(whole, "rate =", "measure = \"farfield\"\nrate ="), {"verify[0].expected", "missing", "farfield"});
  expect_refused(changed(whole, "rate =", "with = 3\nrate ="), {"verify[0].with", "table"});
  expect_refused(changed(whole, "rate =", "measure = \"values\"\nvalues = [{ at = [0, 0], crosses = 2, value = 1 }]\nrate ="),
                 {"verify[0].values[0].to", "missing", "crosses"});
}

TEST(VerifyFile, RefusesLinesThatExpectNothing) {
  const std::string free = changed(changed(whole, "rate = \"p + 1\"", ""), ", at_most = 0.5", "");
  expect_refused(free, {"verify[0].series[0]", "expects nothing"});
  expect_refused(changed(changed(whole, "[8, 16]", "[8]"), ", at_most = 0.5", ""), {"verify[0].series[0]", "two meshes"});
  expect_refused(changed(whole, "at_most = 0.5", "at_most = 0.5, guard = 1"), {"verify[0].series[0]", "one bound"});
  expect_refused(changed(whole, "at_most = 0.5", "reference = { coarse = 1 }"), {"reference.coarse", "N of a mesh"});
}

TEST(VerifyFile, IsNoCase) {
  try {
    parse_case(whole, "mine.toml");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("swell verify mine.toml"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace swell
