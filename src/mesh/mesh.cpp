// SPDX-License-Identifier: Apache-2.0
#include "mesh/mesh.hpp"

#include <fmt/format.h>

namespace swell {

int vertex_node(Shape shape, int geometry_order, int vertex) {
  const int g = geometry_order;
  switch (shape) {
    case Shape::point:
    case Shape::line:
    case Shape::triangle:
    case Shape::tetrahedron: {
      const int on_axis[] = {0, g, (g + 1) * (g + 2) / 2 - 1, (g + 1) * (g + 2) * (g + 3) / 6 - 1};
      return on_axis[vertex];
    }
    case Shape::quadrilateral:
    case Shape::hexahedron: break;
  }
  const int n = g + 1;
  return g * ((vertex & 1) + n * ((vertex >> 1) & 1) + n * n * ((vertex >> 2) & 1));
}

std::array<double, 3> Mesh::vertex(std::int64_t cell, int local) const {
  const CellBlock& block = cells();
  const std::int64_t point =
      block.nodes[cell * block.nodes_per_cell + vertex_node(block.shape, block.geometry_order, local)];
  std::array<double, 3> x{};
  for (int d = 0; d < dim; ++d) x[d] = points[point * dim + d];
  return x;
}

std::string place_text(int dim, const double* x) {
  std::string text = fmt::format("({:.6g}", x[0]);
  for (int d = 1; d < dim; ++d) text += fmt::format(", {:.6g}", x[d]);
  return text + ")";
}

std::string Mesh::label(std::int64_t cell) const {
  const CellBlock& block = cells();
  return block.tag.empty() ? fmt::format("cell {}", number_of(cell)) : fmt::format("element {}", block.tag[cell]);
}

}  // namespace swell
