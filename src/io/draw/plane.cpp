// SPDX-License-Identifier: Apache-2.0
#include "io/draw/plane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"

namespace swell {

namespace {

double dot(const std::array<double, 3>& a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

std::array<double, 3> cross(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::array<double, 3> normalised(std::array<double, 3> a) {
  const double length = std::sqrt(dot(a, a.data()));
  for (double& c : a) c /= length;
  return a;
}

}  // namespace

Plane plane_through(std::array<double, 3> point, std::array<double, 3> normal) {
  if (!(dot(normal, normal.data()) > 0)) throw InputError("The normal of a slice must not be the zero vector.");
  Plane plane;
  plane.normal = normalised(normal);
  const std::array<double, 3> up =
      std::abs(plane.normal[2]) < 0.999 ? std::array<double, 3>{0, 0, 1} : std::array<double, 3>{0, 1, 0};
  std::array<double, 3> u = normalised(cross(up, plane.normal));
  // Among the two directions of u take the one along its largest component, so that axes run as a reader expects.
  const double largest =
      *std::max_element(u.begin(), u.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest < 0) {
    for (double& c : u) c = -c;
    for (double& c : plane.normal) c = -c;
  }
  plane.u = u;
  plane.v = cross(plane.normal, u);
  plane.offset = dot(plane.normal, point.data());
  return plane;
}

PlaneWindow window_of(const double* points, std::int64_t count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  PlaneWindow window{{infinity, infinity}, {-infinity, -infinity}};
  for (std::int64_t p = 0; p < count; ++p)
    for (int d = 0; d < 2; ++d) {
      window.low[d] = std::min(window.low[d], points[3 * p + d]);
      window.high[d] = std::max(window.high[d], points[3 * p + d]);
    }
  return window;
}

PlaneWindow window_of(const double* points, std::int64_t count, const Plane& plane) {
  std::array<double, 3> low, high;
  low.fill(std::numeric_limits<double>::infinity());
  high.fill(-std::numeric_limits<double>::infinity());
  for (std::int64_t p = 0; p < count; ++p)
    for (int d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], points[3 * p + d]);
      high[d] = std::max(high[d], points[3 * p + d]);
    }
  const double tolerance = 1e-12 * (high[0] - low[0] + high[1] - low[1] + high[2] - low[2] + std::abs(plane.offset));
  const auto corner = [&](int bits) {
    return std::array<double, 3>{bits & 1 ? high[0] : low[0], bits & 2 ? high[1] : low[1], bits & 4 ? high[2] : low[2]};
  };
  std::vector<double> cut;  // points where the plane meets an edge of the box
  for (int a = 0; a < 8; ++a)
    for (int axis = 1; axis < 8; axis *= 2) {
      if (a & axis) continue;
      const auto p = corner(a), q = corner(a | axis);
      double hp = dot(plane.normal, p.data()) - plane.offset, hq = dot(plane.normal, q.data()) - plane.offset;
      if (std::abs(hp) < tolerance) hp = 0;
      if (std::abs(hq) < tolerance) hq = 0;
      if (hp * hq > 0) continue;
      for (double t : hp == hq ? std::vector<double>{0, 1} : std::vector<double>{hp / (hp - hq)}) {
        std::array<double, 3> x;
        for (int d = 0; d < 3; ++d) x[d] = p[d] + t * (q[d] - p[d]);
        cut.insert(cut.end(), {dot(plane.u, x.data()), dot(plane.v, x.data()), 0.0});
      }
    }
  if (cut.empty())
    throw InputError(
        "The slice with normal ({:g}, {:g}, {:g}) does not meet the mesh, which lies in [{:g}, {:g}] x [{:g}, {:g}] x "
        "[{:g}, {:g}]; move its point into the mesh.",
        plane.normal[0], plane.normal[1], plane.normal[2], low[0], high[0], low[1], high[1], low[2], high[2]);
  return window_of(cut.data(), static_cast<std::int64_t>(cut.size() / 3));
}

}  // namespace swell
