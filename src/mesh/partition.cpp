// SPDX-License-Identifier: Apache-2.0
#include "mesh/partition.hpp"

#ifdef SWELL_METIS
#include <metis.h>
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

std::vector<double> shares(const PartitionOptions& options) {
  std::vector<double> all = options.fractions;
  if (all.empty()) all.assign(options.parts, 1.0);
  if (static_cast<int>(all.size()) != options.parts)
    throw InputError("mesh.partition.fractions has {} entries, but there are {} ranks; give one for each.", all.size(),
                     options.parts);
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  for (double& share : all) share /= sum;
  return all;
}

double cost_of(const PartitionOptions& options, std::int64_t cell) {
  return options.costs.empty() ? 1.0 : options.costs[cell];
}

// Along the last axis, by the middle of each cell's vertices: a box falls into slabs, as the fixed grid of the heat solver needs them.
std::vector<std::int64_t> order_by_height(const Mesh& mesh) {
  const bool mixed = mesh.mixed();
  std::vector<double> height(mesh.cell_count(), 0.0);
  for (std::int64_t cell = 0; cell < static_cast<std::int64_t>(height.size()); ++cell) {
    const int vertices = vertex_count(mesh.shape_of(cell));
    for (int v = 0; v < vertices; ++v) height[cell] += mesh.vertex(cell, v)[mesh.dim - 1];
    if (mixed) height[cell] /= vertices;
  }
  std::vector<std::int64_t> order(mesh.cell_count());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return height[a] < height[b]; });
  return order;
}

// Cuts a row of cells where the work so far reaches the shares, with a cell for every part.
std::vector<std::int32_t> along(const std::vector<std::int64_t>& order, const Mesh& mesh, const PartitionOptions& options) {
  const std::vector<double> share = shares(options);
  const std::int64_t count = mesh.cell_count();
  double total = 0;
  for (std::int64_t cell = 0; cell < count; ++cell) total += cost_of(options, cell);
  std::vector<std::int32_t> part(count);
  double done = 0, goal = share[0] * total;
  std::int32_t now = 0;
  std::int64_t here = 0;  // cells of the part so far
  for (std::int64_t i = 0; i < count; ++i) {
    const double cost = cost_of(options, order[i]);
    const std::int64_t parts_behind = options.parts - 1 - now;
    const bool full = here > 0 && done + cost / 2 > goal, scarce = here > 0 && count - i <= parts_behind;
    if (parts_behind > 0 && (full || scarce)) {
      goal += share[++now] * total;
      here = 0;
    }
    part[order[i]] = now;
    done += cost;
    ++here;
  }
  return part;
}

bool leaves_none_empty(const std::vector<std::int32_t>& part, int parts) {
  std::vector<char> used(parts, 0);
  for (const auto p : part) used[p] = 1;
  return std::find(used.begin(), used.end(), 0) == used.end();
}

#ifdef SWELL_METIS
// The dual graph: cells, joined where they share a face (Karypis and Kumar 1998).
std::vector<std::int32_t> by_metis(const Mesh& mesh, const PartitionOptions& options) {
  const std::vector<double> share = shares(options);
  const std::int64_t count = mesh.cell_count();
  if (mesh.face_total() > std::numeric_limits<idx_t>::max())
    throw InputError("{} has {} cells, more than this METIS can cut; use mesh.partition.method = \"curve\".", mesh.name, count);
  std::vector<idx_t> start{0}, neighbour, weight;
  double dearest = 0;
  for (std::int64_t cell = 0; cell < count; ++cell) dearest = std::max(dearest, cost_of(options, cell));
  for (std::int64_t cell = 0; cell < count; ++cell) {
    for (int f = 0; f < face_count(mesh.shape_of(cell)); ++f)
      if (const auto other = mesh.neighbour(cell, f).cell; other >= 0 && other != cell)
        neighbour.push_back(static_cast<idx_t>(other));
    start.push_back(static_cast<idx_t>(neighbour.size()));
    constexpr double resolution = 100;  // of the weights, which are whole numbers
    weight.push_back(std::max<idx_t>(1, static_cast<idx_t>(std::lround(resolution * cost_of(options, cell) / dearest))));
  }
  std::vector<real_t> target(share.begin(), share.end());
  idx_t vertices = static_cast<idx_t>(count), constraints = 1, parts = options.parts, cut = 0;
  idx_t settings[METIS_NOPTIONS];
  METIS_SetDefaultOptions(settings);
  settings[METIS_OPTION_SEED] = 1;  // the same parts every time
  std::vector<idx_t> part(count);
  const int result = METIS_PartGraphKway(&vertices, &constraints, start.data(), neighbour.data(), weight.data(), nullptr,
                                         nullptr, &parts, target.data(), nullptr, settings, &cut, part.data());
  if (result != METIS_OK) throw RunError("METIS could not cut {} into {} parts (its error {}).", mesh.name, options.parts, result);
  return {part.begin(), part.end()};
}
#endif

std::vector<std::int32_t> of_file(const Mesh& mesh, const PartitionOptions& options) {
  if (mesh.partition.empty())
    throw InputError("mesh.partition.method is \"file\", but {} has no partitions; cut it with gmsh -part {}.", mesh.name,
                     options.parts);
  const auto most = *std::max_element(mesh.partition.begin(), mesh.partition.end()) + 1;
  if (most != options.parts)
    throw InputError("{} is cut into {} partitions, but there are {} ranks.", mesh.name, most, options.parts);
  return mesh.partition;
}

PartitionKind chosen(const Mesh& mesh, const PartitionOptions& options) {
  if (options.kind != PartitionKind::automatic) return options.kind;
  const bool fits = !mesh.partition.empty() && options.fractions.empty() &&
                    *std::max_element(mesh.partition.begin(), mesh.partition.end()) + 1 == options.parts;
  return fits ? PartitionKind::file : has_metis() ? PartitionKind::metis : PartitionKind::curve;
}

}  // namespace

bool has_metis() {
#ifdef SWELL_METIS
  return true;
#else
  return false;
#endif
}

std::vector<std::int32_t> partition(const Mesh& mesh, const PartitionOptions& options) {
  if (options.parts == 1) return std::vector<std::int32_t>(mesh.cell_count(), 0);
  if (mesh.cell_count() < options.parts)
    throw InputError("{} has {} cells, fewer than the {} ranks; start fewer.", mesh.name, mesh.cell_count(), options.parts);
  const PartitionKind kind = chosen(mesh, options);
  std::vector<std::int32_t> part;
  if (kind == PartitionKind::file) part = of_file(mesh, options);
  if (kind == PartitionKind::metis) {
#ifdef SWELL_METIS
    part = by_metis(mesh, options);
#else
    throw InputError("mesh.partition.method is \"metis\", but this build has no METIS; use \"curve\".");
#endif
  }
  if (kind == PartitionKind::curve) part = along(space_filling_order(mesh), mesh, options);
  if (kind == PartitionKind::slabs) part = along(order_by_height(mesh), mesh, options);
  if (leaves_none_empty(part, options.parts)) return part;
  // METIS may leave parts of a few cells empty; the curve does not.
  if (kind == PartitionKind::metis && options.kind == PartitionKind::automatic) return along(space_filling_order(mesh), mesh, options);
  throw InputError("One of the {} parts of {} holds no cell; start fewer ranks.", options.parts, mesh.name);
}

}  // namespace swell
