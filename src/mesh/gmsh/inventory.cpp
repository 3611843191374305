// SPDX-License-Identifier: Apache-2.0
#include "mesh/gmsh/inventory.hpp"

#include <algorithm>
#include <cmath>

#include "element/gmsh_order.hpp"

namespace swell::gmsh {

Inventory::Inventory(const Mesh& mesh) : mesh_(mesh), order_(mesh.geometry_order()) {
  collect_cells();
  collect_faces();
}

std::int64_t Inventory::element_count() const {
  std::int64_t count = 0;
  for (const auto& [key, group] : groups_) count += static_cast<std::int64_t>(group.elements.size());
  return count;
}

void Inventory::collect_cells() {
  std::int64_t first = 0;
  for (const CellBlock& block : mesh_.blocks) {
    const std::vector<int> order = gmsh_lattice_order(block.shape, order_);
    for (std::int64_t c = 0; c < block.count(); ++c) {
      const std::int32_t region = block.region[c];
      Element cell{mesh_.tag_of(first + c) + (block.tag.empty() ? 1 : 0), {}};
      next_tag_ = std::max(next_tag_, cell.tag + 1);
      for (const int lattice_number : order) cell.points.push_back(block.nodes[c * block.nodes_per_cell + lattice_number]);
      group(mesh_.dim, region, region, type_of(block.shape, order_)).elements.push_back(cell);
    }
    first += block.count();
  }
}

Group& Inventory::group(int dim, std::int32_t index, std::int32_t physical, const ElementType& type) {
  Group& found = groups_[{dim, index, type.number}];
  found.dim = dim;
  found.group = index;
  found.physical = physical;
  found.type = &type;
  return found;
}

// Points of a face in the lattice order of a face whose vertex i is the cell's vertex `vertices[i]`.
std::vector<std::int64_t> Inventory::face_points_of(std::int64_t cell, Shape face, const std::vector<int>& vertices) const {
  std::vector<std::int64_t> points;
  const Shape shape = mesh_.shape_of(cell);
  for (const LatticeIndex& at : lattice_indices(face, order_))
    points.push_back(mesh_.nodes_of(cell)[lattice_number(shape, order_, lattice_on_face(shape, order_, vertices, at))]);
  return points;
}

std::vector<std::int64_t> Inventory::face_points_of(std::int64_t cell, int face) const {
  const Shape shape = mesh_.shape_of(cell);
  const auto vertices = face_vertices(shape, face);
  return face_points_of(cell, face_shape(shape, face), std::vector<int>(vertices.begin(), vertices.end()));
}

void Inventory::add_face(std::int64_t cell, int face, std::int32_t boundary) {
  const auto points = face_points_of(cell, face);
  const Shape shape = face_shape(mesh_.shape_of(cell), face);
  Element element{next_tag_++, {}};
  for (const int lattice_number : gmsh_lattice_order(shape, order_)) element.points.push_back(points[lattice_number]);
  group(mesh_.dim - 1, boundary, boundary + 1, type_of(shape, order_)).elements.push_back(std::move(element));
}

void Inventory::collect_faces() {
  for (std::int64_t c = 0, count = mesh_.cell_count(); c < count; ++c)
    for (int f = 0; f < face_count(mesh_.shape_of(c)); ++f) {
      const Neighbour& n = mesh_.neighbour(c, f);
      if (n.cell < 0 && n.boundary >= 0) add_face(c, f, n.boundary);
      if (n.cell >= 0) add_link(c, f, n);
    }
  for (const InnerFace& face : mesh_.inner_faces) add_face(face.cell, face.face, face.boundary);
}

// A face that meets other points than its own is periodic; kept from the side whose partner lies ahead.
void Inventory::add_link(std::int64_t cell, int face, const Neighbour& n) {
  const auto mine = face_points_of(cell, face);
  const Shape shape = face_shape(mesh_.shape_of(cell), face);
  const auto map = orientation(shape, n.orientation);
  const auto theirs_in_order = face_vertices(mesh_.shape_of(n.cell), n.face);
  std::vector<int> vertices;
  for (const int i : map) vertices.push_back(theirs_in_order[i]);
  const auto theirs = face_points_of(n.cell, shape, vertices);
  if (mine == theirs) return;
  std::array<double, 3> offset{};
  double size = 0;
  for (int d = 0; d < mesh_.dim; ++d) {
    offset[d] = mesh_.points[theirs[0] * mesh_.dim + d] - mesh_.points[mine[0] * mesh_.dim + d];
    size = std::max(size, std::abs(offset[d]));
  }
  if (size == 0) return;
  const double near = 1e-4 * size;
  for (int d = 0; d < mesh_.dim; ++d)
    if (std::abs(offset[d]) > near) {
      if (offset[d] < 0) return;
      break;
    }
  const auto same = [&](const Link& link) {
    for (int d = 0; d < mesh_.dim; ++d)
      if (std::abs(link.offset[d] - offset[d]) > near) return false;
    return true;
  };
  auto link = std::find_if(links_.begin(), links_.end(), same);
  if (link == links_.end()) link = links_.insert(links_.end(), Link{offset, {}});
  for (std::size_t i = 0; i < mine.size(); ++i) link->points.insert({mine[i], theirs[i]});
}

}  // namespace swell::gmsh
