// SPDX-License-Identifier: Apache-2.0
#include "io/draw/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/draw/font.hpp"

namespace swell {

namespace {

constexpr double dash = 7, pause = 5;   // of dashed lines
constexpr double pixels = 2;            // of an image, for each of the page
constexpr int font_scale = 3;           // letters as large as those of the SVG page

std::string hex(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]); }

// The pieces of a line that a dashed one shows.
std::vector<std::array<Place, 2>> pieces_of(std::span<const Place> places, bool dashed) {
  std::vector<std::array<Place, 2>> pieces;
  double walked = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const Place a = places[i], b = places[i + 1];
    const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
    if (!dashed) {
      pieces.push_back({a, b});
      continue;
    }
    const auto at = [&](double s) {
      return Place{a[0] + (b[0] - a[0]) * s / length, a[1] + (b[1] - a[1]) * s / length};
    };
    for (double s = 0; s < length;) {
      const double phase = std::fmod(walked + s, dash + pause);
      const double end = std::min(length, s + (phase < dash ? dash : dash + pause) - phase);
      if (phase < dash) pieces.push_back({at(s), at(end)});
      s = std::max(end, s + 1e-6);  // rounding must not stop the walk
    }
    walked += length;
  }
  return pieces;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

SvgCanvas::SvgCanvas(int width, int height)
    : text_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
                        "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
                        width, height)) {}

void SvgCanvas::line(std::span<const Place> places, const Stroke& stroke, const Frame& clip) {
  const bool outside = std::ranges::any_of(places, [&](const Place& p) {
    return p[0] < clip.left || p[0] > clip.right || p[1] < clip.top || p[1] > clip.bottom;
  });
  std::string clipped;
  if (outside) {
    text_ += fmt::format("<clipPath id=\"clip{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/></clipPath>\n",
                         ++clips_, clip.left, clip.top, clip.right - clip.left, clip.bottom - clip.top);
    clipped = fmt::format(" clip-path=\"url(#clip{})\"", clips_);
  }
  text_ += fmt::format("<path class=\"{}\" d=\"", stroke.role);
  for (std::size_t i = 0; i < places.size(); ++i)
    text_ += fmt::format("{}{:.1f} {:.1f}", i == 0 ? 'M' : 'L', places[i][0], places[i][1]);
  text_ += fmt::format("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" stroke-linejoin=\"round\"{}{}/>\n", hex(stroke.colour),
                       stroke.width, stroke.dashed ? fmt::format(" stroke-dasharray=\"{} {}\"", dash, pause) : "", clipped);
}

void SvgCanvas::dot(Place center, double radius, Colour colour) {
  text_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" fill=\"{}\"/>\n", center[0], center[1], radius, hex(colour));
}

void SvgCanvas::words(Place place, std::string_view text, Anchor anchor, Colour colour) {
  const char* where = anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
  text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", place[0], place[1], where,
                       hex(colour), xml_text(text));
}

ImageCanvas::ImageCanvas(int width, int height)
    : image_(static_cast<int>(width * pixels), static_cast<int>(height * pixels)),
      covered_(static_cast<std::size_t>(image_.width) * image_.height) {}

// The coverage of each pixel near a line with round ends, from the distance of the pixel's middle.
void ImageCanvas::cover(Place from, Place to, double half_width) {
  for (Place* p : {&from, &to})
    for (double& c : *p) c *= pixels;
  const double reach = half_width * pixels + 1, dx = to[0] - from[0], dy = to[1] - from[1], length2 = dx * dx + dy * dy;
  const auto first = [&](double a, double b) { return std::max(0, static_cast<int>(std::floor(std::min(a, b) - reach))); };
  const auto last = [&](double a, double b, int size) {
    return std::min(size - 1, static_cast<int>(std::ceil(std::max(a, b) + reach)));
  };
  for (int row = first(from[1], to[1]); row <= last(from[1], to[1], image_.height); ++row)
    for (int column = first(from[0], to[0]); column <= last(from[0], to[0], image_.width); ++column) {
      const double x = column + 0.5 - from[0], y = row + 0.5 - from[1];
      const double t = length2 > 0 ? std::clamp((x * dx + y * dy) / length2, 0.0, 1.0) : 0;
      const double part = std::clamp(half_width * pixels + 0.5 - std::hypot(x - t * dx, y - t * dy), 0.0, 1.0);
      float& covered = covered_[static_cast<std::size_t>(row) * image_.width + column];
      covered = std::max(covered, static_cast<float>(part));
    }
}

void ImageCanvas::blend(Colour colour, const Frame& clip) {
  for (int row = 0; row < image_.height; ++row)
    for (int column = 0; column < image_.width; ++column) {
      const float part = covered_[static_cast<std::size_t>(row) * image_.width + column];
      const double x = column / pixels, y = row / pixels;
      if (part == 0 || x < clip.left - 1 || x > clip.right + 1 || y < clip.top - 1 || y > clip.bottom + 1) continue;
      Colour mixed = image_.at(column, row);
      for (int c = 0; c < 3; ++c) mixed[c] = static_cast<std::uint8_t>(std::lround(mixed[c] + part * (colour[c] - mixed[c])));
      image_.set(column, row, mixed);
    }
  std::ranges::fill(covered_, 0.0F);
}

void ImageCanvas::line(std::span<const Place> places, const Stroke& stroke, const Frame& clip) {
  for (const auto& [from, to] : pieces_of(places, stroke.dashed)) cover(from, to, stroke.width / 2);
  blend(stroke.colour, clip);
}

void ImageCanvas::dot(Place center, double radius, Colour colour) {
  cover(center, center, radius);
  blend(colour, {0, 0, image_.width / pixels, image_.height / pixels});
}

void ImageCanvas::words(Place place, std::string_view text, Anchor anchor, Colour colour) {
  const int width = text_width(text, font_scale);
  const int left = static_cast<int>(place[0] * pixels) - (anchor == Anchor::start ? 0 : anchor == Anchor::middle ? width / 2 : width);
  draw_text(image_, left, static_cast<int>(place[1] * pixels) - glyph_height * font_scale, text, font_scale, colour);
}

}  // namespace swell
