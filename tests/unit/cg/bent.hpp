// SPDX-License-Identifier: Apache-2.0
// Meshes whose cells are curved to second order, for every shape.
#pragma once

#include "mesh/geometry.hpp"
#include "mesh/sources.hpp"

namespace swell {

// Each cell has points of its own; who meets whom is what it was in the box.
inline Mesh bent(Mesh mesh) {
  const int geometry_order = 2, dim = mesh.dim;
  const CellMap places(mesh, lattice(mesh.shape(), geometry_order));
  const int count = places.point_count();
  std::vector<double> points(mesh.cell_count() * count * dim);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    places.coordinates(cell, points.data() + cell * count * dim);
  for (std::size_t p = 0; p < points.size(); p += dim) {
    const double x = points[p], y = points[p + 1], z = dim == 3 ? points[p + 2] : 0;
    points[p] = x + 0.1 * y * y - 0.05 * z * x;
    points[p + 1] = y - 0.08 * x * x + 0.06 * y * z;
    if (dim == 3) points[p + 2] = z + 0.07 * x * y;
  }
  mesh.points = std::move(points);
  CellBlock& block = mesh.blocks.front();
  block.geometry_order = geometry_order;
  block.nodes_per_cell = count;
  block.nodes.resize(mesh.cell_count() * count);
  for (std::size_t i = 0; i < block.nodes.size(); ++i) block.nodes[i] = static_cast<std::int64_t>(i);
  return mesh;
}

}  // namespace swell
