// SPDX-License-Identifier: Apache-2.0
#include "study/plan_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "case/problem_of_case.hpp"
#include "dg/halo.hpp"
#include "element/basis.hpp"
#include "element/element.hpp"
#include "sim/element_costs.hpp"
#include "sim/local/clusters_of_case.hpp"

namespace swell {

namespace {

// Numbers that a rank sends in an exchange: values at nodes in the nodal family, else modes of the traces, of which modal faces
// with material that varies along them have a few more.
std::int64_t numbers_sent(const Problem& problem, const Mesh& part, const HaloNodes& other,
                          std::int64_t faces) {
  const bool levelset = problem.model.kind() == PageKind::interface;
  if (problem.family == Family::nodal && !levelset)
    return static_cast<std::int64_t>(other.sent.size() * problem.model.fields.size());
  const std::int64_t modes = mode_count(face_shape(part.shape()), problem.order);
  return faces * modes * (levelset ? 1 : static_cast<std::int64_t>(problem.model.fields.size()));
}

}  // namespace

PartsPlan count_parts(const Mesh& whole, const std::vector<std::int32_t>& owner, int ranks,
                      const std::function<std::vector<std::int64_t>(int, const Mesh&, const std::vector<NeighbourRank>&)>& sent) {
  PartsPlan plan;
  plan.ranks = ranks;
  plan.fewest = whole.cell_count();
  for (int rank = 0; rank < ranks; ++rank) {
    const Mesh part = part_of(whole, owner, rank);
    const auto faces = neighbour_ranks(part);
    std::vector<std::int64_t> border;
    for (const NeighbourRank& other : faces) {
      plan.shared_faces += static_cast<std::int64_t>(other.sent.size());
      for (const SharedFace& face : other.sent) border.push_back(face.cell);
    }
    std::sort(border.begin(), border.end());
    border.erase(std::unique(border.begin(), border.end()), border.end());
    const auto to_each = sent(rank, part, faces);
    const std::int64_t bytes = std::accumulate(to_each.begin(), to_each.end(), std::int64_t{0});
    plan.fewest = std::min(plan.fewest, part.own_count());
    plan.most = std::max(plan.most, part.own_count());
    plan.most_border = std::max(plan.most_border, static_cast<std::int64_t>(border.size()));
    plan.most_neighbours = std::max(plan.most_neighbours, static_cast<int>(to_each.size()));
    plan.messages += static_cast<std::int64_t>(to_each.size());
    plan.bytes += bytes;
    plan.most_bytes = std::max(plan.most_bytes, bytes);
  }
  plan.shared_faces /= 2;
  return plan;
}

std::vector<PartsPlan> plan_wave_parts(const Case& c, const std::vector<int>& ranks, Device& device) {
  const Mesh mesh = mesh_of_case(c);
  Problem problem = problem_of_case(c, mesh);
  take_clusters(c, problem, device);
  const std::vector<double> costs = element_costs(problem);
  const auto sent = [&](int, const Mesh& part, const std::vector<NeighbourRank>& faces) {
    const auto nodes = halo_nodes(faces, Elements(part, problem.order));
    std::vector<std::int64_t> bytes;
    for (std::size_t i = 0; i < faces.size(); ++i)
      bytes.push_back(numbers_sent(problem, part, nodes[i], static_cast<std::int64_t>(faces[i].sent.size())) *
                      static_cast<std::int64_t>(bytes_of(problem.precision)));
    return bytes;
  };
  std::vector<PartsPlan> all;
  for (const int count : ranks)
    all.push_back(count_parts(mesh, partition(mesh, {c.partition, count, c.fractions, costs}), count, sent));
  return all;
}

std::string describe(const PartsPlan& p) {
  return fmt::format(
      "ranks      {}: {} to {} elements each, up to {} of them at others' and {} neighbours; {:.3f} MB sent in an exchange, up to "
      "{:.3f} MB by one{}\n",
      p.ranks, p.fewest, p.most, p.most_border, p.most_neighbours, static_cast<double>(p.bytes) / 1e6,
      static_cast<double>(p.most_bytes) / 1e6,
      p.device_bytes ? fmt::format("; {:.1f} MB on the device of rank {}, the largest", static_cast<double>(*p.device_bytes) / 1e6, p.largest) : "");
}

}  // namespace swell
