// SPDX-License-Identifier: Apache-2.0
// Turns sampled values into an image to look at: colours, axes with numbers, a colour bar, title, field and time.
#pragma once

#include <optional>
#include <string>

#include "io/draw/colours.hpp"
#include "io/draw/raster.hpp"

namespace swell {

struct PictureOptions {
  std::string title;  // above the picture
  std::string field;  // over the colour bar
  std::optional<double> time;
  std::array<std::string, 2> axes{"x", "y"};
  std::optional<double> low, high;  // of the colour scale; otherwise from the values, symmetric where diverging
  ColourMap colours = ColourMap::automatic;
};

Image render(const PictureOptions& options, const Picture& picture);
// The segments of the picture, over its field that begins at (left, top) of the image.
void draw_lines(Image& image, int left, int top, const Picture& picture);

// Round numbers (1, 2 or 5 times a power of ten apart) inside [low, high]: at least one, about `most` (or 3).
std::vector<double> ticks(double low, double high, int most);
// Their texts, with just enough digits to tell them apart.
std::vector<std::string> tick_texts(const std::vector<double>& values);

}  // namespace swell
