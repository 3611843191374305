// SPDX-License-Identifier: Apache-2.0
// The halo exchange of the nodal family: the nodes of the faces that it shares with other ranks.
#include "base/timer.hpp"
#include "dg/nodal/operator.hpp"

namespace swell {

// The nodes of shared faces in a state.
std::vector<HaloRows> NodalOperator::halo_rows(const std::vector<NeighbourRank>& neighbours) const {
  std::vector<HaloRows> rows;
  const auto places = [&](const std::vector<std::pair<std::int64_t, int>>& nodes) {
    std::vector<std::int64_t> all;
    for (const auto& [cell, node] : nodes)
      all.push_back((layout_->first_node(layout_->slot_of_cell[cell]) + node) * fields());
    return all;
  };
  for (const HaloNodes& other : halo_nodes(neighbours, elements_))
    rows.push_back({other.rank, places(other.sent), places(other.expected)});
  return rows;
}

void NodalOperator::build_halo() {
  if (problem_.ranks->single()) return;
  const std::vector<HaloRows> rows = halo_rows(neighbour_ranks(*problem_.mesh));
  const Stopwatch clock;
  halo_ = std::make_unique<HaloExchange>(device_, problem_.precision, *problem_.ranks, rows, fields());
  compile_seconds_ += clock.seconds();
}

}  // namespace swell
