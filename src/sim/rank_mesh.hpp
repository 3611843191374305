// SPDX-License-Identifier: Apache-2.0
// A mesh on several ranks: the first makes or reads it and cuts it; the others are sent their parts and never hold the whole.
#pragma once

#include <functional>
#include <memory>

#include "case/case.hpp"
#include "comm/ranks.hpp"
#include "mesh/mesh.hpp"

namespace swell {

// The first rank's findings in the whole mesh.
struct MeshLook {
  std::vector<double> costs;        // of each cell; empty: all are alike
  std::vector<std::int32_t> owner;  // whose each cell is; empty: as mesh.partition says
};

struct RankMesh {
  Mesh part;                        // this rank's, with its halo
  std::int64_t elements = 0;        // of the whole mesh
  std::string fingerprint;          // of the whole mesh
  std::unique_ptr<Mesh> whole;      // on the first rank only, where it is still needed
  std::vector<std::int32_t> owner;  // of its cells
};

// `look` sees the whole mesh, on the first rank, and checks the case against it. An exception there because of the case or the
// mesh is thrown on all ranks. Collective over all ranks.
RankMesh share_mesh(const Case& c, Ranks& ranks, const std::function<MeshLook(const Mesh&)>& look);

}  // namespace swell
