// SPDX-License-Identifier: Apache-2.0
// A field on cells as a picture: of two dimensions as they lie, of three in a slice.
#pragma once

#include <string>
#include <vector>

#include "element/shape.hpp"
#include "io/draw/plane.hpp"
#include "io/draw/raster.hpp"

namespace swell {

// Cells in lattice order (element/lattice.hpp), and a field's values there.
struct CellField {
  Shape shape = Shape::triangle;
  int order = 1;
  const std::vector<double>& points;  // [cell][lattice point][3]
  const std::vector<double>& values;  // [cell][lattice point]
};

// Through the point slice[0..2] with the normal slice[3..5]; where that is empty, across z through the middle of the points.
Plane slice_plane(const std::vector<double>& points, const std::vector<double>& slice);

// `axes` become the coordinates that the picture shows; `slice` counts in three dimensions only.
Picture picture_of(const CellField& field, int width, const std::vector<double>& slice, std::array<std::string, 2>& axes);

}  // namespace swell
