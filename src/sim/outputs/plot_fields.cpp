// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/plot_fields.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.hpp"
#include "base/names.hpp"
#include "io/draw/cell_picture.hpp"
#include "io/draw/picture.hpp"
#include "sim/outputs/field_series.hpp"
#include "sim/outputs/plot_surface.hpp"

namespace swell {

namespace {

// The range of all pictures from the first one on.
std::array<double, 2> range_of(FieldSeries& series, int field, std::size_t first) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t picture = first; picture < series.count(); ++picture)
    for (const float v : series.values(picture, field))
      if (std::isfinite(v)) low = std::min<double>(low, v), high = std::max<double>(high, v);
  // Zero keeps the middle colour where values have both signs.
  if (low < 0 && high > 0) high = std::max(-low, high), low = -high;
  return {low, high};
}

// The faces of cells in the coordinates of the picture.
std::vector<std::array<double, 4>> lines_of(const FieldSeries& series, const std::vector<double>& slice) {
  SceneMaker maker(series.shown_cells());
  const bool flat = maker.dim() == 2;
  const Plane plane = flat ? Plane{} : slice_plane(series.points(), slice);
  std::array<double, 3> on_plane{};
  // A little off the plane: where faces of cells lie in it, their neighbours would leave pieces of lines.
  double extent = 0;
  for (int d = 0; d < 3; ++d) extent = std::max(extent, maker.high()[d] - maker.low()[d]);
  for (int d = 0; d < 3; ++d) on_plane[d] = (plane.offset + 1e-5 * extent) * plane.normal[d];
  const Scene scene = flat ? maker.whole()
                           : maker.slice({on_plane[0], on_plane[1], on_plane[2], plane.normal[0], plane.normal[1], plane.normal[2]});
  const auto place = [&](std::uint32_t corner) {
    std::array<double, 2> result{0, 0};
    for (int d = 0; d < 3; ++d) {
      const double x = scene.points[3 * std::size_t{corner} + d] + (maker.low()[d] + maker.high()[d]) / 2;
      result[0] += plane.u[d] * x, result[1] += plane.v[d] * x;
    }
    return result;
  };
  std::vector<std::array<double, 4>> lines;
  for (std::size_t i = 0; i + 1 < scene.lines.size(); i += 2) {
    const auto from = place(scene.lines[i]), to = place(scene.lines[i + 1]);
    lines.push_back({from[0], from[1], to[0], to[1]});
  }
  return lines;
}

Image draw(FieldSeries& series, const FieldPlots& wanted, PictureOptions look, std::size_t picture, int field) {
  if (wanted.range.size() == 2) look.low = wanted.range[0], look.high = wanted.range[1];
  const auto& given = series.values(picture, field);
  if (wanted.surface) {
    look.axes = {"across", "up"};
    return render(look, surface_picture(series, given, wanted.width, wanted.mesh));
  }
  const std::vector<double> values(given.begin(), given.end());
  const CellField cells{series.runs(), series.first().order(), series.points(), values};
  if (series.dim() == 1) return curve_of(cells, look, wanted.mesh);
  Picture drawn = picture_of(cells, wanted.width, wanted.slice, look.axes);
  if (wanted.mesh) drawn.lines = lines_of(series, wanted.slice);
  return render(look, drawn);
}

}  // namespace

bool has_fields(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) return std::filesystem::exists(path / "fields.pvd");
  return path.extension() == ".pvd" || path.extension() == ".vtu" || path.extension() == ".pvtu";
}

std::vector<FieldPlot> plots_of_fields(const std::filesystem::path& path, const std::string& title, const FieldPlots& wanted) {
  const auto series = std::make_shared<FieldSeries>(path);
  const auto& names = series->first().fields();
  if (names.empty()) throw InputError("'{}' has no field of one component to draw.", shown(path.string(), 300));
  if (wanted.range.size() == 2 && !(wanted.range[0] < wanted.range[1]))
    throw InputError("The range of colours from {} to {} is empty; give the lower end first.", wanted.range[0], wanted.range[1]);
  if (wanted.surface && series->dim() < 3)
    throw InputError("'{}' lies {} and has no surface to look at; leave --surface out.", shown(path.string(), 300),
                     series->dim() == 2 ? "in a plane" : "on a line");
  if (series->dim() == 3)  // a plane that misses the mesh is an InputError
    window_of(series->points().data(), static_cast<std::int64_t>(series->points().size() / 3), slice_plane(series->points(), wanted.slice));
  std::vector<FieldPlot> plots;
  for (const std::string& field : wanted.fields.empty() ? names : wanted.fields) {
    const auto found = std::ranges::find(names, field);
    if (found == names.end()) throw InputError("'{}' has no field '{}'{}.", shown(path.string(), 300), shown(field), name_hint(field, names));
    const int number = static_cast<int>(found - names.begin());
    // Everything is read once, so that what is damaged is seen before the first picture is written.
    const auto [low, high] = range_of(*series, number, wanted.frames ? 0 : series->count() - 1);
    for (std::size_t picture = wanted.frames ? 0 : series->count() - 1; picture < series->count(); ++picture) {
      const std::string name = "field-" + field + (wanted.frames ? fmt::format("-{:06d}", picture) : "");
      plots.push_back({name, [=, low = low, high = high] {
                         PictureOptions look;
                         look.title = title;
                         look.field = field;
                         if (std::isfinite(series->time(picture))) look.time = series->time(picture);
                         if (wanted.frames && low < high) look.low = low, look.high = high;
                         return draw(*series, wanted, look, picture, number);
                       }});
    }
  }
  return plots;
}

}  // namespace swell
