// SPDX-License-Identifier: Apache-2.0
#include "mesh/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "element/lattice.hpp"

namespace swell {

int vertex_node(Shape shape, int geometry_order, int vertex) {
  const int g = geometry_order;
  switch (shape) {
    case Shape::point:
    case Shape::line:
    case Shape::triangle:
    case Shape::tetrahedron: {
      const int on_axis[] = {0, g, (g + 1) * (g + 2) / 2 - 1, (g + 1) * (g + 2) * (g + 3) / 6 - 1};
      return on_axis[vertex];
    }
    case Shape::prism:
    case Shape::pyramid: {
      LatticeIndex at = lattice_vertex(shape, vertex);
      for (int& step : at) step *= g;
      return lattice_number(shape, g, at);
    }
    case Shape::quadrilateral:
    case Shape::hexahedron: break;
  }
  const int n = g + 1;
  return g * ((vertex & 1) + n * ((vertex >> 1) & 1) + n * n * ((vertex >> 2) & 1));
}

Mesh::Spot Mesh::spot(std::int64_t cell) const {
  std::int64_t first_face = 0;
  for (const CellBlock& block : blocks) {
    const int faces = face_count(block.shape);
    if (cell < block.count()) return {&block, cell, first_face + cell * faces};
    cell -= block.count();
    first_face += block.count() * faces;
  }
  throw std::logic_error("A mesh has no cell of this number.");
}

std::vector<ShapeRun> Mesh::runs() const {
  if (!whole_runs.empty()) return whole_runs;
  std::vector<ShapeRun> all;
  for (const CellBlock& block : blocks) all.push_back({block.shape, block.count()});
  return all;
}

std::vector<Shape> Mesh::shapes() const {
  std::vector<Shape> all;
  for (const ShapeRun& run : runs())
    if (std::find(all.begin(), all.end(), run.shape) == all.end()) all.push_back(run.shape);
  return all;
}

std::string Mesh::shapes_in_words() const {
  const auto all = shapes();
  std::string words;
  for (std::size_t i = 0; i < all.size(); ++i) words += (i == 0 ? "" : i + 1 < all.size() ? ", " : " and ") + std::string(shape_name(all[i]));
  return words;
}

std::int64_t Mesh::cell_count() const {
  std::int64_t count = 0;
  for (const CellBlock& block : blocks) count += block.count();
  return count;
}

std::int64_t Mesh::face_total() const {
  std::int64_t count = 0;
  for (const CellBlock& block : blocks) count += block.count() * face_count(block.shape);
  return count;
}

std::int32_t Mesh::region_of(std::int64_t cell) const {
  const Spot at = spot(cell);
  return at.block->region[at.local];
}

std::span<const std::int64_t> Mesh::nodes_of(std::int64_t cell) const {
  const Spot at = spot(cell);
  const auto count = static_cast<std::size_t>(at.block->nodes_per_cell);
  return {at.block->nodes.data() + at.local * at.block->nodes_per_cell, count};
}

std::span<std::int64_t> Mesh::nodes_of(std::int64_t cell) {
  const auto nodes = std::as_const(*this).nodes_of(cell);
  return {const_cast<std::int64_t*>(nodes.data()), nodes.size()};
}

std::array<double, 3> Mesh::vertex(std::int64_t cell, int local) const {
  const Spot at = spot(cell);
  const CellBlock& block = *at.block;
  const std::int64_t point =
      block.nodes[at.local * block.nodes_per_cell + vertex_node(block.shape, block.geometry_order, local)];
  std::array<double, 3> x{};
  for (int d = 0; d < dim; ++d) x[d] = points[point * dim + d];
  return x;
}

std::string place_text(int dim, const double* x) {
  std::string text = fmt::format("({:.6g}", x[0]);
  for (int d = 1; d < dim; ++d) text += fmt::format(", {:.6g}", x[d]);
  return text + ")";
}

std::int64_t Mesh::tag_of(std::int64_t cell) const {
  const Spot at = spot(cell);
  return at.block->tag.empty() ? number_of(cell) : at.block->tag[at.local];
}

std::string Mesh::label(std::int64_t cell) const {
  return fmt::format("{} {}", spot(cell).block->tag.empty() ? "cell" : "element", tag_of(cell));
}

}  // namespace swell
