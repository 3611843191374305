// SPDX-License-Identifier: Apache-2.0
// What kernels/cg_fans.h reads of straight linear tetrahedra in place of their metrics.
#pragma once

#include <array>
#include <optional>

#include "cg/blocks.hpp"

namespace swell {

using VertexPlaces = std::vector<std::array<double, 3>>;

// Of each unknown; nothing where some vertex has several, as around a period.
std::optional<VertexPlaces> vertex_places(const Mesh& mesh, const Numbering& numbering);

// [unknown of a block][x, y, z, nothing]
std::vector<double> places_of_blocks(const VertexPlaces& places, const ElementBlocks& blocks);

// k / (6 |J|) and, where there are two values, rhoC |J| / 120 in place of k and rhoC, [batch][value][lane].
void weigh_tetrahedra(const Mesh& mesh, const ElementBlocks& blocks, int values, std::vector<double>& material);

}  // namespace swell
