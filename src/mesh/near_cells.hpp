// SPDX-License-Identifier: Apache-2.0
// Cells around a place, as far as a field that is singular there is not resolved by them.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace swell {

// The cell that holds the place, and those that meet it across faces, one after the other, while their middle is nearer to the
// place than `reach` times their own size (from the middle to the farthest vertex). Across periodic sides too. Ascending.
std::vector<std::int64_t> cells_near(const Mesh& mesh, std::int64_t cell, const double* place, double reach);

}  // namespace swell
