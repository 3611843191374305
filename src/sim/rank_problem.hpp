// SPDX-License-Identifier: Apache-2.0
// A case on several ranks: the first makes or reads the mesh, checks the case against it and cuts it; the others are sent their
// parts and never hold the whole.
#pragma once

#include <functional>

#include "comm/ranks.hpp"
#include "dg/problem.hpp"
#include "sim/case.hpp"

namespace swell {

struct RankProblem {
  Mesh mesh;        // this rank's part
  Problem problem;  // its mesh is still to be named
  std::int64_t elements = 0;  // of the whole mesh
  std::string about_mesh;     // what `about` says of the whole mesh
};

// By all ranks together. What the first throws because of the case or the mesh, all throw.
RankProblem problem_of_rank(const Case& c, Ranks& ranks, const std::function<std::string(const Mesh&)>& about);

}  // namespace swell
