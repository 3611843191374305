// SPDX-License-Identifier: Apache-2.0
// The halo exchange of right-hand sides (solve/exchange.hpp): the neighbouring ranks, and the nodes of shared faces.
#pragma once

#include <vector>

#include "mesh/elements.hpp"
#include "mesh/partition.hpp"
#include "model/problem.hpp"
#include "solve/exchange.hpp"

namespace swell {

// Which items of a kernel touch other ranks, and which do not.
struct HaloItems {
  std::vector<Items> inner, border;
};

// For each neighbour of a part, the nodes of the faces that it shares, each once: (cell, node).
struct HaloNodes {
  int rank = 0;
  std::vector<std::pair<std::int64_t, int>> sent, expected;
};
std::vector<HaloNodes> halo_nodes(const std::vector<NeighbourRank>& neighbours, const Elements& elements);

// The faces of neighbour_ranks() behind which elements of this cluster lie for those who receive their traces: all of them, or those
// that finer elements receive, for the half of a step.
std::vector<NeighbourRank> neighbour_ranks_of_cluster(const Problem& problem, int cluster, bool seen_by_finer);

// The exchanges of a cluster in local time stepping: of halves of a step, then of the whole.
struct ClusterExchange {
  std::unique_ptr<HaloExchange> half, whole;
};

}  // namespace swell
