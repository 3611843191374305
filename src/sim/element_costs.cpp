// SPDX-License-Identifier: Apache-2.0
#include "sim/element_costs.hpp"

#include <cmath>

#include "dg/group_data.hpp"
#include "element/element.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

// The cost of a quadrilateral or hexahedron that is integrated at Gauss points, over that of an affine one: 1 / 0.54 to 1 /
// 0.64 on one core with everything in its caches, less where memory bounds both.
constexpr double cost_at_points = 1.7;

// Nothing where all cells cost the same.
std::vector<double> tensor_costs(const Problem& problem) {
  const Mesh& mesh = *problem.mesh;
  if (!problem.model.linear) return {};
  std::vector<double> all;
  bool differ = false;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    all.push_back(is_affine(mesh, cell) ? 1 : cost_at_points);
    differ = differ || all.back() != all.front();
  }
  return differ ? all : std::vector<double>{};
}

// Products of an element, straight and at points.
struct Cost {
  double straight = 0, at_points = 0;
};

Cost cost_of(const ReferenceElement& element, int geometry_order) {
  const double nodes = element.node_count, faces = element.face_count, face_nodes = element.face_node_count;
  if (is_tensor(element.shape)) {
    // A line of nodes to each of its nodes, along each axis, and the lift.
    const double each = element.order + 1, straight = nodes * element.dim * each + faces * face_nodes * each;
    return {straight, cost_at_points * straight};
  }
  const GroupPoints points = group_points(element, Group{.curved = true, .varying = true}, geometry_order);
  const auto volume = static_cast<double>(points.volume.rows()), face = static_cast<double>(points.face.rows());
  return {nodes * (element.dim * nodes + faces * face_nodes),
          3 * volume * nodes + nodes * (element.dim * volume + faces * face) + 2 * faces * face * face_nodes};
}

// The cost of an element near a point source in a step of ADER, over that of another: it is predicted by as many evaluations of the
// right-hand side as the order has. A mesh of such elements took 2.6 to 3.6 times as long at order 2, 3.1 to 3.3 at order 3 and 3.4
// to 5.5 at order 5 (squares and triangles, both families, acoustics on one core).
double cost_near_a_point(int order) { return 1 + 0.7 * order; }

std::vector<double> costs_by_shape(const Problem& problem) {
  const Mesh& mesh = *problem.mesh;
  if (problem.family == Family::modal) return {};
  if (!mesh.mixed() && is_tensor(mesh.shape())) return tensor_costs(problem);
  std::map<Shape, Cost> costs;
  for (const Shape shape : mesh.shapes()) costs[shape] = cost_of(ReferenceElement(shape, problem.order), mesh.geometry_order());
  std::vector<double> all;
  for (std::int64_t cell = 0, count = mesh.cell_count(); cell < count; ++cell) {
    const Cost& cost = costs[mesh.shape_of(cell)];
    all.push_back(is_affine(mesh, cell) ? cost.straight : cost.at_points);
  }
  return all;
}

}  // namespace

std::vector<double> element_costs(const Problem& problem) {
  std::vector<double> all = costs_by_shape(problem);
  const auto times = [&](std::size_t cell, double factor) {
    if (all.empty()) all.assign(static_cast<std::size_t>(problem.mesh->cell_count()), 1.0);
    all[cell] *= factor;
  };
  for (std::size_t cell = 0; cell < problem.near_points.size(); ++cell)
    if (problem.near_points[cell]) times(cell, cost_near_a_point(problem.order));
  // Steps of a cluster of local time stepping are twice as long as those of the one below.
  for (std::size_t cell = 0; cell < problem.cluster.size(); ++cell) times(cell, std::ldexp(1.0, -problem.cluster[cell]));
  return all;
}

}  // namespace swell
