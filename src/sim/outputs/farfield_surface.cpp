// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/farfield_surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"
#include "element/basis.hpp"

namespace swell {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double most_points = 1e7;

struct LineRule {
  std::vector<double> x, weight;
};

// Panels of at most half a wavelength, each with its share of the points.
LineRule panels(double low, double high, double wavelength, double density) {
  const auto count = std::max(1.0, std::ceil(2 * (high - low) / wavelength));
  const Cubature gauss = gauss_jacobi(0, 0, std::max(4, static_cast<int>(std::ceil(density / 2))));
  const double length = (high - low) / count;
  if (count * static_cast<double>(gauss.weights.size()) > most_points)
    throw InputError("farfield.surface: a side of {} is {:.4g} wavelengths long, too many for its points.", high - low,
                     (high - low) / wavelength);
  LineRule rule;
  for (double panel = 0; panel < count; ++panel)
    for (Eigen::Index i = 0; i < gauss.weights.size(); ++i) {
      rule.x.push_back(low + length * (panel + (1 + gauss.points(i, 0)) / 2));
      rule.weight.push_back(length / 2 * gauss.weights(i));
    }
  return rule;
}

std::vector<SurfacePoint> box_points(const FarFieldCase& surface, int dim, double wavelength) {
  std::vector<LineRule> along;
  for (int d = 0; d < dim; ++d) along.push_back(panels(surface.low[d], surface.high[d], wavelength, surface.density));
  const LineRule one{{0}, {1}};
  std::vector<SurfacePoint> points;
  for (int axis = 0; axis < dim; ++axis) {
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    const LineRule &u = along[first], &v = dim == 3 ? along[second] : one;
    if (static_cast<double>(u.x.size()) * static_cast<double>(v.x.size()) > most_points)
      throw InputError("farfield.surface: the box has more than {:.0e} points; make it smaller or farfield.surface.density lower.",
                       most_points);
    for (const int side : {-1, 1})
      for (std::size_t j = 0; j < v.x.size(); ++j)
        for (std::size_t i = 0; i < u.x.size(); ++i) {
          SurfacePoint point;
          point.x[axis] = side < 0 ? surface.low[axis] : surface.high[axis];
          point.x[first] = u.x[i];
          if (dim == 3) point.x[second] = v.x[j];
          point.normal[axis] = side;
          point.weight = u.weight[i] * v.weight[j];
          points.push_back(point);
        }
  }
  return points;
}

std::vector<SurfacePoint> round_points(const FarFieldCase& surface, int dim, double wavelength) {
  const double around = std::max(64.0, std::ceil(surface.density * 2 * pi * surface.radius / wavelength));
  if (around * (dim == 3 ? around / 2 : 1) > most_points)
    throw InputError("farfield.surface.radius = {} is {:.4g} wavelengths, too many for its points.", surface.radius,
                     surface.radius / wavelength);
  std::array<double, 3> center{};
  std::copy(surface.center.begin(), surface.center.end(), center.begin());
  std::vector<SurfacePoint> points;
  const auto add = [&](double sine, double height, double weight) {
    for (double i = 0; i < around; ++i) {
      const double phi = 2 * pi * (i + 0.5) / around;
      SurfacePoint point;
      point.normal = {sine * std::cos(phi), sine * std::sin(phi), height};
      for (int d = 0; d < dim; ++d) point.x[d] = center[d] + surface.radius * point.normal[d];
      point.weight = weight * 2 * pi / around;
      points.push_back(point);
    }
  };
  if (dim == 2) {
    add(1, 0, surface.radius);
  } else {
    const Cubature gauss = gauss_jacobi(0, 0, static_cast<int>(std::ceil(around / 2)));
    for (Eigen::Index i = 0; i < gauss.weights.size(); ++i) {
      const double height = gauss.points(i, 0);
      add(std::sqrt(1 - height * height), height, surface.radius * surface.radius * gauss.weights(i));
    }
  }
  return points;
}

}  // namespace

std::vector<SurfacePoint> surface_points(const FarFieldCase& surface, int dim, double wavelength) {
  return surface.low.empty() ? round_points(surface, dim, wavelength) : box_points(surface, dim, wavelength);
}

double distance_outside(const FarFieldCase& surface, const std::array<double, 3>& x) {
  if (surface.low.empty()) {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double step = x[d] - (d < surface.center.size() ? surface.center[d] : 0);
      square += step * step;
    }
    return std::sqrt(square) - surface.radius;
  }
  double farthest = -std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < surface.low.size(); ++d) farthest = std::max({farthest, surface.low[d] - x[d], x[d] - surface.high[d]});
  return farthest;
}

}  // namespace swell
