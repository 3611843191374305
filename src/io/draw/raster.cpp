// SPDX-License-Identifier: Apache-2.0
#include "io/draw/raster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "element/dense.hpp"
#include "element/lattice.hpp"

namespace swell {

namespace {

constexpr int samples_per_pixel = 2;       // in each direction
constexpr double piece_size = 5;           // samples: refined pieces are about this large
constexpr double inside_tolerance = 1e-6;  // barycentric: closes the seams that rounding would leave between pieces

// Orders of refinement that are used; few, so that their matrices stay cached.
constexpr std::array<int, 12> fine_orders{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
constexpr int finest_in_space = 32;

// Corners of the unit square or cube as bits; these pieces fill it, and the ones that fit under i+j+k <= order fill a
// simplex. Opposite sides are cut alike, so neighbours match.
constexpr int triangles[2][3] = {{0b00, 0b01, 0b10}, {0b01, 0b11, 0b10}};
constexpr int tetrahedra[6][4] = {{0b000, 0b001, 0b010, 0b100}, {0b001, 0b110, 0b010, 0b011},
                                  {0b001, 0b110, 0b011, 0b101}, {0b001, 0b110, 0b101, 0b100},
                                  {0b001, 0b110, 0b100, 0b010}, {0b011, 0b101, 0b110, 0b111}};

// The small simplices that fill a lattice of this order, as numbers of lattice points.
template <int dim, int count>
std::vector<int> pieces_of(Shape shape, int order, const int (&corners)[count][dim + 1]) {
  const auto inside = [&](const LatticeIndex& p) {
    return is_simplex(shape) ? p[0] + p[1] + p[2] <= order : std::max({p[0], p[1], p[2]}) <= order;
  };
  std::vector<int> pieces;
  for (const LatticeIndex& low : lattice_indices(shape, order))
    for (const auto& piece : corners) {
      std::array<LatticeIndex, dim + 1> points;
      for (int c = 0; c <= dim; ++c)
        points[c] = {low[0] + (piece[c] & 1), low[1] + (piece[c] >> 1 & 1), low[2] + (piece[c] >> 2 & 1)};
      if (!std::all_of(points.begin(), points.end(), inside)) continue;
      for (const LatticeIndex& p : points) pieces.push_back(lattice_number(shape, order, p));
    }
  return pieces;
}

// Reference coordinates of a lattice of any order: lattice() stops where nodes do.
Matrix lattice_points(Shape shape, int order) {
  const std::vector<LatticeIndex> indices = lattice_indices(shape, order);
  Matrix points(indices.size(), dimension(shape));
  for (std::size_t row = 0; row < indices.size(); ++row)
    for (int d = 0; d < dimension(shape); ++d) points(row, d) = (2.0 * indices[row][d] - order) / order;
  return points;
}

int fine_order_for(Shape shape, int order, double size_in_samples) {
  if (order == 1 && is_simplex(shape)) return 1;  // straight and linear: nothing to gain
  const int limit = dimension(shape) == 3 ? finest_in_space : fine_orders.back();
  for (int fine : fine_orders)
    if (fine * piece_size >= size_in_samples || fine == limit) return fine;
  return limit;
}

double dot(const std::array<double, 3>& a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

CellRaster::CellRaster(const PlaneWindow& window, int width) {
  const double w = window.high[0] - window.low[0], h = window.high[1] - window.low[1];
  if (!(w > 0) || !(h > 0) || !std::isfinite(w + h) || width < 1)
    throw RunError("A picture of width {} cannot show a window of {} x {}.", width, w, h);
  picture_.width = width;
  // A very slender domain still gives a picture of bounded size.
  picture_.height = static_cast<int>(std::clamp(std::round(width * h / w), 1.0, 4.0 * width));
  picture_.samples = samples_per_pixel;
  picture_.low = window.low;
  picture_.high = window.high;
  columns_ = picture_.width * picture_.samples;
  rows_ = picture_.height * picture_.samples;
  picture_.value.assign(static_cast<std::size_t>(columns_) * rows_, std::numeric_limits<float>::quiet_NaN());
  scale_ = std::max(columns_ / w, rows_ / h);
}

CellRaster::Corner CellRaster::to_samples(double x, double y, double value) const {
  return {(x - picture_.low[0]) / (picture_.high[0] - picture_.low[0]) * columns_,
          (picture_.high[1] - y) / (picture_.high[1] - picture_.low[1]) * rows_, value};
}

const CellRaster::Refinement& CellRaster::refinement(Shape shape, int order, double size_in_samples) {
  const int fine = fine_order_for(shape, order, size_in_samples);
  Refinement& result = refinements_[{static_cast<int>(shape), order, fine}];
  if (result.pieces.empty()) {
    result.interpolation =
        modes(shape, order, lattice_points(shape, fine)) * inverse(modes(shape, order, lattice_points(shape, order)));
    if (shape == Shape::prism || shape == Shape::pyramid) {
      const auto pieces = lattice_simplices(shape, fine);
      result.pieces.assign(pieces.begin(), pieces.end());
    } else {
      result.pieces = dimension(shape) == 2 ? pieces_of<2>(shape, fine, triangles) : pieces_of<3>(shape, fine, tetrahedra);
    }
  }
  return result;
}

void CellRaster::add(Shape shape, int order, std::int64_t cells, const double* points, const double* values) {
  const int count = mode_count(shape, order);
  Matrix cell(count, 3), fine;
  for (std::int64_t c = 0; c < cells; ++c) {
    for (int i = 0; i < count; ++i) {
      const double* p = points + 3 * (c * count + i);
      const Corner corner = to_samples(p[0], p[1], values[c * count + i]);
      cell.row(i) << corner.x, corner.y, corner.value;
    }
    const auto size = (cell.colwise().maxCoeff() - cell.colwise().minCoeff()).eval();
    const Refinement& refine = refinement(shape, order, std::max(size(0), size(1)));
    fine.noalias() = refine.interpolation * cell;
    const auto corner = [&](int i) { return Corner{fine(i, 0), fine(i, 1), fine(i, 2)}; };
    for (std::size_t p = 0; p < refine.pieces.size(); p += 3)
      fill(corner(refine.pieces[p]), corner(refine.pieces[p + 1]), corner(refine.pieces[p + 2]));
  }
}

void CellRaster::add_slice(const Plane& plane, Shape shape, int order, std::int64_t cells, const double* points,
                           const double* values) {
  const int count = mode_count(shape, order);
  Matrix cell(count, 4), fine;
  for (std::int64_t c = 0; c < cells; ++c) {
    for (int i = 0; i < count; ++i) {
      const double* p = points + 3 * (c * count + i);
      cell.row(i) << dot(plane.u, p), dot(plane.v, p), dot(plane.normal, p) - plane.offset, values[c * count + i];
    }
    const auto low = cell.colwise().minCoeff().eval(), size = (cell.colwise().maxCoeff() - low).eval();
    const double extent = std::max({size(0), size(1), size(2)});
    // A curved cell may bulge over the plane between its lattice points.
    const double margin = order == 1 ? 1e-9 * extent : 0.1 * size(2);
    if (low(2) > margin || low(2) + size(2) < -margin) continue;
    const Refinement& refine = refinement(shape, order, extent * scale_);
    fine.noalias() = refine.interpolation * cell;
    // Heights that are zero but for rounding become zero: a face in the plane must belong to it for both its cells.
    const auto corner = [&](int i) {
      return SpaceCorner{fine(i, 0), fine(i, 1), std::abs(fine(i, 2)) < 1e-10 * extent ? 0 : fine(i, 2), fine(i, 3)};
    };
    for (std::size_t p = 0; p < refine.pieces.size(); p += 4)
      slice({corner(refine.pieces[p]), corner(refine.pieces[p + 1]), corner(refine.pieces[p + 2]),
             corner(refine.pieces[p + 3])});
  }
}

void CellRaster::slice(const std::array<SpaceCorner, 4>& tetrahedron) {
  std::array<const SpaceCorner*, 4> above{}, below{}, level{};
  int above_count = 0, below_count = 0, level_count = 0;
  for (const SpaceCorner& corner : tetrahedron) {
    if (corner.height == 0) level[level_count++] = &corner;
    if (corner.height >= 0)
      above[above_count++] = &corner;
    else
      below[below_count++] = &corner;
  }
  const auto on_plane = [&](const SpaceCorner& p) { return to_samples(p.u, p.v, p.value); };
  const auto meet = [&](const SpaceCorner& a, const SpaceCorner& b) {
    const double t = a.height / (a.height - b.height);
    return to_samples(a.u + t * (b.u - a.u), a.v + t * (b.v - a.v), a.value + t * (b.value - a.value));
  };
  if (level_count == 3) {
    fill(on_plane(*level[0]), on_plane(*level[1]), on_plane(*level[2]));
  } else if (above_count == 1 && below_count == 3) {
    fill(meet(*above[0], *below[0]), meet(*above[0], *below[1]), meet(*above[0], *below[2]));
  } else if (above_count == 3 && below_count == 1) {
    fill(meet(*above[0], *below[0]), meet(*above[1], *below[0]), meet(*above[2], *below[0]));
  } else if (above_count == 2 && below_count == 2) {
    const Corner a = meet(*above[0], *below[0]), b = meet(*above[0], *below[1]), c = meet(*above[1], *below[1]),
                 d = meet(*above[1], *below[0]);
    fill(a, b, c);
    fill(a, c, d);
  }
}

void CellRaster::fill(const Corner& a, const Corner& b, const Corner& c) {
  const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (!(std::abs(area) > 0)) return;
  // Centres of samples lie at whole numbers plus one half. Blown-up coordinates are clamped before the conversion.
  const auto clamped = [](double x, int limit) {
    return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(limit)));
  };
  const double slack = 1e-6;
  const int first_column = clamped(std::ceil(std::min({a.x, b.x, c.x}) - 0.5 - slack), columns_),
            last_column = clamped(std::floor(std::max({a.x, b.x, c.x}) + 0.5 + slack), columns_),
            first_row = clamped(std::ceil(std::min({a.y, b.y, c.y}) - 0.5 - slack), rows_),
            last_row = clamped(std::floor(std::max({a.y, b.y, c.y}) + 0.5 + slack), rows_);
  for (int row = first_row; row < last_row; ++row)
    for (int column = first_column; column < last_column; ++column) {
      const double x = column + 0.5, y = row + 0.5;
      const double wb = ((x - a.x) * (c.y - a.y) - (c.x - a.x) * (y - a.y)) / area;
      const double wc = ((b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y)) / area;
      const double wa = 1 - wb - wc;
      if (std::min({wa, wb, wc}) < -inside_tolerance) continue;
      picture_.value[static_cast<std::size_t>(row) * columns_ + column] =
          static_cast<float>(wa * a.value + wb * b.value + wc * c.value);
    }
}

}  // namespace swell
