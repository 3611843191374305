// SPDX-License-Identifier: Apache-2.0
#include "cg/vertex_places.hpp"

#include <algorithm>
#include <cmath>

namespace swell {

namespace {

constexpr int vertices = 4;

double jacobian(const Mesh& mesh, std::int64_t cell) {
  const auto corner = mesh.vertex(cell, 0);
  double edge[3][3];
  for (int v = 0; v < 3; ++v) {
    const auto to = mesh.vertex(cell, v + 1);
    for (int d = 0; d < 3; ++d) edge[v][d] = to[d] - corner[d];
  }
  const auto minor = [&](int i, int j) { return edge[1][i] * edge[2][j] - edge[1][j] * edge[2][i]; };
  return edge[0][0] * minor(1, 2) + edge[0][1] * minor(2, 0) + edge[0][2] * minor(0, 1);
}

}  // namespace

std::optional<VertexPlaces> vertex_places(const Mesh& mesh, const Numbering& numbering) {
  VertexPlaces places(static_cast<std::size_t>(numbering.count));
  std::vector<char> known(places.size(), 0);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int v = 0; v < vertices; ++v) {
      const auto unknown = numbering.of_node[cell * vertices + v];
      const auto here = mesh.vertex(cell, v);
      if (known[unknown] && places[unknown] != here) return {};
      places[unknown] = here;
      known[unknown] = 1;
    }
  return places;
}

std::vector<double> places_of_blocks(const VertexPlaces& places, const ElementBlocks& blocks) {
  std::vector<double> out(4 * blocks.unknown.size(), 0.0);
  for (std::size_t i = 0; i < blocks.unknown.size(); ++i) std::copy_n(places[blocks.unknown[i]].data(), 3, out.data() + 4 * i);
  return out;
}

void weigh_tetrahedra(const Mesh& mesh, const ElementBlocks& blocks, int values, std::vector<double>& material) {
  const int lanes = blocks.lanes;
  for (std::int64_t slot = 0; slot < static_cast<std::int64_t>(blocks.cell.size()); ++slot) {
    if (blocks.cell[slot] < 0) continue;
    const double size = std::abs(jacobian(mesh, blocks.cell[slot]));
    double* at = material.data() + slot / lanes * values * lanes + slot % lanes;
    at[0] /= 6 * size;
    if (values == 2) at[lanes] *= size / 120;
  }
}

}  // namespace swell
