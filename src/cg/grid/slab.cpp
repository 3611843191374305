// SPDX-License-Identifier: Apache-2.0
#include "cg/grid/slab.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "mesh/partition.hpp"

namespace swell {

namespace {

constexpr std::int64_t tetrahedra = 6;  // of a brick

bool wraps(const BoxOptions& box) { return !box.periodic.empty() && box.periodic[2]; }

std::int64_t cells_of_layer(const BoxOptions& box) { return tetrahedra * box.cells[0] * box.cells[1]; }

}  // namespace

std::vector<std::int64_t> slab_layers(std::int64_t layers, int ranks, const std::vector<double>& fractions) {
  std::vector<double> share = fractions.empty() ? std::vector<double>(static_cast<std::size_t>(ranks), 1.0) : fractions;
  if (static_cast<int>(share.size()) != ranks)
    throw InputError("mesh.partition.fractions has {} entries, but there are {} ranks; give one for each.", share.size(), ranks);
  const double all = std::accumulate(share.begin(), share.end(), 0.0);
  std::vector<std::int64_t> first{0};
  double so_far = 0;
  for (int rank = 1; rank < ranks; ++rank) {
    so_far += share[rank - 1];
    const auto wanted = static_cast<std::int64_t>(std::llround(so_far / all * static_cast<double>(layers)));
    first.push_back(std::clamp<std::int64_t>(wanted, first.back() + 1, layers - (ranks - rank)));
  }
  first.push_back(layers);
  return first;
}

GridSlab slab_of(const BoxOptions& box, const std::vector<std::int64_t>& layers, int rank) {
  const int last = static_cast<int>(layers.size()) - 2;
  GridSlab slab{layers[rank], layers[rank + 1] - layers[rank], rank - 1, rank + 1};
  if (rank == 0) slab.below = wraps(box) ? last : -1;
  if (rank == last) slab.above = wraps(box) ? 0 : -1;
  if (rank == last && !wraps(box)) ++slab.planes;
  return slab;
}

std::vector<std::int32_t> slab_owners(const BoxOptions& box, const std::vector<std::int64_t>& layers) {
  std::vector<std::int32_t> owner(static_cast<std::size_t>(cells_of_layer(box) * layers.back()));
  for (std::size_t rank = 0; rank + 1 < layers.size(); ++rank)
    std::fill(owner.begin() + layers[rank] * cells_of_layer(box), owner.begin() + layers[rank + 1] * cells_of_layer(box),
              static_cast<std::int32_t>(rank));
  return owner;
}

Mesh slab_surface(const Mesh& whole, const BoxOptions& box, const GridSlab& slab) {
  const std::int64_t layers = box.cells[2], own = std::min(slab.planes, layers - slab.first);
  const std::int64_t under = (slab.first + layers - 1) % layers;  // of the last layer only where z is periodic
  std::vector<std::int32_t> mine(static_cast<std::size_t>(whole.cell_count()), 0);
  for (std::int64_t cell = 0; cell < whole.cell_count(); ++cell) {
    const std::int64_t layer = cell / cells_of_layer(box);
    const bool near = (layer >= slab.first && layer < slab.first + own) || (slab.below >= 0 && layer == under);
    for (int f = 0; near && f < face_count(whole.shape()); ++f) mine[cell] |= whole.neighbour(cell, f).cell < 0 ? 1 : 0;
  }
  return without_halo(part_of(whole, mine, 1));
}

std::vector<HaloRows> slab_halo(const GridSlab& slab, std::int64_t rows, std::int64_t row, std::int64_t plane,
                                std::int64_t start) {
  const auto add = [&](std::vector<std::int64_t>& to, std::int64_t k) {
    for (std::int64_t j = 0; j < rows; ++j) to.push_back(start + k * plane + j * row);
  };
  std::vector<HaloRows> all;
  // Planes that go down come before planes that go up, on both sides: where two ranks share a periodic grid one message carries
  // both.
  for (const int other : {slab.below, slab.above}) {
    if (other < 0 || std::any_of(all.begin(), all.end(), [&](const HaloRows& r) { return r.rank == other; })) continue;
    HaloRows& halo = all.emplace_back();
    halo.rank = other;
    if (other == slab.below) add(halo.sent, 0);
    if (other == slab.above) add(halo.sent, slab.planes - 1);
    if (other == slab.above) add(halo.expected, slab.planes);
    if (other == slab.below) add(halo.expected, -1);
  }
  return all;
}

}  // namespace swell
