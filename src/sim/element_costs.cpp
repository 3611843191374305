// SPDX-License-Identifier: Apache-2.0
#include "sim/element_costs.hpp"

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

}  // namespace

std::vector<double> element_costs(const Problem& problem) {
  const Mesh& mesh = *problem.mesh;
  if (problem.family == Family::modal) return {};
  if (!is_simplex(mesh.shape())) return tensor_costs(problem);
  const ReferenceElement element(mesh.shape(), problem.order);
  const GroupPoints points = group_points(element, Group{.curved = true, .varying = true}, mesh.cells().geometry_order);
  const double nodes = element.node_count, faces = element.face_count, face_nodes = element.face_node_count;
  const auto volume = static_cast<double>(points.volume.rows()), face = static_cast<double>(points.face.rows());
  const double straight = nodes * (element.dim * nodes + faces * face_nodes);
  const double curved =
      3 * volume * nodes + nodes * (element.dim * volume + faces * face) + 2 * faces * face * face_nodes;
  std::vector<double> all;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) all.push_back(is_affine(mesh, cell) ? straight : curved);
  return all;
}

}  // namespace swell
