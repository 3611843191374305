// SPDX-License-Identifier: Apache-2.0
#include "sim/distribute.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "dg/group_data.hpp"
#include "element/element.hpp"
#include "mesh/geometry.hpp"
#include "mesh/partition.hpp"

namespace swell {

std::vector<double> element_costs(const Problem& problem) {
  const Mesh& mesh = *problem.mesh;
  if (!is_simplex(mesh.shape()) || problem.family == Family::modal) return {};
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

std::vector<std::int32_t> shared_out(const Mesh& whole, const Case& c, std::vector<double> costs, Ranks& ranks) {
  std::vector<std::int32_t> part(whole.cell_count());
  if (ranks.first()) part = partition(whole, {c.partition, ranks.count(), c.fractions, std::move(costs)});
  ranks.broadcast(std::as_writable_bytes(std::span(part)), 0);
  std::vector<std::int64_t> cells(static_cast<std::size_t>(ranks.count()), 0);
  for (const auto p : part) ++cells[p];
  const auto [fewest, most] = std::minmax_element(cells.begin(), cells.end());
  log_info("{} ranks with {} to {} elements", ranks.count(), *fewest, *most);
  return part;
}

}  // namespace swell
