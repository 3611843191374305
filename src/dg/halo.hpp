// SPDX-License-Identifier: Apache-2.0
// The halo exchange of right-hand sides (solve/exchange.hpp): the neighbouring ranks, and the nodes of shared faces.
#pragma once

#include <vector>

#include "mesh/elements.hpp"
#include "mesh/partition.hpp"
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
std::vector<HaloNodes> halo_nodes(const Mesh& part, const Elements& elements);

}  // namespace swell
