// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include "mesh/partition.hpp"

namespace swell {

namespace {

void copy_cells(const Mesh& whole, const std::vector<std::int64_t>& numbers, Mesh& part) {
  const CellBlock& from = whole.cells();
  CellBlock to;
  to.shape = from.shape;
  to.geometry_order = from.geometry_order;
  to.nodes_per_cell = from.nodes_per_cell;
  std::vector<std::int64_t> point_of(whole.points.size() / whole.dim, -1);
  for (const auto cell : numbers) {
    to.region.push_back(from.region[cell]);
    if (!from.tag.empty()) to.tag.push_back(from.tag[cell]);
    for (int n = 0; n < from.nodes_per_cell; ++n) {
      const auto point = from.nodes[cell * from.nodes_per_cell + n];
      if (point_of[point] < 0) {
        point_of[point] = static_cast<std::int64_t>(part.points.size()) / whole.dim;
        part.points.insert(part.points.end(), whole.points.begin() + point * whole.dim,
                           whole.points.begin() + (point + 1) * whole.dim);
      }
      to.nodes.push_back(point_of[point]);
    }
  }
  part.blocks.push_back(std::move(to));
}

// The faces of sheets that cells of the rank touch, be it at a vertex.
void add_sheets(const Mesh& whole, const std::vector<std::int32_t>& owner, int rank, const std::vector<std::int64_t>& local, Mesh& part) {
  const CellBlock& cells = whole.cells();
  std::vector<char> touched(whole.points.size() / static_cast<std::size_t>(whole.dim), 0);
  for (std::int64_t cell = 0; cell < part.own_count(); ++cell)
    for (int n = 0; n < cells.nodes_per_cell; ++n) touched[cells.nodes[part.number[cell] * cells.nodes_per_cell + n]] = 1;
  for (SheetFace sheet : whole.sheets) {
    bool here = false;
    for (const int side : {0, 1})
      for (const int v : face_vertices(whole.shape(), sheet.face[side]))
        here = here || touched[cells.nodes[sheet.cell[side] * cells.nodes_per_cell + vertex_node(whole.shape(), cells.geometry_order, v)]];
    for (auto& cell : sheet.cell) cell = owner[cell] == rank ? local[cell] : -1;
    if (here) part.sheets.push_back(sheet);
  }
}

}  // namespace

Mesh part_of(const Mesh& whole, const std::vector<std::int32_t>& owner, int rank) {
  const int faces = face_count(whole.shape());
  Mesh part;
  part.dim = whole.dim;
  part.name = whole.name;
  part.regions = whole.regions;
  part.boundaries = whole.boundaries;
  std::vector<std::int64_t> local(whole.cell_count(), -1), halo;
  for (std::int64_t cell = 0; cell < whole.cell_count(); ++cell) {
    if (owner[cell] != rank) continue;
    local[cell] = static_cast<std::int64_t>(part.number.size());
    part.number.push_back(cell);
    for (int f = 0; f < faces; ++f)
      if (const auto other = whole.neighbour(cell, f).cell; other >= 0 && owner[other] != rank) halo.push_back(other);
  }
  const auto own = static_cast<std::int64_t>(part.number.size());
  std::sort(halo.begin(), halo.end());
  halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
  for (const auto cell : halo) {
    local[cell] = static_cast<std::int64_t>(part.number.size());
    part.number.push_back(cell);
    part.halo_rank.push_back(owner[cell]);
  }
  copy_cells(whole, part.number, part);
  part.neighbours.assign(part.number.size() * faces, Neighbour{});
  for (std::int64_t cell = 0; cell < own; ++cell)
    for (int f = 0; f < faces; ++f) {
      Neighbour n = whole.neighbour(part.number[cell], f);
      if (n.cell >= 0) n.cell = local[n.cell];
      part.neighbours[cell * faces + f] = n;
    }
  for (const InnerFace& inner : whole.inner_faces)
    if (owner[inner.cell] == rank) part.inner_faces.push_back({local[inner.cell], inner.face, inner.boundary});
  if (!whole.sheets.empty()) add_sheets(whole, owner, rank, local, part);
  return part;
}

Mesh without_halo(Mesh part) {
  const auto own = part.own_count();
  CellBlock& cells = part.blocks.front();
  cells.nodes.resize(own * cells.nodes_per_cell);
  cells.region.resize(own);
  if (!cells.tag.empty()) cells.tag.resize(own);
  part.neighbours.resize(own * face_count(cells.shape));
  part.number.resize(own);
  part.halo_rank.clear();
  return part;
}

std::vector<NeighbourRank> neighbour_ranks(const Mesh& part) {
  const int faces = face_count(part.shape());
  const std::int64_t own = part.own_count();
  std::map<int, NeighbourRank> known;
  for (std::int64_t cell = 0; cell < own; ++cell)
    for (int f = 0; f < faces; ++f) {
      const Neighbour& n = part.neighbour(cell, f);
      if (n.cell < own) continue;
      NeighbourRank& other = known[part.halo_rank[n.cell - own]];
      other.sent.push_back({cell, f});
      other.expected.push_back({n.cell, n.face});
    }
  std::vector<NeighbourRank> all;
  for (auto& [rank, other] : known) {
    other.rank = rank;
    const auto before = [&](const SharedFace& a, const SharedFace& b) {
      return std::tuple(part.number_of(a.cell), a.face) < std::tuple(part.number_of(b.cell), b.face);
    };
    std::sort(other.sent.begin(), other.sent.end(), before);
    std::sort(other.expected.begin(), other.expected.end(), before);
    all.push_back(std::move(other));
  }
  return all;
}

}  // namespace swell
