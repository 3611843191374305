// SPDX-License-Identifier: Apache-2.0
#include "cg/rank_nodes.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "mesh/geometry.hpp"

namespace swell {

std::vector<char> fixed_boundaries(const HeatProblem& problem) {
  std::vector<char> fixed;
  for (const HeatBoundary& b : problem.boundary) fixed.push_back(b.kind == HeatBoundary::Kind::temperature);
  return fixed;
}

GivenNodes given_nodes(const HeatProblem& problem, const ReferenceElement& element, const Numbering& numbering) {
  const Mesh& mesh = *problem.mesh;
  const int dim = mesh.dim;
  GivenNodes given;
  given.place.resize((numbering.count - numbering.free) * dim);
  given.boundary.assign(numbering.count - numbering.free, -1);
  if (given.boundary.empty()) return given;
  const CellMap map(mesh, element.nodes);
  std::vector<double> x(element.node_count * dim);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int f = 0; f < element.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell >= 0) continue;
      const auto number = static_cast<std::int32_t>(n.boundary >= 0 ? n.boundary : problem.boundary.size() - 1);
      if (problem.boundary[number].kind != HeatBoundary::Kind::temperature) continue;
      map.coordinates(cell, x.data());
      for (int i = 0; i < element.face_node_count; ++i) {
        const int node = element.face_node(f, i);
        const std::int64_t fixed = numbering.of_node[cell * element.node_count + node] - numbering.free;
        if (given.boundary[fixed] >= 0 && given.boundary[fixed] <= number) continue;
        given.boundary[fixed] = number;
        std::copy_n(x.data() + node * dim, dim, given.place.begin() + fixed * dim);
      }
    }
  return given;
}

namespace {

// Numbers in three passes over the cells, as number_nodes() does in two: what this rank owns, what others own, what is given.
void number_part(const Numbering& whole, const std::vector<std::int32_t>& lowest, int rank, const Mesh& part, int nodes,
                 const std::vector<std::int64_t>& order, RankNodes& to) {
  std::vector<std::int32_t> local(static_cast<std::size_t>(whole.count), -1);
  const auto pass_of = [&](std::int32_t unknown) { return unknown >= whole.free ? 2 : lowest[unknown] == rank ? 0 : 1; };
  for (int pass = 0; pass < 3; ++pass) {
    for (std::int64_t i = 0; i < part.cell_count(); ++i)
      for (int n = 0; n < nodes; ++n) {
        const auto unknown = whole.of_node[part.number[order[i]] * nodes + n];
        if (local[unknown] >= 0 || pass_of(unknown) != pass) continue;
        local[unknown] = static_cast<std::int32_t>(to.numbering.count++);
        to.whole.push_back(unknown);
      }
    if (pass == 0) to.owned = to.numbering.count;
    if (pass == 1) to.numbering.free = to.numbering.count;
  }
  to.numbering.of_node.reserve(part.cell_count() * nodes);
  for (std::int64_t cell = 0; cell < part.cell_count(); ++cell)
    for (int n = 0; n < nodes; ++n) to.numbering.of_node.push_back(local[whole.of_node[part.number[cell] * nodes + n]]);
}

}  // namespace

RankNodes rank_nodes(const HeatProblem& whole, const std::vector<std::int32_t>& owner, int rank, const Mesh& part,
                     const std::vector<std::int64_t>& order) {
  const ReferenceElement element(whole.mesh->shape(), whole.order);
  const int nodes = element.node_count, dim = whole.mesh->dim;
  const std::int64_t cells = whole.mesh->cell_count();
  const Numbering all = number_nodes(*whole.mesh, element, fixed_boundaries(whole));
  std::vector<std::int32_t> lowest(static_cast<std::size_t>(all.count), std::numeric_limits<std::int32_t>::max());
  std::vector<char> mine(lowest.size(), 0);
  for (std::int64_t cell = 0; cell < cells; ++cell)
    for (int n = 0; n < nodes; ++n) {
      const auto unknown = all.of_node[cell * nodes + n];
      lowest[unknown] = std::min(lowest[unknown], owner[cell]);
      if (owner[cell] == rank) mine[unknown] = 1;
    }
  RankNodes result;
  result.all = all.count;
  result.all_free = all.free;
  number_part(all, lowest, rank, part, nodes, order, result);
  const GivenNodes given = given_nodes(whole, element, all);
  for (std::int64_t i = result.numbering.free; i < result.numbering.count; ++i) {
    const std::int64_t from = result.whole[i] - all.free;
    result.given.boundary.push_back(given.boundary[from]);
    result.given.place.insert(result.given.place.end(), given.place.begin() + from * dim, given.place.begin() + (from + 1) * dim);
  }
  std::vector<std::int32_t> local(lowest.size(), -1);
  for (std::size_t i = 0; i < result.whole.size(); ++i) local[result.whole[i]] = static_cast<std::int32_t>(i);
  std::map<int, std::vector<std::int32_t>> shared;
  for (std::int64_t cell = 0; cell < cells; ++cell)
    for (int n = 0; n < nodes && owner[cell] != rank; ++n)
      if (const auto unknown = all.of_node[cell * nodes + n]; unknown < all.free && mine[unknown]) shared[owner[cell]].push_back(unknown);
  for (auto& [other, unknowns] : shared) {
    std::sort(unknowns.begin(), unknowns.end());
    unknowns.erase(std::unique(unknowns.begin(), unknowns.end()), unknowns.end());
    for (auto& unknown : unknowns) unknown = local[unknown];
    result.neighbours.push_back({other, std::move(unknowns)});
  }
  return result;
}

}  // namespace swell
