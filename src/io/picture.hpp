// SPDX-License-Identifier: Apache-2.0
// Turns sampled values into an image to look at: colours, axes with numbers, a colour bar, title, field and time.
#pragma once

#include <optional>
#include <string>

#include "io/png.hpp"
#include "io/raster.hpp"

namespace swell {

enum class ColourMap { automatic, diverging, sequential };  // automatic: diverging where values have both signs

struct PictureOptions {
  std::string title;                      // above the picture; empty: no line
  std::string field;                      // over the colour bar
  std::optional<double> time;
  std::array<std::string, 2> axes{"x", "y"};
  std::optional<double> low, high;        // of the colour scale; otherwise from the values, symmetric where diverging
  ColourMap colours = ColourMap::automatic;
};

// t in [0,1].
Colour colour_of(ColourMap map, double t);
Image render(const PictureOptions& options, const Picture& picture);

}  // namespace swell
