// SPDX-License-Identifier: Apache-2.0
// How stiff viscous terms are in an element.
#pragma once

#include <vector>

#include "element/shape.hpp"

namespace swell {

// The factor of a diffusivity in the rates of viscous terms (time/diffusion_limit.hpp): the sum over the faces of 1 / height^2 on
// simplices, the largest |+-grad r_1 +-grad r_2 ..|^2 on tensor shapes, from the Jacobians at the element's nodes.
double diffusion_stiffness(Shape shape, const std::vector<double>& jacobians);

}  // namespace swell
