// SPDX-License-Identifier: Apache-2.0
// The order of points in VTK's Lagrange cells.
#pragma once

#include <vector>

#include "element/shape.hpp"

namespace swell {

// Point i of VTK's Lagrange cell of this shape and order is our lattice point result[i] (VTK 9.1 and later; before that
// the last two of the hexahedron's edges were exchanged). VTK has no such cell for pyramids.
std::vector<int> vtk_lattice_order(Shape shape, int order);

}  // namespace swell
