// SPDX-License-Identifier: Apache-2.0
#include "element/lattice.hpp"

#include <algorithm>
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

int mode_degree(Shape shape, LatticeIndex mode) {
  const auto [i, j, k] = mode;
  if (is_simplex(shape)) return i + j + k;
  if (shape == Shape::prism) return std::max(i + j, k);
  return shape == Shape::pyramid ? std::max(i, j) + k : std::max({i, j, k});
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

std::vector<std::int32_t> lattice_simplices(Shape shape, int order, int stride) {
  const int dim = dimension(shape), count = order / stride;
  // Sums x_d = i_d + ... + i_last turn the simplex of a lattice into count >= x_0 >= x_1 >= x_2 >= 0, which is one of Kuhn's
  // simplices of the cube [0, count]^dim, and a union of those of its unit cubes (Freudenthal 1942). So does x_0 = i + j for a
  // prism, count >= x_0 >= x_1 >= 0, and x_0 = i + k, x_1 = j + k for a pyramid, count >= x_0, x_1 >= x_2 >= 0.
  std::vector<std::int32_t> result;
  std::array<int, 3> axes{0, 1, 2};
  const std::array<int, 3> size{count, count, dim == 3 ? count : 1};
  do {
    if (dim == 2 && axes[2] != 2) continue;
    for (int c = 0; c < size[2]; ++c)
      for (int b = 0; b < size[1]; ++b)
        for (int a = 0; a < size[0]; ++a) {
          std::array<int, 3> at{a, b, c};
          std::array<std::int32_t, 4> corners{};
          bool inside = true;
          for (int corner = 0; corner <= dim; ++corner) {
            if (corner > 0) ++at[axes[corner - 1]];
            LatticeIndex index{at[0] * stride, at[1] * stride, dim == 3 ? at[2] * stride : 0};
            if (is_simplex(shape)) {
              index[0] -= index[1];
              index[1] -= index[2];
            } else if (shape == Shape::prism) {
              index[0] -= index[1];
            } else if (shape == Shape::pyramid) {
              index[0] -= index[2];
              index[1] -= index[2];
            }
            inside = inside && index[0] >= 0 && index[1] >= 0;
            if (inside) corners[corner] = lattice_number(shape, order, index);
          }
          if (inside) result.insert(result.end(), corners.begin(), corners.begin() + dim + 1);
        }
  } while (std::next_permutation(axes.begin(), axes.end()));
  return result;
}

}  // namespace swell
