// SPDX-License-Identifier: Apache-2.0
#include "sim/rank_problem.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "case/problem_of_case.hpp"
#include "comm/scatter.hpp"
#include "sim/element_costs.hpp"
#include "sim/local/clusters_of_case.hpp"
#include "sim/rank_mesh.hpp"

namespace swell {

namespace {

// Where the point sources lie in the whole mesh.
struct PointPlaces {
  std::vector<std::int64_t> cells;
  std::vector<std::array<double, 3>> references;
  std::vector<std::int64_t> near;  // cells that "ader" predicts with their neighbours, ascending
};

void place(const PointPlaces& points, const Mesh& part, Problem& problem) {
  const auto last = part.number.begin() + part.own_count();
  for (std::size_t i = 0; i < points.cells.size(); ++i) {
    const auto found = std::lower_bound(part.number.begin(), last, points.cells[i]);
    problem.points[i].cell = found != last && *found == points.cells[i] ? found - part.number.begin() : -1;
    problem.points[i].reference = points.references[i];
  }
  if (points.near.empty()) return;
  problem.near_points.resize(part.cell_count());
  for (std::int64_t cell = 0; cell < part.cell_count(); ++cell)
    problem.near_points[cell] = std::binary_search(points.near.begin(), points.near.end(), part.number_of(cell));
}

}  // namespace

RankProblem problem_of_rank(const Case& c, Device& device, Ranks& ranks) {
  PointPlaces points;
  Clusters clusters;
  RankMesh shared = share_mesh(c, ranks, [&](const Mesh& whole) {
    Problem problem = problem_of_case(c, whole);
    if (const auto found = take_clusters(c, problem, device)) clusters = *found;
    for (const PointSourceSpec& point : problem.points) {
      points.cells.push_back(point.cell);
      points.references.push_back(point.reference);
    }
    for (std::size_t cell = 0; cell < problem.near_points.size(); ++cell)
      if (problem.near_points[cell]) points.near.push_back(static_cast<std::int64_t>(cell));
    return MeshLook{element_costs(problem), {}};
  });
  share(ranks, points.cells, points.references, points.near, clusters.dt, clusters.gain, clusters.cells, clusters.of_cell);
  RankProblem result;
  result.mesh = std::move(shared.part);
  result.problem = problem_of_case(c, result.mesh, Extent::part);
  result.elements = shared.elements;
  result.mesh_fingerprint = shared.fingerprint;
  place(points, result.mesh, result.problem);
  if (!c.local) return result;
  if (result.problem.clusters = clusters.count(); clusters.count() > 1)
    for (std::int64_t cell = 0; cell < result.mesh.cell_count(); ++cell)
      result.problem.cluster.push_back(clusters.of_cell[result.mesh.number_of(cell)]);
  clusters.of_cell.clear();
  result.clusters = std::move(clusters);
  return result;
}

}  // namespace swell
