// SPDX-License-Identifier: Apache-2.0
// Bars from zero, one below the other, with what they are at the left and their numbers behind them.
#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "io/draw/chart.hpp"

namespace swell {

namespace {

constexpr double width = 960, height = 560;
constexpr double top = 76, bottom = 496, letter = 9, thickness = 12, number_room = 70;
constexpr std::size_t longest_name = 56, longest_title = 90;
constexpr Colour ink{40, 40, 46}, grid{228, 228, 232}, plain{86, 180, 233}, marked{213, 94, 0};
constexpr double column_room = 76;  // for the text of a tick

}  // namespace

void draw_bars(const Chart& chart, Canvas& canvas) {
  std::size_t longest = 0;
  std::vector<double> values{0};
  for (const ChartBar& bar : chart.bars) {
    longest = std::max(longest, shown(bar.name, longest_name).size());
    values.push_back(bar.value);
  }
  const double left = 30 + letter * static_cast<double>(longest), right = width - number_room;
  const ChartScale x(chart.x, values, left, right, column_room);
  const auto segment = [&](Place from, Place to, const Stroke& stroke) {
    const Place ends[] = {from, to};
    canvas.line(ends, stroke, {0, 0, width, height});
  };
  canvas.words({30, 30}, shown(chart.title, longest_title), Anchor::start, ink);
  const double row = (bottom - top) / static_cast<double>(std::max<std::size_t>(chart.bars.size(), 4));
  const double end = top + row * static_cast<double>(chart.bars.size());
  for (std::size_t i = 0; i < x.ticks().size(); ++i) {
    const double place = x(x.ticks()[i]);
    segment({place, top}, {place, end}, {.colour = grid, .role = "grid"});
    canvas.words({place, end + 20}, x.texts()[i], Anchor::middle, ink);
  }
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const ChartBar& bar = chart.bars[i];
    const double y = top + row * (static_cast<double>(i) + 0.5);
    segment({left, y}, {x(bar.value), y},
            {.colour = bar.marked ? marked : plain, .width = std::min(thickness, 0.8 * row), .role = bar.marked ? "marked bar" : "bar"});
    canvas.words({left - 8, y + 5}, shown(bar.name, longest_name), Anchor::end, ink);
    canvas.words({x(bar.value) + 10, y + 5}, fmt::format("{:.4g}", bar.value), Anchor::start, ink);
  }
  segment({left, top}, {left, end}, {.colour = ink, .role = "axis"});
  canvas.words({(left + right) / 2, end + 46}, chart.x.title, Anchor::middle, ink);
}

}  // namespace swell
