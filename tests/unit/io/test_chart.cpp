// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "base/error.hpp"
#include "io/draw/chart.hpp"

namespace swell {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

Chart line_chart(std::vector<Place> points) { return {"name", "A <title>", {"time"}, {"Ez"}, {{"probe", std::move(points)}}}; }

std::vector<std::string> texts(const ChartAxis& axis, const std::vector<double>& values) {
  return ChartScale(axis, values, 0, 800, 76).texts();
}

TEST(Chart, DrawsEveryCurveOnceAndNamesThemWhereThereAreSeveral) {
  Chart chart = line_chart({{0, 0}, {1, 1}});
  EXPECT_EQ(count(chart_svg(chart), "class=\"curve\""), 1u);
  EXPECT_EQ(count(chart_svg(chart), ">probe<"), 0u);
  chart.curves.push_back({"other", {{0, 1}, {1, 0}}});
  const std::string svg = chart_svg(chart);
  EXPECT_EQ(count(svg, "class=\"curve\""), 2u);
  EXPECT_EQ(count(svg, ">probe<") + count(svg, ">other<"), 2u);
  EXPECT_NE(svg.find("A &lt;title&gt;"), std::string::npos);
}

TEST(Chart, InterruptsCurvesAtValuesThatAreNotFinite) {
  const double hole = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(count(chart_svg(line_chart({{0, 0}, {1, 1}, {2, hole}, {3, 1}, {4, 2}})), "class=\"curve\""), 2u);
  EXPECT_THROW(chart_svg(line_chart({{0, hole}, {1, hole}})), InputError);
}

TEST(Chart, TicksAreRoundNumbers) {
  EXPECT_EQ(texts({"t"}, {0, 3}), (std::vector<std::string>{"0", "0.5", "1", "1.5", "2", "2.5", "3"}));
  EXPECT_EQ(texts({"t"}, {0, 3e-9})[1], "5e-10");
  EXPECT_EQ(texts({"phi", AxisKind::degrees}, {0, 360}),
            (std::vector<std::string>{"0", "45", "90", "135", "180", "225", "270", "315", "360"}));
}

TEST(Chart, LogarithmicTicksArePowersOfTenEquallyFarApart) {
  const ChartScale scale({"error", AxisKind::logarithmic}, {3e-6, 2e-2, 0, -1}, 0, 800, 76);
  EXPECT_EQ(scale.texts(), (std::vector<std::string>{"1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "1e-1"}));
  EXPECT_NEAR(scale(1e-5) - scale(1e-6), scale(1e-2) - scale(1e-3), 1e-9);
  EXPECT_FALSE(scale.shows(0));
  // Less than a decade, from 2.4 to 6.25: round numbers, without 6, which is nearer to 5.5 than the 76 pixels of a text.
  EXPECT_EQ(texts({"error", AxisKind::logarithmic}, {3, 5}), (std::vector<std::string>{"2.5", "3", "3.5", "4", "4.5", "5", "5.5"}));
}

TEST(Chart, PlacesGrowAlongTheAxis) {
  const ChartScale scale({"t"}, {0, 10}, 100, 500, 76);
  EXPECT_DOUBLE_EQ(scale(0), 100);
  EXPECT_DOUBLE_EQ(scale(2.5), 200);
  EXPECT_DOUBLE_EQ(scale(10), 500);
}

TEST(Chart, LongSignalsStaySmallAndKeepTheirExtremes) {
  std::vector<Place> points;
  for (int i = 0; i < 200'000; ++i) points.push_back({i * 1e-3, i == 77'777 ? -50.0 : std::sin(0.3 * i)});
  const std::string svg = chart_svg(line_chart(points));
  EXPECT_LT(svg.size(), 200'000u);
  // The lowest place of the curve is where the one low value is: 4 percent of the span above the axis at 496.
  double lowest = 0;
  const std::string path = svg.substr(svg.find("class=\"curve\""));
  const std::regex form("[ML][0-9.]+ ([0-9.]+)");
  for (std::sregex_iterator i(path.begin(), path.end(), form), end; i != end; ++i) lowest = std::max(lowest, std::stod((*i)[1]));
  EXPECT_NEAR(lowest, 496 - 420 * 0.04 / 1.08, 0.1);
}

TEST(Canvas, CoversThePixelsOfALineAndNoneOutsideTheFrame) {
  ImageCanvas canvas(100, 50);
  const Place ends[] = {{10, 25}, {90, 25}};
  canvas.line(ends, {.colour = {200, 0, 0}, .width = 2}, {0, 0, 60, 50});
  const Colour red{200, 0, 0}, white{255, 255, 255};
  EXPECT_EQ(canvas.image().at(60, 49), red);
  EXPECT_EQ(canvas.image().at(60, 50), red);
  EXPECT_EQ(canvas.image().at(60, 40), white);
  EXPECT_EQ(canvas.image().at(150, 50), white);
}

TEST(Canvas, DashesLeaveGapsOfTheirLength) {
  ImageCanvas canvas(130, 20);
  const Place ends[] = {{0, 10}, {120, 10}};
  canvas.line(ends, {.colour = {0, 0, 0}, .width = 1, .dashed = true}, {0, 0, 130, 20});
  int dark = 0;
  for (int column = 0; column < 240; ++column) dark += canvas.image().at(column, 19)[0] < 128;
  EXPECT_NEAR(dark / 240.0, 7.0 / 12, 0.1);  // 7 on, 5 off
}

}  // namespace
}  // namespace swell
