// SPDX-License-Identifier: Apache-2.0
// The partition of the fixed grid: slabs of whole planes along z, cut by a fraction for each rank, and their halo exchange.
#pragma once

#include <vector>

#include "mesh/sources.hpp"
#include "solve/exchange.hpp"

namespace swell {

// One rank's planes of vertices, in the order of the ranks from zmin on. A rank has the bricks from each of its planes to the
// next, the last rank also the plane at zmax where z is not periodic.
struct GridSlab {
  std::int64_t first = 0, planes = 0;
  int below = -1, above = -1;  // the ranks whose planes come before and behind; -1: none
};

// The first layer of bricks of each rank, and their number as a last entry. Every rank has one at least; there must be as many.
// `fractions`: to any scale; empty: equal. Throws InputError where there is not one for each rank.
std::vector<std::int64_t> slab_layers(std::int64_t layers, int ranks, const std::vector<double>& fractions);

GridSlab slab_of(const BoxOptions& box, const std::vector<std::int64_t>& layers, int rank);

// The rank of each cell of the box.
std::vector<std::int32_t> slab_owners(const BoxOptions& box, const std::vector<std::int64_t>& layers);

// The cells of the box whose sides reach the planes of a slab: those at the boundary, of the layer below too.
Mesh slab_surface(const Mesh& whole, const BoxOptions& box, const GridSlab& slab);

// The first and the last plane of a slab, for the ranks beside it, and where theirs go; planes lie `plane` and rows `row`
// entries apart, from `start` on.
std::vector<HaloRows> slab_halo(const GridSlab& slab, std::int64_t rows, std::int64_t row, std::int64_t plane,
                                std::int64_t start);

}  // namespace swell
