// SPDX-License-Identifier: Apache-2.0
#include "element/point_order.hpp"

namespace swell {

namespace {

// The lattice of the points strictly inside has this order: one layer is gone at each face.
int inner_order(Shape shape, int order) { return is_simplex(shape) ? order - dimension(shape) - 1 : order - 2; }

std::vector<LatticeIndex> inner_points(Shape shape, int order, PointLayout (*layout)(Shape)) {
  const int inner = inner_order(shape, order);
  if (inner < 0) return {};
  std::vector<LatticeIndex> points =
      layout(shape).recursive ? ordered_points(shape, inner, layout) : lattice_indices(shape, inner);
  for (LatticeIndex& point : points)
    for (int d = 0; d < dimension(shape); ++d) ++point[d];
  return points;
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
    for (const LatticeIndex& inside : inner_points(face_shape(shape), order, layout))
      points.push_back(lattice_on_face(shape, order, face, inside));
  if (dimension(shape) > 1)
    for (const LatticeIndex& inside : inner_points(shape, order, layout)) points.push_back(inside);
  return points;
}

std::vector<int> ordered_lattice_numbers(Shape shape, int order, PointLayout (*layout)(Shape)) {
  std::vector<int> numbers;
  for (const LatticeIndex& point : ordered_points(shape, order, layout))
    numbers.push_back(lattice_number(shape, order, point));
  return numbers;
}

}  // namespace swell
