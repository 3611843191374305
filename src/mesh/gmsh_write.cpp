// SPDX-License-Identifier: Apache-2.0
#include "mesh/gmsh_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "base/error.hpp"
#include "element/gmsh_order.hpp"
#include "element/lattice.hpp"
#include "mesh/gmsh/types.hpp"

namespace swell {
namespace {

struct Element {
  std::int64_t tag = 0;
  std::vector<std::int64_t> points;  // in Gmsh's order
};
// Elements of one dimension and one group: an entity of the file with the number group + 1.
struct Group {
  int dim = 0;
  std::int32_t group = 0;  // index of the region or boundary
  std::int32_t physical = 0;
  const gmsh::ElementType* type = nullptr;
  std::vector<Element> elements;
};
struct Link {
  std::array<double, 3> offset{};
  std::set<std::array<std::int64_t, 2>> points;
};

class Writer {
 public:
  Writer(const Mesh& mesh, const GmshFormat& format) : mesh_(mesh), format_(format), block_(mesh.cells()) {
    const Shape face = face_shape(block_.shape);
    face_lattice_ = lattice_indices(face, block_.geometry_order);
    face_order_ = gmsh_lattice_order(face, block_.geometry_order);
    collect_cells();
    collect_faces();
  }

  std::string bytes() {
    text("$MeshFormat\n{} {} {}\n", format_.version == 2 ? "2.2" : "4.1", format_.binary ? 1 : 0,
         format_.version == 2 ? 8 : format_.size_bytes);
    if (format_.binary) {
      raw<std::int32_t>(1);
      text("\n");
    }
    text("$EndMeshFormat\n");
    write_names();
    if (format_.version == 2) {
      write_nodes_2();
      write_elements_2();
    } else {
      write_entities_4();
      write_nodes_4();
      write_elements_4();
    }
    write_periodic();
    return std::move(out_);
  }

 private:
  template <class... Args>
  void text(fmt::format_string<Args...> pattern, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), pattern, std::forward<Args>(args)...);
  }
  template <class Number>
  void raw(Number value) {
    char bytes[sizeof(Number)];
    std::memcpy(bytes, &value, sizeof(Number));
    if (format_.swap_bytes) std::reverse(bytes, bytes + sizeof(Number));
    out_.append(bytes, sizeof(Number));
  }
  // Numbers in the kind of the file; in text a space follows.
  void int32(std::int64_t value) { format_.binary ? raw(static_cast<std::int32_t>(value)) : text("{} ", value); }
  void size(std::int64_t value) {
    if (!format_.binary) text("{} ", value);
    else if (format_.size_bytes == 4) raw(static_cast<std::uint32_t>(value));
    else raw(static_cast<std::uint64_t>(value));
  }
  void real(double value) { format_.binary ? raw(value) : text("{} ", value); }
  void end_line() {
    if (format_.binary) return;
    if (out_.back() == ' ') out_.pop_back();
    out_ += '\n';
  }
  void end_section(const char* name) { text("{}$End{}\n", format_.binary ? "\n" : "", name); }

  std::int64_t point_count() const { return static_cast<std::int64_t>(mesh_.points.size()) / mesh_.dim; }
  void coordinates(std::int64_t point) {
    for (int d = 0; d < 3; ++d) real(d < mesh_.dim ? mesh_.points[point * mesh_.dim + d] : 0.0);
  }

  void collect_cells() {
    const std::vector<int> order = gmsh_lattice_order(block_.shape, block_.geometry_order);
    for (std::int64_t c = 0; c < block_.count(); ++c) {
      const std::int32_t region = block_.region[c];
      Element cell{block_.tag.empty() ? c + 1 : block_.tag[c], {}};
      next_tag_ = std::max(next_tag_, cell.tag + 1);
      for (const int lattice_number : order) cell.points.push_back(block_.nodes[c * block_.nodes_per_cell + lattice_number]);
      group(mesh_.dim, region, region, gmsh::type_of(block_.shape, block_.geometry_order)).elements.push_back(cell);
    }
  }

  Group& group(int dim, std::int32_t index, std::int32_t physical, const gmsh::ElementType& type) {
    Group& found = groups_[{dim, index}];
    found.dim = dim;
    found.group = index;
    found.physical = physical;
    found.type = &type;
    return found;
  }

