// SPDX-License-Identifier: Apache-2.0
#include "mesh/gmsh/inventory.hpp"

#include <algorithm>
#include <cmath>

#include "element/gmsh_order.hpp"

namespace swell::gmsh {

Inventory::Inventory(const Mesh& mesh) : mesh_(mesh), block_(mesh.cells()) {
  const Shape face = face_shape(block_.shape);
  face_lattice_ = lattice_indices(face, block_.geometry_order);
  face_order_ = gmsh_lattice_order(face, block_.geometry_order);
  collect_cells();
  collect_faces();
}

std::int64_t Inventory::element_count() const {
  std::int64_t count = 0;
  for (const auto& [key, group] : groups_) count += static_cast<std::int64_t>(group.elements.size());
  return count;
}

void Inventory::collect_cells() {
  const std::vector<int> order = gmsh_lattice_order(block_.shape, block_.geometry_order);
  for (std::int64_t c = 0; c < block_.count(); ++c) {
    const std::int32_t region = block_.region[c];
    Element cell{block_.tag.empty() ? c + 1 : block_.tag[c], {}};
    next_tag_ = std::max(next_tag_, cell.tag + 1);
    for (const int lattice_number : order)
      cell.points.push_back(block_.nodes[c * block_.nodes_per_cell + lattice_number]);
    group(mesh_.dim, region, region, type_of(block_.shape, block_.geometry_order)).elements.push_back(cell);
  }
}

Group& Inventory::group(int dim, std::int32_t index, std::int32_t physical, const ElementType& type) {
  Group& found = groups_[{dim, index}];
  found.dim = dim;
  found.group = index;
  found.physical = physical;
  found.type = &type;
  return found;
}

// Points of a face in the lattice order of a face whose vertex i is the cell's vertex `vertices[i]`.
std::vector<std::int64_t> Inventory::face_points_of(std::int64_t cell, const std::vector<int>& vertices) const {
  std::vector<std::int64_t> points;
  for (const LatticeIndex& at : face_lattice_) {
    const LatticeIndex in_cell = lattice_on_face(block_.shape, block_.geometry_order, vertices, at);
    const int node = lattice_number(block_.shape, block_.geometry_order, in_cell);
    points.push_back(block_.nodes[cell * block_.nodes_per_cell + node]);
  }
  return points;
}

std::vector<std::int64_t> Inventory::face_points_of(std::int64_t cell, int face) const {
  const auto vertices = face_vertices(block_.shape, face);
  return face_points_of(cell, std::vector<int>(vertices.begin(), vertices.end()));
}

void Inventory::add_face(std::int64_t cell, int face, std::int32_t boundary) {
  const auto points = face_points_of(cell, face);
  Element element{next_tag_++, {}};
  for (const int lattice_number : face_order_) element.points.push_back(points[lattice_number]);
  const auto& type = type_of(face_shape(block_.shape), block_.geometry_order);
  group(mesh_.dim - 1, boundary, boundary + 1, type).elements.push_back(std::move(element));
}

void Inventory::collect_faces() {
  for (std::int64_t c = 0; c < block_.count(); ++c)
    for (int f = 0; f < face_count(block_.shape); ++f) {
      const Neighbour& n = mesh_.neighbour(c, f);
      if (n.cell < 0 && n.boundary >= 0) add_face(c, f, n.boundary);
      if (n.cell >= 0) add_link(c, f, n);
    }
  for (const InnerFace& face : mesh_.inner_faces) add_face(face.cell, face.face, face.boundary);
}

// A face that meets other points than its own is periodic; kept from the side whose partner lies ahead.
void Inventory::add_link(std::int64_t cell, int face, const Neighbour& n) {
  const auto mine = face_points_of(cell, face);
  const auto map = orientation(face_shape(block_.shape), n.orientation);
  const auto theirs_in_order = face_vertices(block_.shape, n.face);
  std::vector<int> vertices;
  for (const int i : map) vertices.push_back(theirs_in_order[i]);
  const auto theirs = face_points_of(n.cell, vertices);
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
