// SPDX-License-Identifier: Apache-2.0
// The rates that steps of viscous terms are made for (dg/nodal/viscous.cpp).
#pragma once

#include <string_view>

#include "element/shape.hpp"

namespace swell {

// The largest eigenvalue of the viscous terms over diffusivity times the metric that is the sum over the faces of 1 / height^2 on
// simplices, the largest |+-grad r_1 +-grad r_2 ..|^2 on tensor shapes and pyramids, on prisms what dg/nodal/diffusion_stiffness.cpp says; with 5 percent
// put on.
double diffusion_eigenvalue(Shape shape, int order);
// How far the stability region of a scheme reaches along the negative real axis.
double diffusion_limit(std::string_view scheme, int order);

}  // namespace swell
