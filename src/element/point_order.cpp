// SPDX-License-Identifier: Apache-2.0
#include "element/point_order.hpp"

#include <algorithm>
#include <stdexcept>

namespace swell {

namespace {

std::vector<LatticeIndex> listed(Shape shape, int order, PointLayout (*layout)(Shape), bool recursive) {
  return recursive ? ordered_points(shape, order, layout) : lattice_indices(shape, order);
}

// The points strictly inside are a lattice of lower order: one layer is gone at each face. A prism's are those of a triangle, in each
// layer of a line.
std::vector<LatticeIndex> inner_points(Shape shape, int order, PointLayout (*layout)(Shape), bool recursive) {
  const int tensor = order - 2, simplex = order - dimension(shape) - 1;
  std::vector<LatticeIndex> points;
  if (shape == Shape::prism) {
    if (tensor < 0 || order < 3) return {};
    const auto layers = listed(Shape::line, tensor, layout, recursive);
    const auto add = [&](const LatticeIndex& in_layer, const LatticeIndex& layer) { points.push_back({in_layer[0], in_layer[1], layer[0]}); };
    const auto triangle = listed(Shape::triangle, order - 3, layout, recursive);
    if (recursive)
      for (const auto& in_layer : triangle)
        for (const auto& layer : layers) add(in_layer, layer);
    else
      for (const auto& layer : layers)
        for (const auto& in_layer : triangle) add(in_layer, layer);
  } else {
    const int inner = is_simplex(shape) ? simplex : shape == Shape::pyramid ? order - 3 : tensor;
    if (inner < 0) return {};
    points = listed(shape, inner, layout, recursive);
  }
  for (LatticeIndex& point : points)
    for (int d = 0; d < dimension(shape); ++d) ++point[d];
  return points;
}

// That of the face that has these vertices.
Shape shape_of_face(Shape shape, const std::array<int, 3>& vertices) {
  for (int face = 0; face < face_count(shape); ++face) {
    const auto all = face_vertices(shape, face);
    if (std::ranges::all_of(vertices, [&](int v) { return std::ranges::find(all, v) != all.end(); })) return face_shape(shape, face);
  }
  throw std::logic_error("No face has these vertices.");
}

}  // namespace

std::vector<LatticeIndex> ordered_points(Shape shape, int order, PointLayout (*layout)(Shape)) {
  if (order == 0) return {LatticeIndex{0, 0, 0}};
  const PointLayout order_of = layout(shape);
  std::vector<LatticeIndex> points;
  for (const int corner : order_of.corners) {
    LatticeIndex point = lattice_vertex(shape, corner);
    for (int& step : point) step *= order;
    points.push_back(point);
  }
  for (const auto& [from, to] : order_of.edges)
    for (int i = 1; i < order; ++i) {
      const LatticeIndex a = lattice_vertex(shape, from), b = lattice_vertex(shape, to);
      points.push_back({(order - i) * a[0] + i * b[0], (order - i) * a[1] + i * b[1], (order - i) * a[2] + i * b[2]});
    }
  for (const std::array<int, 3>& face : order_of.faces)
    for (const LatticeIndex& inside : inner_points(shape_of_face(shape, face), order, layout, order_of.recursive))
      points.push_back(lattice_on_face(shape, order, face, inside));
  if (dimension(shape) > 1)
    for (const LatticeIndex& inside : inner_points(shape, order, layout, order_of.recursive)) points.push_back(inside);
  return points;
}

std::vector<int> ordered_lattice_numbers(Shape shape, int order, PointLayout (*layout)(Shape)) {
  std::vector<int> numbers;
  for (const LatticeIndex& point : ordered_points(shape, order, layout))
    numbers.push_back(lattice_number(shape, order, point));
  return numbers;
}

}  // namespace swell
