// SPDX-License-Identifier: Apache-2.0
// A field of one dimension over x.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "element/dense.hpp"
#include "io/draw/cell_picture.hpp"
#include "io/draw/chart.hpp"

namespace swell {

namespace {

// About two pieces for each pixel of a page, and no more than show the polynomial of a cell that fills it.
constexpr std::int64_t pieces_of_all = 2000, most_pieces = 64;

// Rows: points of a cell from its lower to its upper end, from values in lattice order.
Matrix sampling(int order, std::int64_t cells) {
  const std::int64_t pieces = order == 1 ? 1 : std::clamp<std::int64_t>(pieces_of_all / cells, 2, most_pieces);
  Matrix points(pieces + 1, 1);
  for (std::int64_t i = 0; i <= pieces; ++i)
    points(i, 0) = -1 + 2.0 * static_cast<double>(i) / static_cast<double>(pieces);
  return modes(Shape::line, order, points) * inverse(modes(Shape::line, order, lattice(Shape::line, order)));
}

}  // namespace

Image curve_of(const CellField& field, const PictureOptions& look, bool ends) {
  constexpr double apart = 1e-9;  // of the whole length: cells this far from each other do not meet
  const std::int64_t count = mode_count(Shape::line, field.order),
                     cells = static_cast<std::int64_t>(field.values.size()) / count;
  const Matrix sample = sampling(field.order, cells);
  const auto at = [&](std::int64_t cell, int end) { return field.points[3 * (cell * count + (end ? count - 1 : 0))]; };
  std::vector<std::int64_t> order(static_cast<std::size_t>(cells));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return at(a, 0) < at(b, 0); });
  const double length = at(order.back(), 1) - at(order.front(), 0);
  ChartCurve curve, dots;
  Matrix given(count, 2);
  for (const std::int64_t cell : order) {
    for (std::int64_t i = 0; i < count; ++i)
      given.row(i) << field.points[3 * (cell * count + i)], field.values[cell * count + i];
    if (!curve.points.empty() && at(cell, 0) - curve.points.back()[0] > apart * length)
      curve.points.push_back({at(cell, 0), std::numeric_limits<double>::quiet_NaN()});
    const Matrix drawn = sample * given;
    for (Eigen::Index i = 0; i < drawn.rows(); ++i) curve.points.push_back({drawn(i, 0), drawn(i, 1)});
    for (const Eigen::Index i : {Eigen::Index{0}, drawn.rows() - 1}) {
      dots.points.push_back({drawn(i, 0), drawn(i, 1)});
      dots.points.push_back({drawn(i, 0), std::numeric_limits<double>::quiet_NaN()});  // dots are not joined
    }
  }
  dots.dots = true;
  Chart chart{look.field, look.title, {"x"}, {look.field}, {}};
  if (look.time) chart.title += fmt::format("{}t = {:.6g}", look.title.empty() ? "" : ", ", *look.time);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Place& p : curve.points)
    if (std::isfinite(p[1])) low = std::min(low, p[1]), high = std::max(high, p[1]);
  low = look.low.value_or(low), high = look.high.value_or(high);
  if (look.low || look.high || !(low <= high)) chart.y.ends = low < high ? std::array{low, high} : std::array{0.0, 1.0};
  chart.curves.push_back(std::move(curve));
  if (ends) chart.curves.push_back(std::move(dots));
  return chart_image(chart);
}

}  // namespace swell
