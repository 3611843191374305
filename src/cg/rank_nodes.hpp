// SPDX-License-Identifier: Apache-2.0
// Continuous unknowns of one rank: those of its own cells, of which it shares some with the ranks whose cells meet them, be it
// at a single vertex; and where boundaries give values.
#pragma once

#include <map>

#include "cg/numbering.hpp"
#include "comm/ranks.hpp"
#include "model/diffusion.hpp"

namespace swell {

// The nodes behind the unknowns, from the first given one on: their places and the boundary that gives the value.
struct GivenNodes {
  std::vector<double> place;           // [given][dim]
  std::vector<std::int32_t> boundary;  // [given]
};
// Where two boundaries meet, the one with the smaller number gives the value.
GivenNodes given_nodes(const DiffusionProblem& problem, const Elements& elements, const Numbering& numbering);

// Which boundaries give values; the last entry is for sides without a name.
std::vector<char> fixed_boundaries(const DiffusionProblem& problem);

struct RankNodes {
  // The numbering of this rank's cells: first the unknowns that no other rank has, then the shared ones that it owns, then
  // those that others own, then given ones.
  Numbering numbering;
  std::int64_t interior = 0, owned = 0;
  std::vector<std::int32_t> owner;  // [unknown that others own]: the rank
  std::int64_t all = 0, all_free = 0;  // nodes and unknowns of all ranks
  GivenNodes given;
  std::vector<std::int32_t> whole;  // [unknown or given]: its number among all, as number_nodes() gives it on the whole mesh
  // Unknowns that another rank has too, in an order that both know; ascending by rank.
  struct Neighbour {
    int rank = 0;
    std::vector<std::int32_t> shared;
  };
  std::vector<Neighbour> neighbours;
};

// A mesh that ranks share, on the first of them; the others have nothing of it. Both must outlive those who use it.
struct SharedMesh {
  const Mesh* whole = nullptr;
  const std::vector<std::int32_t>* owner = nullptr;  // the rank of each cell
};

// `problem`: on this rank's own cells, in their order in the shared mesh, which are numbered along `order`. The rank with the
// first of an unknown's cells in the shared mesh owns it. The first rank tells the others which nodes are one. Collective over
// all ranks.
RankNodes rank_nodes(const DiffusionProblem& problem, const SharedMesh& shared, Ranks& ranks, const std::vector<std::int64_t>& order);

// [rank]: the ranks that share unknowns with it, and how many; `whole` is on the whole mesh, whose cells are the ranks'
// `owner`.
std::vector<std::map<int, std::int64_t>> shared_unknowns(const DiffusionProblem& whole, const std::vector<std::int32_t>& owner, int ranks);

}  // namespace swell
