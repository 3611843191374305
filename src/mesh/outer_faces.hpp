// SPDX-License-Identifier: Apache-2.0
// The outer faces of cells that know only where their points lie, such as those of a field file.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "element/shape.hpp"

namespace swell {

// Faces, as (cell, face), whose vertices no other cell has at the same places, to 1e-9 of the mesh's size. points:
// [cell][lattice point][3].
std::vector<std::pair<std::int64_t, int>> outer_faces(Shape shape, int order, const std::vector<double>& points);

}  // namespace swell