  // Points of a face in the lattice order of a face whose vertex i is the cell's vertex `vertices[i]`.
  std::vector<std::int64_t> face_points_of(std::int64_t cell, const std::vector<int>& vertices) const {
    std::vector<std::int64_t> points;
    for (const LatticeIndex& at : face_lattice_) {
      const LatticeIndex in_cell = lattice_on_face(block_.shape, block_.geometry_order, vertices, at);
      const int node = lattice_number(block_.shape, block_.geometry_order, in_cell);
      points.push_back(block_.nodes[cell * block_.nodes_per_cell + node]);
    }
    return points;
  }
  std::vector<std::int64_t> face_points_of(std::int64_t cell, int face) const {
    const auto vertices = face_vertices(block_.shape, face);
    return face_points_of(cell, std::vector<int>(vertices.begin(), vertices.end()));
  }

  void add_face(std::int64_t cell, int face, std::int32_t boundary) {
    const auto points = face_points_of(cell, face);
    Element element{next_tag_++, {}};
    for (const int lattice_number : face_order_) element.points.push_back(points[lattice_number]);
    const auto& type = gmsh::type_of(face_shape(block_.shape), block_.geometry_order);
    group(mesh_.dim - 1, boundary, boundary + 1, type).elements.push_back(std::move(element));
  }

  void collect_faces() {
    for (std::int64_t c = 0; c < block_.count(); ++c)
      for (int f = 0; f < face_count(block_.shape); ++f) {
        const Neighbour& n = mesh_.neighbour(c, f);
        if (n.cell < 0 && n.boundary >= 0) add_face(c, f, n.boundary);
        if (n.cell >= 0) add_link(c, f, n);
      }
    for (const InnerFace& face : mesh_.inner_faces) add_face(face.cell, face.face, face.boundary);
  }

