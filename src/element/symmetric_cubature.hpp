// SPDX-License-Identifier: Apache-2.0
// Cubature that looks the same from every vertex of a face, for faces that two elements number differently.
#pragma once

#include "element/basis.hpp"

namespace swell {

constexpr int most_symmetric_degree = 26;  // on triangles

// Exact to the degree asked, as cubature() is; on triangles up to that degree. On lines and squares it is cubature() itself.
Cubature symmetric_cubature(Shape shape, int degree);

// Exact to the degree asked, with the fewest points that are known here: tabulated rules on triangles to degree 26 and on tetrahedra to
// degree 8, else cubature() itself.
Cubature sparse_cubature(Shape shape, int degree);

}  // namespace swell
