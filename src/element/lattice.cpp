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
    case Shape::prism: return n * n * (n + 1) / 2;
    case Shape::pyramid: return n * (n + 1) * (2 * n + 1) / 6;
  }
  return 0;
}

std::vector<LatticeIndex> lattice_indices(Shape shape, int order) {
  const int dim = dimension(shape);
  // In a row i goes to as much as is left of the order; so do the rows of a layer.
  const bool layers_shrink = dim == 3 && (is_simplex(shape) || shape == Shape::pyramid);
  const bool rows_shrink = is_simplex(shape) || shape == Shape::prism;
  std::vector<LatticeIndex> indices;
  indices.reserve(lattice_count(shape, order));
  for (int k = 0; k <= (dim > 2 ? order : 0); ++k) {
    const int layer = order - (layers_shrink ? k : 0);
    for (int j = 0; j <= (dim > 1 ? layer : 0); ++j)
      for (int i = 0; i <= (dim > 0 ? layer - (rows_shrink ? j : 0) : 0); ++i) indices.push_back({i, j, k});
  }
  return indices;
}

int lattice_number(Shape shape, int order, LatticeIndex index) {
  const auto [i, j, k] = index;
  assert(i >= 0 && j >= 0 && k >= 0);
  const auto in_triangle = [i = i, j = j](int n) { return lattice_count(Shape::triangle, n) - lattice_count(Shape::triangle, n - j) + i; };
  switch (shape) {
    case Shape::quadrilateral:
    case Shape::hexahedron: return i + (order + 1) * (j + (order + 1) * k);
    case Shape::prism: return k * lattice_count(Shape::triangle, order) + in_triangle(order);
    case Shape::pyramid:
      return lattice_count(Shape::pyramid, order) - lattice_count(Shape::pyramid, order - k) + j * (order - k + 1) + i;
    case Shape::tetrahedron:
      assert(i + j + k <= order);
      return lattice_count(Shape::tetrahedron, order) - lattice_count(Shape::tetrahedron, order - k) + in_triangle(order - k);
    case Shape::triangle: return in_triangle(order);
    case Shape::line:
    case Shape::point: break;
  }
  return i;
}

LatticeIndex lattice_vertex(Shape shape, int vertex) {
  assert(vertex >= 0 && vertex < vertex_count(shape));
  if (is_simplex(shape)) return {vertex == 1, vertex == 2, vertex == 3};
  if (shape == Shape::prism) return {vertex % 3 == 1, vertex % 3 == 2, vertex >= 3};
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
