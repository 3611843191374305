// SPDX-License-Identifier: Apache-2.0
// The largest stable time step of each scheme, as measured on the discretisation itself.
#pragma once

#include <string_view>

#include "element/shape.hpp"

namespace swell {

// C in dt = cfl * min over cells of C / s: on simplices s is the largest wave speed times the sum of the cell's face
// measures over its own measure, on tensor shapes the largest wave speed times the sum over the reference directions d
// of |grad r_d| (largest over the nodes). Measured by tools/measure_stability for nodal DG with upwind flux on regular,
// stretched and sheared cells, periodic and walled, with 5 percent taken off.
double stable_constant(std::string_view scheme, Shape shape, int order);

}  // namespace swell
