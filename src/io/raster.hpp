// SPDX-License-Identifier: Apache-2.0
// Samples a field at the pixels of a picture: cells of two dimensions, or the cut of a plane through cells of three.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "element/basis.hpp"

namespace swell {

// Values at pixel centres over the window [low, high]; NaN where there is no cell.
struct Picture {
  int width = 0, height = 0;
  std::array<double, 2> low{0, 0}, high{1, 1};
  std::vector<float> value;  // [row from the top][column]
};

// A plane with its own coordinates: u and v are orthonormal, the normal is u x v.
struct Plane {
  std::array<double, 3> origin{0, 0, 0}, u{1, 0, 0}, v{0, 1, 0};
};
// The plane through a point; normals along z, x, y give the coordinates (x, y), (y, z), (x, z). Coordinates of the plane
// are measured from the origin of space, so ticks of an axis-parallel plane read as x, y, z.
Plane plane_through(std::array<double, 3> point, std::array<double, 3> normal);

// The window that holds all points of two-dimensional cells, or the cut of a plane with the box around the points.
struct Window {
  std::array<double, 2> low, high;
};
Window window_of(const double* points, std::int64_t count);                      // points[count][3], x and y
Window window_of(const double* points, std::int64_t count, const Plane& plane);  // RunError where the plane misses the box

// Each cell is refined until its pieces are a few pixels large, and these are filled linearly: smooth also where a cell of
// high order covers a large part of the picture.
class CellRaster {
 public:
  // The height follows from the window's shape.
  CellRaster(const Window& window, int width);

  // points[cell][lattice point][3] and values[cell][lattice point] of `order`; only x and y of the points are used.
  void add(Shape shape, int order, std::int64_t cells, const double* points, const double* values);
  // The cut through tetrahedra or hexahedra, in the plane's coordinates.
  void add_slice(const Plane& plane, Shape shape, int order, std::int64_t cells, const double* points,
                 const double* values);

  const Picture& picture() const { return picture_; }

 private:
  struct Corner {
    double x, y, value;  // in pixels
  };
  void fill(const Corner& a, const Corner& b, const Corner& c);
  void slice(const std::array<std::array<double, 4>, 4>& corners);
  const Matrix& refinement(Shape shape, int from, int to);
  int fine_order(Shape shape, int order, double pixels) const;

  Picture picture_;
  double pixels_per_unit_ = 1;
  std::map<std::array<int, 3>, Matrix> refinements_;
};

}  // namespace swell
