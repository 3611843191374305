// SPDX-License-Identifier: Apache-2.0
// Linear simplices in chains of three, each sharing a side with the next: a chain of tetrahedra has 6 vertices where three
// separate ones have 12, so that half as many values are gathered and summed. Three such simplices are a fan: all have an axis
// (an edge, in the plane a point) in common, around which they follow one another.
#pragma once

#include "cg/numbering.hpp"

namespace swell {

constexpr int chain_length = 3;

// Places of a chain are the vertices of its axis and those of its rim in turn, (c, d, r0, r1, r2, r3): its cells are
// (c, d, r0, r1), (c, d, r1, r2), (c, d, r2, r3).
struct CellChains {
  std::vector<std::int64_t> cell;  // [chain][3], -1 where a chain is shorter
  std::vector<std::uint8_t> turn;  // [chain][3][node]: the cell's own vertex at its place
};

// The node of cell t that stands at a place of its chain; -1: none.
constexpr int node_in_chain(int place, int t, int nodes) {
  const int axis = nodes - 2, rim = place - axis - t;
  return place < axis ? place : rim == 0 || rim == 1 ? axis + rim : -1;
}

// `order`: simplices of one shape along a curve, which the chains follow.
CellChains cell_chains(const Mesh& mesh, const Elements& elements, const Numbering& numbering, const std::vector<std::int64_t>& order);

}  // namespace swell
