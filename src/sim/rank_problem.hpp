// SPDX-License-Identifier: Apache-2.0
// A case of an explicit model on several ranks, each with its part of the mesh (sim/rank_mesh.hpp).
#pragma once

#include "case/case.hpp"
#include "comm/ranks.hpp"
#include "model/problem.hpp"
#include "time/clusters.hpp"

namespace swell {

struct RankProblem {
  Mesh mesh;        // this rank's part
  Problem problem;  // its mesh is still to be named
  std::int64_t elements = 0;     // of the whole mesh
  std::string mesh_fingerprint;  // of the whole mesh
  std::optional<Clusters> clusters;  // of all ranks, with local time stepping; which cell is in which is in the problem alone
};

// Collective over all ranks. An exception on the first rank because of the case or the mesh is thrown on all.
RankProblem problem_of_rank(const Case& c, Device& device, Ranks& ranks);

}  // namespace swell
