// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include "mesh/partition.hpp"

namespace swell {

namespace {

CellBlock empty_block_like(const CellBlock& other) {
  CellBlock block;
  block.shape = other.shape;
  block.geometry_order = other.geometry_order;
  block.nodes_per_cell = other.nodes_per_cell;
  return block;
}

// Cells that follow each other with one shape share a block. A part without cells has an empty block: it still has a shape.
void copy_cells(const Mesh& whole, const std::vector<std::int64_t>& numbers, Mesh& part) {
  std::vector<std::int64_t> point_of(whole.points.size() / whole.dim, -1);
  if (numbers.empty()) part.blocks.push_back(empty_block_like(whole.blocks.front()));
  for (const auto cell : numbers) {
    const Mesh::Spot at = whole.spot(cell);
    const CellBlock& from = *at.block;
    if (part.blocks.empty() || part.blocks.back().shape != from.shape) part.blocks.push_back(empty_block_like(from));
    CellBlock& to = part.blocks.back();
    to.region.push_back(from.region[at.local]);
    if (!from.tag.empty()) to.tag.push_back(from.tag[at.local]);
    for (const auto point : whole.nodes_of(cell)) {
      if (point_of[point] < 0) {
        point_of[point] = static_cast<std::int64_t>(part.points.size()) / whole.dim;
        part.points.insert(part.points.end(), whole.points.begin() + point * whole.dim,
                           whole.points.begin() + (point + 1) * whole.dim);
      }
      to.nodes.push_back(point_of[point]);
    }
  }
}

// The faces of sheets that cells of the rank touch, be it at a vertex.
void add_sheets(const Mesh& whole, const std::vector<std::int32_t>& owner, int rank, const std::vector<std::int64_t>& local, Mesh& part) {
  std::vector<char> touched(whole.points.size() / static_cast<std::size_t>(whole.dim), 0);
  for (std::int64_t cell = 0; cell < part.own_count(); ++cell)
    for (const auto point : whole.nodes_of(part.number[cell])) touched[point] = 1;
  for (SheetFace sheet : whole.sheets) {
    bool here = false;
    for (const int side : {0, 1}) {
      const Shape shape = whole.shape_of(sheet.cell[side]);
      for (const int v : face_vertices(shape, sheet.face[side]))
        here = here || touched[whole.nodes_of(sheet.cell[side])[vertex_node(shape, whole.geometry_order(), v)]];
    }
    for (auto& cell : sheet.cell) cell = owner[cell] == rank ? local[cell] : -1;
    if (here) part.sheets.push_back(sheet);
  }
}

}  // namespace

Mesh part_of(const Mesh& whole, const std::vector<std::int32_t>& owner, int rank) {
  Mesh part;
  part.dim = whole.dim;
  part.name = whole.name;
  part.regions = whole.regions;
  part.boundaries = whole.boundaries;
  part.whole_runs = whole.runs();
  std::vector<std::int64_t> local(whole.cell_count(), -1), halo;
  for (std::int64_t cell = 0; cell < whole.cell_count(); ++cell) {
    if (owner[cell] != rank) continue;
    local[cell] = static_cast<std::int64_t>(part.number.size());
    part.number.push_back(cell);
    for (int f = 0; f < face_count(whole.shape_of(cell)); ++f)
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
  part.neighbours.assign(part.face_total(), Neighbour{});
  for (std::int64_t cell = 0; cell < own; ++cell)
    for (int f = 0; f < face_count(part.shape_of(cell)); ++f) {
      Neighbour n = whole.neighbour(part.number[cell], f);
      if (n.cell >= 0) n.cell = local[n.cell];
      part.neighbour(cell, f) = n;
    }
  for (const InnerFace& inner : whole.inner_faces)
    if (owner[inner.cell] == rank) part.inner_faces.push_back({local[inner.cell], inner.face, inner.boundary});
  if (!whole.sheets.empty()) add_sheets(whole, owner, rank, local, part);
  return part;
}

Mesh without_halo(Mesh part) {
  const auto own = part.own_count();
  std::int64_t left = own;
  for (CellBlock& cells : part.blocks) {
    const auto kept = std::min(left, cells.count());
    left -= kept;
    cells.nodes.resize(kept * cells.nodes_per_cell);
    cells.region.resize(kept);
    if (!cells.tag.empty()) cells.tag.resize(kept);
  }
  while (part.blocks.size() > 1 && part.blocks.back().count() == 0) part.blocks.pop_back();
  part.neighbours.resize(part.face_total());
  part.number.resize(own);
  part.halo_rank.clear();
  return part;
}

std::vector<NeighbourRank> neighbour_ranks(const Mesh& part) {
  const std::int64_t own = part.own_count();
  std::map<int, NeighbourRank> known;
  for (std::int64_t cell = 0; cell < own; ++cell)
    for (int f = 0; f < face_count(part.shape_of(cell)); ++f) {
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
