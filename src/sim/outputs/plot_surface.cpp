// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/plot_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace swell {

namespace {

constexpr double azimuth = -55 * M_PI / 180, elevation = 25 * M_PI / 180;
constexpr int samples_per_pixel = 2;  // in each direction
constexpr double margin = 0.02;       // around the body, of its width
constexpr double line_slack = 3;      // samples that a line may lie behind the surface it lies on, as sampled
constexpr double line_piece = 2;      // samples: lines are hidden or seen in pieces of this length

// Across, upwards, and towards the viewer.
using Seen = std::array<double, 3>;

Seen seen(const float* x) {
  const double ca = std::cos(azimuth), sa = std::sin(azimuth), ce = std::cos(elevation), se = std::sin(elevation);
  return {-sa * x[0] + ca * x[1], -se * ca * x[0] - se * sa * x[1] + ce * x[2], ce * ca * x[0] + ce * sa * x[1] + se * x[2]};
}

// Keeps the nearest surface at each sample of the picture.
class NearestSurface {
 public:
  NearestSurface(const std::vector<Seen>& corners, int width) {
    std::array<double, 2> low{corners[0][0], corners[0][1]}, high = low;
    for (const Seen& c : corners)
      for (int d = 0; d < 2; ++d) low[d] = std::min(low[d], c[d]), high[d] = std::max(high[d], c[d]);
    const double more = margin * (high[0] - low[0]);
    for (int d = 0; d < 2; ++d) low[d] -= more, high[d] += more;
    picture.width = width;
    picture.height = static_cast<int>(std::clamp(std::round(width * (high[1] - low[1]) / (high[0] - low[0])), 1.0, 4.0 * width));
    picture.samples = samples_per_pixel;
    picture.low = low, picture.high = high;
    columns_ = picture.width * samples_per_pixel, rows_ = picture.height * samples_per_pixel;
    picture.value.assign(static_cast<std::size_t>(columns_) * rows_, std::numeric_limits<float>::quiet_NaN());
    depth_.assign(picture.value.size(), -std::numeric_limits<float>::infinity());
  }

  double column(double x) const { return (x - picture.low[0]) / (picture.high[0] - picture.low[0]) * columns_; }
  double row(double y) const { return (picture.high[1] - y) / (picture.high[1] - picture.low[1]) * rows_; }
  double sample_size() const { return (picture.high[0] - picture.low[0]) / columns_; }

  void fill(const std::array<Seen, 3>& c, const std::array<float, 3>& value) {
    std::array<double, 3> x{}, y{};
    for (int i = 0; i < 3; ++i) x[i] = column(c[i][0]), y[i] = row(c[i][1]);
    const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (!(std::abs(area) > 0)) return;
    const auto [left, right] = std::minmax({x[0], x[1], x[2]});
    const auto [top, bottom] = std::minmax({y[0], y[1], y[2]});
    for (int j = std::max(0, static_cast<int>(top)); j < std::min(rows_, static_cast<int>(bottom) + 1); ++j)
      for (int i = std::max(0, static_cast<int>(left)); i < std::min(columns_, static_cast<int>(right) + 1); ++i) {
        const double px = i + 0.5 - x[0], py = j + 0.5 - y[0];
        const double b = (px * (y[2] - y[0]) - (x[2] - x[0]) * py) / area, a = ((x[1] - x[0]) * py - px * (y[1] - y[0])) / area;
        const double rest = 1 - a - b, tolerance = -1e-6;  // closes the seams that rounding would leave between triangles
        if (std::min({a, b, rest}) < tolerance) continue;
        const std::size_t at = static_cast<std::size_t>(j) * columns_ + i;
        const double depth = rest * c[0][2] + b * c[1][2] + a * c[2][2];
        if (depth <= depth_[at]) continue;
        depth_[at] = static_cast<float>(depth);
        picture.value[at] = static_cast<float>(rest * value[0] + b * value[1] + a * value[2]);
      }
  }

  bool shows(const Seen& place) const {
    const int i = static_cast<int>(column(place[0])), j = static_cast<int>(row(place[1]));
    if (i < 0 || i >= columns_ || j < 0 || j >= rows_) return false;
    return place[2] >= depth_[static_cast<std::size_t>(j) * columns_ + i] - line_slack * sample_size();
  }

  Picture picture;

 private:
  int columns_ = 0, rows_ = 0;
  std::vector<float> depth_;
};

void add_seen_lines(NearestSurface& surface, const Scene& scene, const std::vector<Seen>& corners) {
  for (std::size_t s = 0; s + 1 < scene.lines.size(); s += 2) {
    const Seen &from = corners[scene.lines[s]], &to = corners[scene.lines[s + 1]];
    const double length = std::hypot(to[0] - from[0], to[1] - from[1]) / surface.sample_size();
    const int pieces = std::max(1, static_cast<int>(std::ceil(length / line_piece)));
    const auto between = [&](double t) {
      return Seen{from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]), from[2] + t * (to[2] - from[2])};
    };
    for (int i = 0; i < pieces; ++i) {
      if (!surface.shows(between((i + 0.5) / pieces))) continue;
      const Seen a = between(static_cast<double>(i) / pieces), b = between((i + 1.0) / pieces);
      surface.picture.lines.push_back({a[0], a[1], b[0], b[1]});
    }
  }
}

}  // namespace

Picture surface_picture(const FieldSeries& series, const std::vector<float>& values, int width, bool mesh) {
  const ShownCells cells = series.shown_cells();
  SceneMaker maker(cells);
  const Scene scene = maker.whole();
  std::vector<float> of_places(scene.places * scene.nodes), of_corners(scene.corners.size());
  cells.for_each_cell([&](std::int64_t cell, std::int64_t first, int count) {
    if (const auto place = scene.place(cell); place >= 0) std::copy_n(values.begin() + first, count, of_places.begin() + place * scene.nodes);
  });
  scene.values(of_places, of_corners.data());
  std::vector<Seen> corners;
  for (std::size_t i = 0; i < scene.points.size(); i += 3) corners.push_back(seen(&scene.points[i]));
  NearestSurface surface(corners, width);
  for (std::size_t t = 0; t + 2 < scene.triangles.size(); t += 3) {
    const std::uint32_t a = scene.triangles[t], b = scene.triangles[t + 1], c = scene.triangles[t + 2];
    surface.fill({corners[a], corners[b], corners[c]}, {of_corners[a], of_corners[b], of_corners[c]});
  }
  if (mesh) add_seen_lines(surface, scene, corners);
  return std::move(surface.picture);
}

}  // namespace swell
