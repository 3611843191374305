// SPDX-License-Identifier: Apache-2.0
// Where a plane meets a cell: marching through the small tetrahedra of its lattice.
#include <array>
#include <unordered_map>

#include "view/scene.hpp"

namespace swell {

namespace {

// An edge between a node on one side of the plane and one on the other.
struct Crossing {
  std::int32_t before, behind;
};

// The crossings of a small tetrahedron, around its polygon: a triangle, or a quadrilateral where two nodes lie on each side.
int polygon(const std::int32_t* nodes, const std::vector<double>& distance, std::array<Crossing, 4>& around) {
  std::array<std::int32_t, 4> before{}, behind{};
  int few = 0, many = 0;
  for (int i = 0; i < 4; ++i)
    if (distance[nodes[i]] < 0)
      before[few++] = nodes[i];
    else
      behind[many++] = nodes[i];
  if (few == 0 || many == 0) return 0;
  if (few == 2) {
    around = {{{before[0], behind[0]}, {before[0], behind[1]}, {before[1], behind[1]}, {before[1], behind[0]}}};
    return 4;
  }
  for (int i = 0; i < 3; ++i) around[i] = few == 1 ? Crossing{before[0], behind[i]} : Crossing{before[i], behind[0]};
  return 3;
}

}  // namespace

void SceneMaker::cut(const SlicePlane& plane, const Lattice& lattice, const double* nodes, std::int32_t place, Scene& scene) const {
  std::vector<double> distance(lattice.nodes, 0.0);
  for (int n = 0; n < lattice.nodes; ++n)
    for (int d = 0; d < 3; ++d) distance[n] += (nodes[3 * n + d] - plane[d]) * plane[3 + d];
  std::unordered_map<std::int64_t, std::uint32_t> known;
  const auto corner_at = [&](const Crossing& edge) {
    const auto [found, is_new] = known.try_emplace(std::int64_t{edge.before} * nodes_ + edge.behind,
                                                   static_cast<std::uint32_t>(scene.corners.size()));
    if (is_new) {
      const double part = distance[edge.before] / (distance[edge.before] - distance[edge.behind]);
      std::array<double, 3> x{};
      for (int d = 0; d < 3; ++d)
        x[d] = nodes[3 * edge.before + d] + part * (nodes[3 * edge.behind + d] - nodes[3 * edge.before + d]);
      scene.corners.push_back({place, static_cast<std::int16_t>(edge.before), static_cast<std::int16_t>(edge.behind),
                               static_cast<float>(part)});
      add_point(scene, x.data());
    }
    return found->second;
  };
  std::array<Crossing, 4> around;
  for (std::size_t t = 0; t < lattice.simplices.size(); t += 4) {
    const int count = polygon(lattice.simplices.data() + t, distance, around);
    for (int i = 2; i < count; ++i)
      for (const int corner : {0, i - 1, i}) scene.triangles.push_back(corner_at(around[corner]));
    // A side of the polygon lies on a face of the cell where all nodes of its two edges do.
    for (int i = 0; i < count; ++i) {
      const Crossing &one = around[i], &two = around[(i + 1) % count];
      if ((lattice.faces_of_node[one.before] & lattice.faces_of_node[one.behind] & lattice.faces_of_node[two.before] &
           lattice.faces_of_node[two.behind]) == 0)
        continue;
      scene.lines.push_back(corner_at(one));
      scene.lines.push_back(corner_at(two));
    }
  }
}

}  // namespace swell
