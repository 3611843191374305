// SPDX-License-Identifier: Apache-2.0
// The exact upwind flux of a linear model that has none in closed form, as kernel source. Where waves are isotropic and
// material is constant in each region it is solved once for each pair of materials in the frame of the face, since the kinds of
// the fields say how to turn them; else for each place of a face (model/face_matrices.hpp).
#pragma once

#include "model/problem.hpp"

namespace swell {

// Adds flux_upwind to the problem's model where the flux needs it and the model does not have it. Throws InputError where it
// cannot be derived: a model that is not linear, or material that changes with time.
void complete_model(Problem& problem, Device& device);

}  // namespace swell
