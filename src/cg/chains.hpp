// SPDX-License-Identifier: Apache-2.0
// Linear simplices in chains of three, each sharing a side with the next: a chain of tetrahedra has 6 vertices where three
// alone have 12, so that half as many values are gathered and summed.
#pragma once

#include "cg/numbering.hpp"

namespace swell {

constexpr int chain_length = 3;

// Places of a chain are its vertices (a, b, c, d, e, f): its cells are (a, b, c, d), (b, c, d, e), (c, d, e, f). Any three
// simplices that follow one another can be written so.
struct CellChains {
  std::vector<std::int64_t> cell;  // [chain][3], -1 where a chain is shorter
  std::vector<std::uint8_t> turn;  // [chain][3][node]: the cell's own vertex at its place
};

// `order`: the cells along a curve, which the chains follow.
CellChains cell_chains(const Mesh& mesh, const Numbering& numbering, const std::vector<std::int64_t>& order);

// The upper triangle of J grad r_d . grad r_e of a straight simplex, numbers `stride` apart, for its vertices in another order.
void turn_metric(double* metric, std::int64_t stride, int dim, const std::uint8_t* turn);

}  // namespace swell
