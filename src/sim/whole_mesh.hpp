// SPDX-License-Identifier: Apache-2.0
// Questions about a whole mesh that ranks with its parts answer together.
#pragma once

#include <string>
#include <vector>

#include "comm/ranks.hpp"
#include "mesh/geometry.hpp"
#include "mesh/mesh.hpp"

namespace swell {

// A fingerprint of a whole mesh: equal for equal cells in an equal order and place.
std::string fingerprint(const Mesh& mesh);

// The cell that holds a point, on the rank whose it is; cell = -1 elsewhere. Throws InputError with `place` before it for
// points outside the mesh. `locator` is of this rank's `mesh`.
Locator::Hit locate(const Locator& locator, const Mesh& mesh, Ranks& ranks, const std::vector<double>& point,
                    const std::string& place);

}  // namespace swell
