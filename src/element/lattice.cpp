// SPDX-License-Identifier: Apache-2.0
#include "element/lattice.hpp"

#include <cassert>

namespace swell {

int lattice_count(Shape shape, int order) {
  const int n = order + 1;
  switch (shape) {
    case Shape::point: return 1;
    case Shape::line: return n;
    case Shape::triangle: return n * (n + 1) / 2;
    case Shape::quadrilateral: return n * n;
    case Shape::tetrahedron: return n * (n + 1) * (n + 2) / 6;
    case Shape::hexahedron: return n * n * n;
  }
  return 0;
}

std::vector<LatticeIndex> lattice_indices(Shape shape, int order) {
  const int dim = dimension(shape);
  const bool simplex = is_simplex(shape);
  std::vector<LatticeIndex> indices;
  indices.reserve(lattice_count(shape, order));
  for (int k = 0; k <= (dim > 2 ? order : 0); ++k)
    for (int j = 0; j <= (dim > 1 ? order - (simplex ? k : 0) : 0); ++j)
      for (int i = 0; i <= (dim > 0 ? order - (simplex ? j + k : 0) : 0); ++i) indices.push_back({i, j, k});
  return indices;
}

int lattice_number(Shape shape, int order, LatticeIndex index) {
  const auto [i, j, k] = index;
  assert(i >= 0 && j >= 0 && k >= 0);
  if (!is_simplex(shape)) return i + (order + 1) * (j + (order + 1) * k);
  assert(i + j + k <= order);
  if (dimension(shape) <= 1) return i;
  const int layers = dimension(shape) == 3
                         ? lattice_count(Shape::tetrahedron, order) - lattice_count(Shape::tetrahedron, order - k)
                         : 0;
  const int rows = lattice_count(Shape::triangle, order - k) - lattice_count(Shape::triangle, order - k - j);
  return layers + rows + i;
}

LatticeIndex lattice_vertex(Shape shape, int vertex) {
  assert(vertex >= 0 && vertex < vertex_count(shape));
  if (is_simplex(shape)) return {vertex == 1, vertex == 2, vertex == 3};
  return {vertex & 1, (vertex >> 1) & 1, (vertex >> 2) & 1};
}

LatticeIndex lattice_on_face(Shape shape, int order, std::span<const int> vertices, LatticeIndex on_face) {
  const LatticeIndex origin = lattice_vertex(shape, vertices[0]);
  LatticeIndex result{};
  for (int d = 0; d < 3; ++d) {
    result[d] = order * origin[d];
    for (int axis = 0; axis < dimension(shape) - 1; ++axis)
      result[d] += on_face[axis] * (lattice_vertex(shape, vertices[axis + 1])[d] - origin[d]);
  }
  return result;
}

}  // namespace swell
