// SPDX-License-Identifier: Apache-2.0
// A chart: curves over two axes with ticks that a person would choose, and a legend; as SVG or as an image.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "io/draw/canvas.hpp"

namespace swell {

enum class AxisKind : unsigned char {
  linear,
  logarithmic,
  degrees,  // linear, with ticks at parts of a right angle
};

struct ChartAxis {
  std::string title;
  AxisKind kind = AxisKind::linear;
  std::vector<double> ticks = {};  // where given; otherwise chosen
  std::optional<double> low = {};  // the least value shown; otherwise that of the curves
  std::optional<std::array<double, 2>> ends = {};  // the whole axis, where given
};

struct ChartCurve {
  std::string name;  // in the legend; empty: not there
  std::vector<Place> points;  // values that are not finite, or not positive on a logarithmic axis, interrupt it
  bool dots = false;
  bool guide = false;  // a thin dashed line that leads the eye, below the curves; it does not widen the axes
};

struct ChartBar {
  std::string name;
  double value = 0;
  bool marked = false;  // in another colour
};

struct Chart {
  std::string name;  // for its file
  std::string title;
  ChartAxis x, y;
  std::vector<ChartCurve> curves;
  std::vector<ChartBar> bars = {};  // in place of curves: from zero along x
};

// So many curves have a line in the legend, and so many bars fit on a page; of more, several charts are to be made.
inline constexpr std::size_t most_curves = 20;

std::string chart_svg(const Chart& chart);
Image chart_image(const Chart& chart);
void draw_bars(const Chart& chart, Canvas& canvas);

// Places on the page of the values of an axis, and its ticks.
class ChartScale {
 public:
  // `from` and `to` are the ends on the page, `room` is what a tick's text needs there. Throws InputError where no value can be shown.
  ChartScale(const ChartAxis& axis, const std::vector<double>& values, double from, double to, double room);
  bool shows(double value) const;
  double operator()(double value) const;
  const std::vector<double>& ticks() const { return ticks_; }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  void choose_ticks(const ChartAxis& axis, double room);
  void choose_decades(double room);
  AxisKind kind_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
  double from_, to_;
  std::vector<double> ticks_;
  std::vector<std::string> texts_;
};

}  // namespace swell
