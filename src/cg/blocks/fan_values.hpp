// SPDX-License-Identifier: Apache-2.0
// The data of straight linear simplices that kernels/continuous/fans.h reads: a weight for each edge of a fan.
#pragma once

#include "cg/blocks/blocks.hpp"

namespace swell {

// The stride of the unknowns of the next block that a batch of fans prefetches: most lie beside one another, so that one of
// them brings the others.
constexpr int fan_next_step = 6;

// The turns of the cells in their slots, two bits for each node.
std::vector<std::uint8_t> slot_turns(const ElementBlocks& blocks, int nodes, const std::vector<std::uint8_t>& turn);

// [batch of fans][edges, then one mass for each cell unless `steady`][lane]. `material`: k and, unless steady, rhoC of each
// cell, [batch][value][lane].
std::vector<double> fan_values(const Mesh& mesh, const ElementBlocks& blocks, const std::vector<std::uint8_t>& turns, bool steady,
                               const std::vector<double>& material);

// Floating point operations of a product for one cell.
double fan_flops(int dim, int chain, bool steady);

}  // namespace swell
