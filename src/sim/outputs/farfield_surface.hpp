// SPDX-License-Identifier: Apache-2.0
// A closed surface as points with normals and weights: of a box by Gauss rules on panels, of a circle or sphere by rules that
// are exact for its harmonics.
#pragma once

#include <array>
#include <vector>

#include "case/case.hpp"

namespace swell {

struct SurfacePoint {
  std::array<double, 3> x{}, normal{};  // pointing outwards
  double weight = 0;
};

// The points are dense enough for the wavelength.
std::vector<SurfacePoint> surface_points(const FarFieldCase& surface, int dim, double wavelength);

// How far a place lies outside of the surface; negative inside.
double distance_outside(const FarFieldCase& surface, const std::array<double, 3>& x);

}  // namespace swell
