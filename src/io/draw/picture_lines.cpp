// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "io/draw/picture.hpp"

namespace swell {

namespace {

constexpr Colour ink{40, 40, 46};
constexpr double opacity = 0.4;  // the field is still seen below them

// How much of each pixel lines cover: the most that one of them does, so that lines that share an end are no darker there.
class Coverage {
 public:
  Coverage(int width, int height) : width_(width), height_(height), part_(static_cast<std::size_t>(width) * height) {}

  // One step a pixel along the longer side; across it the two nearest pixels share (Wu 1991).
  void add(double x0, double y0, double x1, double y1) {
    if (!std::isfinite(x0 + y0 + x1 + y1)) return;
    const bool steep = std::abs(y1 - y0) > std::abs(x1 - x0);
    if (steep) std::swap(x0, y0), std::swap(x1, y1);
    if (x1 < x0) std::swap(x0, x1), std::swap(y0, y1);
    const double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
    const int limit = steep ? height_ : width_;
    const int from = static_cast<int>(std::clamp(std::round(x0 - 0.5), 0.0, limit - 1.0)),
              to = static_cast<int>(std::clamp(std::round(x1 - 0.5), 0.0, limit - 1.0));
    for (int along = from; along <= to; ++along) {
      const double across = y0 + slope * (along + 0.5 - x0) - 0.5, below = std::floor(across);
      cover(along, static_cast<int>(below), 1 - (across - below), steep);
      cover(along, static_cast<int>(below) + 1, across - below, steep);
    }
  }

  double at(int column, int row) const { return part_[static_cast<std::size_t>(row) * width_ + column]; }

 private:
  void cover(int along, int across, double part, bool steep) {
    const int column = steep ? across : along, row = steep ? along : across;
    if (column < 0 || column >= width_ || row < 0 || row >= height_) return;
    auto& old = part_[static_cast<std::size_t>(row) * width_ + column];
    old = std::max(old, static_cast<float>(part));
  }
  int width_, height_;
  std::vector<float> part_;
};

}  // namespace

void draw_lines(Image& image, int left, int top, const Picture& picture) {
  if (picture.lines.empty()) return;
  Coverage coverage(picture.width, picture.height);
  const auto column = [&](double x) { return (x - picture.low[0]) / (picture.high[0] - picture.low[0]) * picture.width; };
  const auto row = [&](double y) { return (picture.high[1] - y) / (picture.high[1] - picture.low[1]) * picture.height; };
  for (const auto& [x0, y0, x1, y1] : picture.lines) coverage.add(column(x0), row(y0), column(x1), row(y1));
  for (int j = 0; j < picture.height; ++j)
    for (int i = 0; i < picture.width; ++i) {
      const double part = opacity * coverage.at(i, j);
      if (part == 0) continue;
      Colour mixed = image.at(left + i, top + j);
      for (int c = 0; c < 3; ++c) mixed[c] = static_cast<std::uint8_t>(std::lround(mixed[c] + part * (ink[c] - mixed[c])));
      image.set(left + i, top + j, mixed);
    }
}

}  // namespace swell
