// SPDX-License-Identifier: Apache-2.0
// A field on cells as a picture: of one dimension as a curve, of two as they lie, of three in a slice.
#pragma once

#include <string>
#include <vector>

#include "io/draw/picture.hpp"
#include "io/draw/plane.hpp"
#include "mesh/mesh.hpp"

namespace swell {

// Cells in lattice order (element/lattice.hpp), and a field's values there.
struct CellField {
  std::vector<ShapeRun> runs;
  int order = 1;
  const std::vector<double>& points;  // [cell][lattice point][3]
  const std::vector<double>& values;  // [cell][lattice point]
};

// Through the point slice[0..2] with the normal slice[3..5]; where that is empty, across z through the middle of the points.
Plane slice_plane(const std::vector<double>& points, const std::vector<double>& slice);

// A picture of two or three dimensions. `axes` become the coordinates that the picture shows; `slice` counts in three dimensions only.
Picture picture_of(const CellField& field, int width, const std::vector<double>& slice, std::array<std::string, 2>& axes);

// The field over x, on a page of a fixed size; look.low and look.high are the ends of its axis. Where cells meet, a jump of
// the field is a vertical line. `ends`: with dots at the ends of cells.
Image curve_of(const CellField& field, const PictureOptions& look, bool ends);

// A picture of any dimension.
Image image_of(const CellField& field, int width, const std::vector<double>& slice, PictureOptions look);

}  // namespace swell
