// SPDX-License-Identifier: Apache-2.0
// How the lines, rectangles or bricks of a box are cut into cells.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "element/shape.hpp"

namespace swell {

// Each row is one cell: its vertices among the corners of a piece of a line, a rectangle or a brick, corner i + 2j + 4k.
using Cells = std::vector<std::vector<int>>;

// The first piece of a box of one shape; all pieces have as many cells.
const Cells& cut(Shape shape);
// The cells of a shape of a piece of a box, which may be mixed.
const Cells& cut_at(Shape shape, const std::array<std::int64_t, 3>& at, int dim, bool mixed);
// After so many pieces along an axis a mixed box of three dimensions repeats itself.
std::int64_t mixed_period(int axis);

}  // namespace swell
