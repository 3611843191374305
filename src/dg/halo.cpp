// SPDX-License-Identifier: Apache-2.0
#include "dg/halo.hpp"

#include <algorithm>
#include <map>

namespace swell {

std::vector<NeighbourRank> neighbour_ranks_of_cluster(const Problem& problem, int cluster, bool seen_by_finer) {
  std::vector<NeighbourRank> all = neighbour_ranks(*problem.mesh);
  const Mesh& mesh = *problem.mesh;
  std::map<std::pair<std::int64_t, int>, std::int64_t> behind;  // cells of the halo do not know their neighbours
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell)
    for (int f = 0; f < face_count(mesh.shape_of(cell)); ++f)
      if (const Neighbour& n = mesh.neighbour(cell, f); n.cell >= mesh.own_count()) {
        behind[{cell, f}] = n.cell;
        behind[{n.cell, n.face}] = cell;
      }
  const auto is_other = [&](const SharedFace& face) {
    const int own = problem.cluster[face.cell], other = problem.cluster[behind.at({face.cell, face.face})];
    return own != cluster || (seen_by_finer && other >= own);
  };
  for (NeighbourRank& rank : all) {
    std::erase_if(rank.sent, is_other);
    std::erase_if(rank.expected, is_other);
  }
  return all;
}

std::vector<HaloNodes> halo_nodes(const std::vector<NeighbourRank>& neighbours, const Elements& elements) {
  const auto nodes_of = [&](const std::vector<SharedFace>& faces) {
    std::vector<std::pair<std::int64_t, int>> nodes;
    for (std::size_t first = 0, last = 0; first < faces.size(); first = last) {
      std::vector<int> of_cell;
      const ReferenceElement& element = elements.of_cell(faces[first].cell);
      for (; last < faces.size() && faces[last].cell == faces[first].cell; ++last)
        for (int i = 0; i < element.face_node_count; ++i) of_cell.push_back(element.face_node(faces[last].face, i));
      std::sort(of_cell.begin(), of_cell.end());
      of_cell.erase(std::unique(of_cell.begin(), of_cell.end()), of_cell.end());
      for (const int node : of_cell) nodes.emplace_back(faces[first].cell, node);
    }
    return nodes;
  };
  std::vector<HaloNodes> all;
  for (const NeighbourRank& other : neighbours)
    all.push_back({other.rank, nodes_of(other.sent), nodes_of(other.expected)});
  return all;
}

}  // namespace swell
