// SPDX-License-Identifier: Apache-2.0
// The matrices of kernels/nodal/viscous_simplex.h, in its order; tensor shapes have none.
#pragma once

#include "dg/group_data.hpp"

namespace swell {

// Blocks of so many rows; 0: one block.
std::vector<double> viscous_matrices(const ReferenceElement& element, const Group& group, const GroupPoints& points, int tile_rows);

}  // namespace swell
