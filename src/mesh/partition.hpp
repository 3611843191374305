// SPDX-License-Identifier: Apache-2.0
// Cutting a mesh into parts for ranks, and the part that one rank keeps: its own cells, then the halo, the cells of other ranks
// that touch them across a face.
#pragma once

#include <string_view>
#include <vector>

#include "mesh/mesh.hpp"

namespace swell {

enum class PartitionKind { automatic, metis, curve, slabs, file };

struct PartitionOptions {
  PartitionKind kind = PartitionKind::automatic;  // the file's parts where it has them for this many, else METIS, else the curve
  int parts = 1;
  std::vector<double> fractions;  // of the work for each part, to any scale; empty: equal
  std::vector<double> costs;      // of each cell; empty: equal
};

bool has_metis();

// The part of each cell, none empty. Throws InputError where there are fewer cells than parts, or where the requested kind is
// not available.
std::vector<std::int32_t> partition(const Mesh& mesh, const PartitionOptions& options);

// Cells keep the order that they have in the whole mesh, own ones first; faces of the halo that meet no own cell are blank.
Mesh part_of(const Mesh& whole, const std::vector<std::int32_t>& part, int rank);

// A part without its halo, for those who need no cells of others: a face that meets one still has a neighbour, whose number is
// behind the last cell.
Mesh without_halo(Mesh part);

// The faces whose traces go between two ranks, in equal order on both sides: by the cell's number in the whole mesh, then face.
struct SharedFace {
  std::int64_t cell = 0;  // of this part: own where it is sent, of the halo where it is expected
  int face = 0;           // that meets a cell of the other side
};
struct NeighbourRank {
  int rank = 0;
  std::vector<SharedFace> sent, expected;
};
std::vector<NeighbourRank> neighbour_ranks(const Mesh& part);

}  // namespace swell
