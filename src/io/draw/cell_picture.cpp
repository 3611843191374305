// SPDX-License-Identifier: Apache-2.0
#include "io/draw/cell_picture.hpp"

#include <algorithm>

namespace swell {

namespace {

// The letter of the coordinate along which a direction points; `other` where it points along none.
std::string letter_of(const std::array<double, 3>& direction, const char* other) {
  const char* letters[] = {"x", "y", "z"};
  for (int d = 0; d < 3; ++d)
    if (direction[d] > 1 - 1e-12) return letters[d];
  return other;
}

}  // namespace

Plane slice_plane(const std::vector<double>& points, const std::vector<double>& slice) {
  std::array<double, 3> point{}, normal{0, 0, 1};
  if (slice.size() == 6) {
    std::copy_n(slice.begin(), 3, point.begin());
    std::copy_n(slice.begin() + 3, 3, normal.begin());
  } else {
    double low = points[2], high = points[2];
    for (std::size_t i = 2; i < points.size(); i += 3) low = std::min(low, points[i]), high = std::max(high, points[i]);
    point[2] = (low + high) / 2 + 1e-6 * (high - low);  // off the faces that often lie in the middle
  }
  return plane_through(point, normal);
}

Picture picture_of(const CellField& field, int width, const std::vector<double>& slice, std::array<std::string, 2>& axes) {
  const auto count = static_cast<std::int64_t>(field.points.size() / 3);
  const double *points = field.points.data(), *values = field.values.data();
  const auto for_each_run = [&](const auto& visit) {
    std::int64_t first = 0;
    for (const ShapeRun& run : field.runs) {
      visit(run, points + 3 * first, values + first);
      first += run.cells * mode_count(run.shape, field.order);
    }
  };
  if (dimension(field.runs.front().shape) == 2) {
    CellRaster raster(window_of(points, count), width);
    for_each_run([&](const ShapeRun& run, const double* x, const double* v) { raster.add(run.shape, field.order, run.cells, x, v); });
    axes = {"x", "y"};
    return raster.picture();
  }
  const Plane plane = slice_plane(field.points, slice);
  CellRaster raster(window_of(points, count, plane), width);
  for_each_run(
      [&](const ShapeRun& run, const double* x, const double* v) { raster.add_slice(plane, run.shape, field.order, run.cells, x, v); });
  axes = {letter_of(plane.u, "u"), letter_of(plane.v, "v")};
  return raster.picture();
}

Image image_of(const CellField& field, int width, const std::vector<double>& slice, PictureOptions look) {
  if (dimension(field.runs.front().shape) == 1) return curve_of(field, look, false);
  const Picture picture = picture_of(field, width, slice, look.axes);
  return render(look, picture);
}

}  // namespace swell
