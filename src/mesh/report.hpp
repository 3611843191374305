// SPDX-License-Identifier: Apache-2.0
// A description of a mesh in words: counts, groups, quality, curvature. The text of `swell mesh`.
#pragma once

#include <string>

#include "mesh/mesh.hpp"

namespace swell {

struct MeshQuality {
  double smallest_measure = 0, largest_measure = 0, total_measure = 0;
  double shortest_edge = 0, longest_edge = 0;
  double worst_shape = 0;  // 1 for the ideal cell, towards 0 for a flat one
  std::int64_t worst_cell = 0;
  std::int64_t curved_cells = 0;
  std::int64_t boundary_faces = 0, interior_faces = 0, periodic_faces = 0;
};
MeshQuality measure_quality(const Mesh& mesh);
std::string describe(const Mesh& mesh);

}  // namespace swell
