// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <regex>

#include "io/draw/roofline.hpp"

namespace swell {
namespace {

struct At {
  double x, y;
};

std::vector<At> circles(const std::string& svg) {
  std::vector<At> all;
  const std::regex form("<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"");
  for (std::sregex_iterator i(svg.begin(), svg.end(), form), end; i != end; ++i)
    all.push_back({std::stod((*i)[1]), std::stod((*i)[2])});
  return all;
}

// Points on the two roofs of 100 GB/s and 400 GFLOP/s.
const Roofline sample{"A <chip> & more",
                      100e9,
                      {{"double", 400e9}},
                      {{"moving", {{"1", 1, 100e9}, {"2", 2, 200e9}}}, {"computing", {{"8", 8, 400e9}}}}};

TEST(RooflinePicture, PutsPointsWhereTheirLogarithmsAre) {
  const auto at = circles(roofline_text(sample));
  ASSERT_EQ(at.size(), 5u);  // and one for each series in the legend
  const double octave = at[1].x - at[0].x;
  EXPECT_GT(octave, 10);
  EXPECT_NEAR(at[3].x - at[0].x, 3 * octave, 0.2);
  EXPECT_NEAR(at[0].y - at[3].y, 2 * (at[0].y - at[1].y), 0.2);
}

TEST(RooflinePicture, DrawsTheRoofAtItsPeak) {
  const std::string svg = roofline_text(sample);
  const auto at = circles(svg);
  std::smatch roof;
  ASSERT_TRUE(std::regex_search(svg, roof, std::regex("<path d=\"M([0-9.]+) ([0-9.]+)H[0-9]+\" stroke=\"#404048\"")));
  EXPECT_NEAR(std::stod(roof[2]), at[3].y, 0.2);
  EXPECT_NEAR(std::stod(roof[1]), at[1].x + (at[1].x - at[0].x), 0.2);  // 4 operations a byte
}

TEST(RooflinePicture, EscapesWhatItIsGiven) {
  const std::string svg = roofline_text(sample);
  EXPECT_NE(svg.find("A &lt;chip&gt; &amp; more"), std::string::npos);
  EXPECT_EQ(svg.find("<chip>"), std::string::npos);
}

}  // namespace
}  // namespace swell
