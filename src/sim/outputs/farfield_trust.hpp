// SPDX-License-Identifier: Apache-2.0
// How far a far field can be trusted: whether the incident pulse has the frequency, and what the surface still holds at the end.
#pragma once

#include <vector>

#include "base/expression.hpp"
#include "sim/evolution.hpp"
#include "sim/outputs/farfield_surface.hpp"

namespace swell {

// Amplitudes of the spectrum below this part of the integral of |pulse| are rounding and truncation: such frequencies are refused.
constexpr double least_spectrum = 1e-6;
// Below this part the error of the discretisation at stronger frequencies shows: the run says so.
constexpr double weak_spectrum = 1e-2;
// A far field of which more than this part may still be on its way is told of.
constexpr double much_left = 1e-2;

// |integral of pulse(t) exp(-2 pi i f t)| over [0, end], as a part of the integral of |pulse|: 1 at most. 0 for a pulse that is 0.
std::vector<double> spectral_parts(const Expression& pulse, double end, const std::vector<double>& frequencies);

// Fields that carry energy and what multiplies them, so that the squares of a plane wave's two fields are alike.
struct WeightedField {
  int field = 0;
  double weight = 1;
};

// The root mean square of the weighted fields over the nodes of the cells inside the surface; on the first rank.
double field_inside(Evolution& evolution, const FarFieldCase& surface, const std::vector<WeightedField>& fields);

}  // namespace swell
