// SPDX-License-Identifier: Apache-2.0
// A page to draw charts on: lines, dots and words at places in pixels from the top left, as SVG or as an image.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/draw/png.hpp"

namespace swell {

using Place = std::array<double, 2>;

struct Frame {
  double left, top, right, bottom;
};

struct Stroke {
  Colour colour{0, 0, 0};
  double width = 1;
  bool dashed = false;
  std::string_view role = "line";  // its class in an SVG file
};

enum class Anchor : unsigned char { start, middle, end };

class Canvas {
 public:
  virtual ~Canvas() = default;
  // Only what lies inside `clip` is seen.
  virtual void line(std::span<const Place> places, const Stroke& stroke, const Frame& clip) = 0;
  virtual void dot(Place center, double radius, Colour colour) = 0;
  // `place` is on the base line.
  virtual void words(Place place, std::string_view text, Anchor anchor, Colour colour) = 0;
};

// Characters that XML keeps for itself, written out.
std::string xml_text(std::string_view text);

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(int width, int height);
  void line(std::span<const Place> places, const Stroke& stroke, const Frame& clip) override;
  void dot(Place center, double radius, Colour colour) override;
  void words(Place place, std::string_view text, Anchor anchor, Colour colour) override;
  std::string text() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
  int clips_ = 0;
};

// Twice as many pixels as the page has, with smooth lines; words in the bitmap font.
class ImageCanvas : public Canvas {
 public:
  ImageCanvas(int width, int height);
  void line(std::span<const Place> places, const Stroke& stroke, const Frame& clip) override;
  void dot(Place center, double radius, Colour colour) override;
  void words(Place place, std::string_view text, Anchor anchor, Colour colour) override;
  const Image& image() const { return image_; }

 private:
  void cover(Place from, Place to, double half_width);
  void blend(Colour colour, const Frame& clip);
  Image image_;
  std::vector<float> covered_;  // [pixel]: the part of it that the present line covers
};

}  // namespace swell