  // A face that meets other points than its own is periodic; kept from the side whose partner lies ahead.
  void add_link(std::int64_t cell, int face, const Neighbour& n) {
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

  void write_names() {
    std::vector<std::string> lines;
    for (std::size_t b = 0; b < mesh_.boundaries.size(); ++b)
      lines.push_back(fmt::format("{} {} \"{}\"\n", mesh_.dim - 1, b + 1, mesh_.boundaries[b]));
    for (std::size_t r = 1; r < mesh_.regions.size(); ++r)
      lines.push_back(fmt::format("{} {} \"{}\"\n", mesh_.dim, r, mesh_.regions[r]));
    if (lines.empty()) return;
    text("$PhysicalNames\n{}\n", lines.size());
    for (const std::string& line : lines) out_ += line;
    text("$EndPhysicalNames\n");
  }

  void write_nodes_2() {
    text("$Nodes\n{}\n", point_count());
    for (std::int64_t p = 0; p < point_count(); ++p) {
      int32(p + 1);
      coordinates(p);
      end_line();
    }
    end_section("Nodes");
  }

  void write_elements_2() {
    text("$Elements\n{}\n", element_count());
    for (const auto& [key, group] : groups_) {
      if (format_.binary)
        for (const std::int64_t head : {std::int64_t{group.type->number}, std::int64_t(group.elements.size()), std::int64_t{2}})
          int32(head);
      for (const Element& element : group.elements) {
        int32(element.tag);
        if (!format_.binary) text("{} 2 ", group.type->number);
        int32(group.physical);
        int32(group.group + 1);
        for (const std::int64_t p : element.points) int32(p + 1);
        end_line();
      }
    }
    end_section("Elements");
  }

  std::int64_t element_count() const {
    std::int64_t count = 0;
    for (const auto& [key, group] : groups_) count += static_cast<std::int64_t>(group.elements.size());
    return count;
  }

  // Periodic sides are entities of their own, numbered behind the boundaries: side l and its partner.
  std::int64_t link_entity(std::size_t link, int which) const {
    return static_cast<std::int64_t>(mesh_.boundaries.size() + 2 * link + 1 + which);
  }

  void write_entities_4() {
    std::array<double, 3> low{}, high{};
    for (std::int64_t p = 0; p < point_count(); ++p)
      for (int d = 0; d < mesh_.dim; ++d) {
        const double x = mesh_.points[p * mesh_.dim + d];
        low[d] = p == 0 ? x : std::min(low[d], x);
        high[d] = p == 0 ? x : std::max(high[d], x);
      }
    const auto entity = [&](std::int64_t number, std::int32_t physical) {
      int32(number);
      for (const double x : low) real(x);
      for (const double x : high) real(x);
      size(physical == 0 ? 0 : 1);
      if (physical != 0) int32(physical);
      size(0);
      end_line();
    };
    text("$Entities\n");
    for (int dim = 0; dim < 4; ++dim) {
      std::int64_t count = 0;
      for (const auto& [key, group] : groups_) count += key.first == dim;
      size(count + (dim == mesh_.dim - 1 ? 2 * static_cast<std::int64_t>(links_.size()) : 0));
    }
    end_line();
    for (int dim = mesh_.dim - 1; dim <= mesh_.dim; ++dim) {
      for (const auto& [key, group] : groups_)
        if (key.first == dim) entity(group.group + 1, group.physical);
      for (std::size_t l = 0; dim < mesh_.dim && l < links_.size(); ++l)
        for (int which = 0; which < 2; ++which) entity(link_entity(l, which), 0);
    }
    end_section("Entities");
  }

  void write_nodes_4() {
    text("$Nodes\n");
    for (const std::int64_t head : {std::int64_t{1}, point_count(), std::int64_t{1}, point_count()}) size(head);
    end_line();
    int32(mesh_.dim);
    int32(groups_.rbegin()->second.group + 1);
    int32(0);
    size(point_count());
    end_line();
    for (std::int64_t p = 0; p < point_count(); ++p) {
      size(p + 1);
      end_line();
    }
    for (std::int64_t p = 0; p < point_count(); ++p) {
      coordinates(p);
      end_line();
    }
    end_section("Nodes");
  }

  void write_elements_4() {
    text("$Elements\n");
    for (const std::int64_t head : {std::int64_t(groups_.size()), element_count(), std::int64_t{1}, next_tag_ - 1}) size(head);
    end_line();
    for (const auto& [key, group] : groups_) {
      int32(group.dim);
      int32(group.group + 1);
      int32(group.type->number);
      size(static_cast<std::int64_t>(group.elements.size()));
      end_line();
      for (const Element& element : group.elements) {
        size(element.tag);
        for (const std::int64_t p : element.points) size(p + 1);
        end_line();
      }
    }
    end_section("Elements");
  }

  // Text in every file of version 2.2, as Gmsh writes it.
  void write_periodic() {
    if (links_.empty()) return;
    const bool binary = format_.binary;
    if (format_.version == 2) format_.binary = false;
    text("$Periodic\n");
    size(static_cast<std::int64_t>(links_.size()));
    end_line();
    for (std::size_t l = 0; l < links_.size(); ++l) {
      int32(mesh_.dim - 1);
      int32(link_entity(l, 0));
      int32(link_entity(l, 1));
      end_line();
      write_affine(links_[l].offset);
      size(static_cast<std::int64_t>(links_[l].points.size()));
      end_line();
      for (const auto& [from, to] : links_[l].points) {
        size(from + 1);
        size(to + 1);
        end_line();
      }
    }
    end_section("Periodic");
    format_.binary = binary;
  }
  // The transformation takes the partner's points (Gmsh: the master's) to the side's own.
  void write_affine(const std::array<double, 3>& offset) {
    format_.version == 2 ? text("Affine ") : size(16);
    for (int i = 0; i < 16; ++i) real(i % 4 == 3 && i < 12 ? -offset[i / 4] : i % 5 == 0 ? 1.0 : 0.0);
    end_line();
  }

  const Mesh& mesh_;
  GmshFormat format_;
  const CellBlock& block_;
  std::vector<LatticeIndex> face_lattice_;
  std::vector<int> face_order_;
  std::map<std::pair<int, std::int32_t>, Group> groups_;
  std::vector<Link> links_;
  std::int64_t next_tag_ = 1;
  std::string out_;
};

}  // namespace

std::string gmsh_bytes(const Mesh& mesh, const GmshFormat& format) { return Writer(mesh, format).bytes(); }

void write_gmsh(const Mesh& mesh, const std::filesystem::path& file, const GmshFormat& format) {
  const std::string bytes = gmsh_bytes(mesh, format);
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.flush();
  if (!out) throw RunError("The mesh file {} cannot be written.", file.string());
}

}  // namespace swell
