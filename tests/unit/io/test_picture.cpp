// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "io/draw/font.hpp"
#include "io/draw/picture.hpp"

namespace swell {
namespace {

Picture flat(int width, int height, float value) {
  Picture picture;
  picture.width = width;
  picture.height = height;
  picture.value.assign(static_cast<std::size_t>(width) * height, value);
  return picture;
}

std::set<Colour> colours_of(const Image& image) {
  std::set<Colour> colours;
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column) colours.insert(image.at(column, row));
  return colours;
}

// Relative luminance of sRGB, enough to order colours by lightness.
double luminance(Colour c) {
  double sum = 0;
  const double weight[3] = {0.2126, 0.7152, 0.0722};
  for (int i = 0; i < 3; ++i) sum += weight[i] * std::pow(c[i] / 255.0, 2.2);
  return sum;
}

TEST(Ticks, AreRoundNumbersInsideTheRange) {
  EXPECT_EQ(ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(ticks(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(ticks(0.9, 4.2, 4), (std::vector<double>{1, 2, 3, 4}));
  for (double exponent = -300; exponent <= 300; exponent += 7)
    for (int most = 3; most < 12; ++most) {
      const double size = std::pow(10, exponent);
      const std::vector<double> marks = ticks(-0.3 * size, 2.9 * size, most);
      EXPECT_GE(marks.size(), 2u);
      EXPECT_LE(static_cast<int>(marks.size()), most + 1);
      EXPECT_GE(marks.front(), -0.3001 * size);
      EXPECT_LE(marks.back(), 2.9001 * size);
    }
  for (double low = -1; low < 1; low += 0.0137)
    for (double high = low + 1e-4; high < 1.5; high += 0.0931)
      for (int most : {1, 2, 3, 7}) EXPECT_GE(ticks(low, high, most).size(), 1u) << low << " " << high;
}

TEST(ColourMaps, SequentialGetsLighterAllTheWay) {
  for (int i = 1; i <= 100; ++i)
    EXPECT_GT(luminance(colour_of(ColourMap::sequential, i / 100.0)),
              luminance(colour_of(ColourMap::sequential, (i - 1) / 100.0)));
}

TEST(ColourMaps, DivergingIsWhiteInTheMiddleBlueBelowAndRedAbove) {
  const Colour low = colour_of(ColourMap::diverging, 0), middle = colour_of(ColourMap::diverging, 0.5),
               high = colour_of(ColourMap::diverging, 1);
  for (int c = 0; c < 3; ++c) EXPECT_GT(middle[c], 240);
  EXPECT_GT(low[2], 2 * low[0]);
  EXPECT_GT(high[0], 2 * high[2]);
  EXPECT_NEAR(luminance(low), luminance(high), 0.02);
}

TEST(Render, PaintsValuesOutsideTheMeshWhite) {
  const Image image = render({}, flat(40, 30, std::nanf("")));
  EXPECT_GT(image.width, 40);
  EXPECT_GT(image.height, 30);
  EXPECT_EQ(image.at(0, 0), (Colour{255, 255, 255}));
}

TEST(Render, PaintsTheEndsOfAGivenScale) {
  PictureOptions options;
  options.low = -2;
  options.high = 2;
  const std::set<Colour> low = colours_of(render(options, flat(40, 30, -5))),
                         high = colours_of(render(options, flat(40, 30, 5)));
  EXPECT_TRUE(low.contains(colour_of(ColourMap::diverging, 0)));
  EXPECT_TRUE(high.contains(colour_of(ColourMap::diverging, 1)));
}

TEST(Render, PutsZeroOnWhiteWhereSignsDiffer) {
  Picture picture = flat(30, 30, 0);
  picture.value[0] = 1;
  picture.value[1] = -0.01f;
  const Image image = render({}, picture);
  int white_in_the_middle = 0;
  const Colour zero = colour_of(ColourMap::diverging, 0.5);
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column) {
      const Colour colour = image.at(column, row);
      white_in_the_middle += std::abs(colour[0] - zero[0]) < 3 && std::abs(colour[2] - zero[2]) < 3 && colour[0] < 255;
    }
  EXPECT_GE(white_in_the_middle, 800);
}

TEST(Render, TakesConstantInfiniteAndHugeValues) {
  for (float value : {0.0f, 5.0f, -5.0f, INFINITY, 3e38f, 1e-45f}) EXPECT_NO_THROW(render({}, flat(8, 8, value)));
  Picture mixed = flat(8, 8, 3e38f);
  mixed.value[0] = -3e38f;
  mixed.value[1] = -INFINITY;
  EXPECT_NO_THROW(render({}, mixed));
}

TEST(Font, HasADifferentGlyphForEveryCharacter) {
  std::set<std::string> glyphs;
  for (char c = ' '; c <= '~'; ++c) {
    Image image(5, 9);
    draw_text(image, 0, 0, std::string(1, c), 1, {0, 0, 0});
    EXPECT_TRUE(glyphs.emplace(image.rgb.begin(), image.rgb.end()).second) << c;
  }
}

TEST(Font, CutsTextsThatAreTooLong) {
  EXPECT_EQ(fitted_text("short", 2, 1000), "short");
  const std::string cut = fitted_text("a title that is too long", 2, 120);
  EXPECT_LE(text_width(cut, 2), 120);
  EXPECT_EQ(cut.substr(cut.size() - 3), "...");
  EXPECT_EQ(text_width("\xc3\xa9", 1), text_width("e", 1));
}

}  // namespace
}  // namespace swell
