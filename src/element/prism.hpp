// SPDX-License-Identifier: Apache-2.0
// The prism: a triangle (r, s) times a line t. Its triangular faces have the nodes of a tetrahedron's, its other faces those of a
// hexahedron's, so that neighbours of any shape read each other's traces at nodes.
#pragma once

#include "element/basis.hpp"
#include "element/lattice.hpp"

namespace swell {

Matrix prism_nodes(int order);
// Exact to the degree in (r, s) together and in t.
Cubature prism_cubature(const Cubature& triangle, const Cubature& line);

}  // namespace swell
