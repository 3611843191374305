// SPDX-License-Identifier: Apache-2.0
// The outer faces of cells that know only where their points lie, such as those of a field file.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mesh/mesh.hpp"

namespace swell {

// Faces, as (cell, face), whose vertices no other cell has at the same places, to 1e-9 of the mesh's size; a face that has shrunk to
// an edge or a point is none. points: [cell][lattice point][3], the cells in runs of one shape.
std::vector<std::pair<std::int64_t, int>> outer_faces(const std::vector<ShapeRun>& runs, int order, const std::vector<double>& points);

}  // namespace swell
