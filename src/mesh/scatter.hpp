// SPDX-License-Identifier: Apache-2.0
// Simplices as a mesher makes them, on the vertices of a box that are moved at random: nothing is left of its rows and columns, and
// no mesh is a part of a finer one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace swell {

struct ScatterOptions {
  int dim = 2;
  std::array<std::int64_t, 3> cells{1, 1, 1};
  double amplitude = 0;  // of the steps along each axis, in cells
};

struct ScatteredCells {
  std::vector<double> vertices;     // [vertex][axis] in cells: vertex i + j (cells_x + 1) + ...
  std::vector<std::int64_t> cells;  // [cell][corner]
};

// From -1 to 1 for an axis of a vertex; with axis = dim a number by which vertices are told apart.
using DrawnNumber = std::function<double(const std::array<std::int64_t, 3>& vertex, int axis)>;

// Vertices on a side of the box stay on it. A step that would make a cell flat is halved until it does not.
// In the plane: Delaunay's triangles, by flips (Lawson 1977). In space each brick is cut from its vertex with the lowest number, to which
// the triangles of its far faces are joined; a face is cut from its own lowest vertex, so that both bricks at it agree.
ScatteredCells scatter_vertices(const ScatterOptions& options, const DrawnNumber& drawn);

}  // namespace swell
