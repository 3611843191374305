// SPDX-License-Identifier: Apache-2.0
// The order of nodes in Gmsh's complete Lagrange elements.
#pragma once

#include <vector>

#include "element/shape.hpp"

namespace swell {

// Node i of a Gmsh element of this shape and order is our lattice point result[i] (Gmsh reference manual, "Node
// ordering"): corners, edges, faces, volume, the insides of faces and volumes listed like smaller elements.
std::vector<int> gmsh_lattice_order(Shape shape, int order);

}  // namespace swell
