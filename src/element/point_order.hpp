// SPDX-License-Identifier: Apache-2.0
// How file formats list the points of a Lagrange element: corners, then the insides of edges, faces and volume.
#pragma once

#include <array>
#include <vector>

#include "element/lattice.hpp"

namespace swell {

// Corners are vertex numbers of our shapes.
struct PointLayout {
  std::vector<int> corners;
  std::vector<std::array<int, 2>> edges;  // points run from the first corner to the second
  std::vector<std::array<int, 3>> faces;  // origin, end of the first axis, end of the second axis
  bool recursive;                         // insides are listed like a smaller element, else in lattice order
};

std::vector<LatticeIndex> ordered_points(Shape shape, int order, PointLayout (*layout)(Shape));
// The points of a layout as indices in lattice order.
std::vector<int> ordered_lattice_numbers(Shape shape, int order, PointLayout (*layout)(Shape));

}  // namespace swell
