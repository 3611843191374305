// SPDX-License-Identifier: Apache-2.0
#include "io/draw/chart.hpp"

#include <algorithm>
#include <cmath>

#include "base/names.hpp"

namespace swell {

namespace {

// Sizes of the page, in pixels; the legend stands at the right of the field, where there is more than one curve.
constexpr int width = 960, height = 560;
constexpr double least_left = 84, top = 76, bottom = 496, line_height = 20, letter = 9;
constexpr double row_room = 38, column_room = 76;  // for the text of a tick
constexpr std::size_t longest_name = 28, longest_title = 90;
constexpr Colour ink{40, 40, 46}, grid{228, 228, 232}, guide{140, 140, 148};
// Longer curves are drawn by the extremes of each column of the page, which look the same.
constexpr std::size_t drawn_whole = 4000;

// Colours that people with any sight tell apart (Okabe and Ito 2008).
constexpr std::array<Colour, 7> colours{
    Colour{0, 114, 178}, {213, 94, 0}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}, {0, 0, 0}};

// Thins a curve to the first, lowest, highest and last place of each column of half a pixel, in their order.
std::vector<Place> thinned(const std::vector<Place>& places) {
  if (places.size() <= drawn_whole) return places;
  std::vector<Place> kept;
  for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    const auto column = [&](std::size_t i) { return std::floor(2 * places[i][0]); };
    std::size_t low = begin, high = begin;
    for (end = begin; end < places.size() && column(end) == column(begin); ++end) {
      if (places[end][1] < places[low][1]) low = end;
      if (places[end][1] > places[high][1]) high = end;
    }
    std::array<std::size_t, 4> all{begin, std::min(low, high), std::max(low, high), end - 1};
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i == 0 || all[i] != all[i - 1]) kept.push_back(places[all[i]]);
  }
  return kept;
}

std::vector<double> values_of(const Chart& chart, int axis) {
  std::vector<double> values;
  for (const auto& curve : chart.curves)
    if (!curve.guide)
      for (const Place& p : curve.points) values.push_back(p[axis]);
  return values;
}

// A single curve needs no legend: the axis names it.
bool has_legend(const Chart& chart) {
  return std::ranges::count_if(chart.curves, [](const ChartCurve& c) { return !c.name.empty(); }) > 1;
}

double right_of(const Chart& chart) {
  std::size_t longest = 0;
  for (const auto& c : chart.curves) longest = std::max(longest, shown(c.name, longest_name).size());
  return has_legend(chart) ? width - 66.0 - letter * static_cast<double>(longest) : width - 36.0;
}

double left_of(const ChartScale& y) {
  std::size_t longest = 0;
  for (const std::string& text : y.texts()) longest = std::max(longest, text.size());
  return std::max(least_left, 20 + letter * static_cast<double>(longest));
}

constexpr Stroke guide_look{.colour = guide, .width = 1, .dashed = true, .role = "guide"};

Stroke look_of(std::size_t number) {
  return {.colour = colours[number % colours.size()], .width = 1.6, .dashed = number / colours.size() % 2 == 1, .role = "curve"};
}

class Drawing {
 public:
  Drawing(const Chart& chart, Canvas& canvas)
      : chart_(chart), canvas_(canvas), y_(chart.y, values_of(chart, 1), bottom, top, row_room), left_(left_of(y_)),
        right_(right_of(chart)), x_(chart.x, values_of(chart, 0), left_, right_, column_room) {}

  void draw() {
    canvas_.words({left_, 30}, shown(chart_.title, longest_title), Anchor::start, ink);
    draw_axes();
    for (const auto& curve : chart_.curves)
      if (curve.guide) draw_curve(curve, guide_look);
    std::size_t number = 0;
    for (const auto& curve : chart_.curves) {
      if (curve.guide) continue;
      const Stroke look = look_of(number++);
      draw_curve(curve, look);
      draw_name(curve, look);
    }
    for (const auto& curve : chart_.curves)
      if (curve.guide) draw_name(curve, guide_look);
  }

 private:
  void segment(Place from, Place to, const Stroke& stroke) {
    const Place ends[] = {from, to};
    canvas_.line(ends, stroke, {0, 0, width, height});
  }

  void draw_axes() {
    for (std::size_t i = 0; i < x_.ticks().size(); ++i) {
      const double x = x_(x_.ticks()[i]);
      segment({x, top}, {x, bottom}, {.colour = grid, .role = "grid"});
      canvas_.words({x, bottom + 20}, x_.texts()[i], Anchor::middle, ink);
    }
    for (std::size_t i = 0; i < y_.ticks().size(); ++i) {
      const double y = y_(y_.ticks()[i]);
      segment({left_, y}, {right_, y}, {.colour = grid, .role = "grid"});
      canvas_.words({left_ - 8, y + 5}, y_.texts()[i], Anchor::end, ink);
    }
    segment({left_, top}, {left_, bottom}, {.colour = ink, .role = "axis"});
    segment({left_, bottom}, {right_, bottom}, {.colour = ink, .role = "axis"});
    canvas_.words({(left_ + right_) / 2, bottom + 46}, chart_.x.title, Anchor::middle, ink);
    canvas_.words({left_, top - 16}, chart_.y.title, Anchor::start, ink);
  }

  void draw_curve(const ChartCurve& curve, const Stroke& stroke) {
    std::vector<Place> piece;
    const auto finish = [&] {
      if (piece.size() > 1) canvas_.line(thinned(piece), stroke, {left_, top, right_, bottom});
      if (piece.size() == 1 && !curve.dots) canvas_.dot(piece[0], 2, stroke.colour);
      piece.clear();
    };
    for (const Place& p : curve.points) {
      if (!x_.shows(p[0]) || !y_.shows(p[1])) {
        finish();
        continue;
      }
      piece.push_back({x_(p[0]), y_(p[1])});
      if (curve.dots) canvas_.dot(piece.back(), 3.5, stroke.colour);
    }
    finish();
  }

  void draw_name(const ChartCurve& curve, const Stroke& look) {
    if (curve.name.empty() || !has_legend(chart_)) return;
    Stroke stroke = look;
    stroke.role = "legend";
    const double y = top + 8 + line_height * named_++;
    segment({right_ + 16, y}, {right_ + 44, y}, stroke);
    if (curve.dots) canvas_.dot({right_ + 30, y}, 3.5, stroke.colour);
    canvas_.words({right_ + 52, y + 5}, shown(curve.name, longest_name), Anchor::start, ink);
  }

  const Chart& chart_;
  Canvas& canvas_;
  ChartScale y_;
  double left_, right_;
  ChartScale x_;
  int named_ = 0;
};

void draw(const Chart& chart, Canvas& canvas) {
  if (chart.bars.empty())
    Drawing(chart, canvas).draw();
  else
    draw_bars(chart, canvas);
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  SvgCanvas canvas(width, height);
  draw(chart, canvas);
  return canvas.text();
}

Image chart_image(const Chart& chart) {
  ImageCanvas canvas(width, height);
  draw(chart, canvas);
  return canvas.image();
}

}  // namespace swell
