// SPDX-License-Identifier: Apache-2.0
// Continuous unknowns: which nodes of which cells are one.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/elements.hpp"

namespace swell {

struct Numbering {
  std::int64_t count = 0;
  std::int64_t free = 0;            // the first ones; the others are fixed by a boundary
  std::vector<std::int32_t> of_node;  // [cell][node], the nodes of a cell from Elements::first_node() on
};

// Throws InputError where the whole mesh has more nodes than a Numbering can count; `mesh` may be a part of it.
void check_numbers(const Mesh& mesh, const Elements& elements);

// Nodes that lie on one another across a face, or a periodic pair of faces, are one unknown, whatever the orientation and the
// shapes of the two cells; so are the vertices at one point of the mesh. Numbers follow the `order` in which the cells are visited, which
// is the mesh's own where it is empty; unknowns on faces of a boundary that is `fixed` come last. fixed[boundary]; its last
// entry is for sides without a name.
Numbering number_nodes(const Mesh& mesh, const Elements& elements, const std::vector<char>& fixed,
                       const std::vector<std::int64_t>& order = {});

// The sums over the elements' results: unknown i is the sum over place[start[i]] .. place[start[i + 1] - 1].
struct GatherLists {
  std::vector<std::int32_t> start, place;
};
// of_place[p] is the unknown of place p, or -1.
GatherLists gather_lists(const std::vector<std::int32_t>& of_place, std::int64_t count);

// Gather lists for a few unknowns among many: only those that are named have a list.
struct SparseGather {
  std::vector<std::int32_t> unknown;  // of each list, ascending
  GatherLists lists;
};
SparseGather sparse_gather(const std::vector<std::int32_t>& of_place);

}  // namespace swell
