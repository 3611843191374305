// SPDX-License-Identifier: Apache-2.0
// The exact upwind flux of a linear model that has none in closed form, as kernel text: solved once for each pair of the
// problem's materials in the frame of the face, since the kinds of the fields say how to turn them.
#pragma once

#include <string>

#include "model/problem.hpp"

namespace swell {

// The function flux_upwind. Throws InputError where it cannot be derived: a model that is not linear or not the same in all
// directions, or material that is not constant in each region.
std::string derived_upwind_text(const Problem& problem, Device& device);

// Adds it to the problem's model where the flux needs it and the model does not have it.
void complete_model(Problem& problem, Device& device);

}  // namespace swell
