// SPDX-License-Identifier: Apache-2.0
// Planes that cut a mesh, and the windows that pictures look through.
#pragma once

#include <array>
#include <cstdint>

namespace swell {

// A plane n . p = offset with its own coordinates (u . p, v . p); n, u, v are orthonormal.
struct Plane {
  std::array<double, 3> normal{0, 0, 1}, u{1, 0, 0}, v{0, 1, 0};
  double offset = 0;
};
// The plane through a point. Normals along z, x, y give the coordinates (x, y), (y, z), (x, z); otherwise v points as
// far up (along z) as the plane allows.
Plane plane_through(std::array<double, 3> point, std::array<double, 3> normal);

// The window that holds all points of two-dimensional cells, or the cut of a plane with the box around the points.
struct PlaneWindow {
  std::array<double, 2> low, high;
};
PlaneWindow window_of(const double* points, std::int64_t count);                      // points[count][3], x and y
PlaneWindow window_of(const double* points, std::int64_t count, const Plane& plane);  // InputError where it misses the box

}  // namespace swell
