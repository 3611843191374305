// SPDX-License-Identifier: Apache-2.0
#include "mesh/gmsh_write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "mesh/gmsh/inventory.hpp"

namespace swell {
namespace {

class Writer {
 public:
  Writer(const Mesh& mesh, const GmshFormat& format) : mesh_(mesh), format_(format), inventory_(mesh) {}

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
    if (!format_.binary)
      text("{} ", value);
    else if (format_.size_bytes == 4)
      raw(static_cast<std::uint32_t>(value));
    else
      raw(static_cast<std::uint64_t>(value));
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
    text("$Elements\n{}\n", inventory_.element_count());
    for (const auto& [key, group] : inventory_.groups()) {
      if (format_.binary)
        for (const std::int64_t head :
             {std::int64_t{group.type->number}, std::int64_t(group.elements.size()), std::int64_t{2}})
          int32(head);
      for (const gmsh::Element& element : group.elements) {
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

  // Periodic sides are entities of their own, numbered behind the boundaries: side l and its partner.
  std::int64_t link_entity(std::size_t link, int which) const {
    return static_cast<std::int64_t>(mesh_.boundaries.size() + 2 * link + 1 + which);
  }

  // Groups of one dimension, each once whatever types of elements it has.
  template <class Visit>
  void for_each_entity(int dim, const Visit& visit) const {
    std::int32_t last = -1;
    for (const auto& [key, group] : inventory_.groups())
      if (group.dim == dim && group.group != last) visit(group), last = group.group;
  }

  void write_entities_4() {
    std::array<double, 3> low{}, high{};
    for (std::int64_t p = 0; p < point_count(); ++p)
      for (int d = 0; d < mesh_.dim; ++d) {
        const double x = mesh_.points[p * mesh_.dim + d];
        low[d] = p == 0 ? x : std::min(low[d], x);
        high[d] = p == 0 ? x : std::max(high[d], x);
      }
    // A point has a place, the others a box and a list of what bounds them.
    const auto entity = [&](int dim, std::int64_t number, std::int32_t physical) {
      int32(number);
      for (const double x : low) real(x);
      for (int d = 0; dim > 0 && d < 3; ++d) real(high[d]);
      size(physical == 0 ? 0 : 1);
      if (physical != 0) int32(physical);
      if (dim > 0) size(0);
      end_line();
    };
    text("$Entities\n");
    for (int dim = 0; dim < 4; ++dim) {
      std::int64_t count = 0;
      for_each_entity(dim, [&](const gmsh::Group&) { ++count; });
      size(count + (dim == mesh_.dim - 1 ? 2 * static_cast<std::int64_t>(inventory_.links().size()) : 0));
    }
    end_line();
    for (int dim = mesh_.dim - 1; dim <= mesh_.dim; ++dim) {
      for_each_entity(dim, [&](const gmsh::Group& group) { entity(dim, group.group + 1, group.physical); });
      for (std::size_t l = 0; dim < mesh_.dim && l < inventory_.links().size(); ++l)
        for (int which = 0; which < 2; ++which) entity(dim, link_entity(l, which), 0);
    }
    end_section("Entities");
  }

  void write_nodes_4() {
    text("$Nodes\n");
    for (const std::int64_t head : {std::int64_t{1}, point_count(), std::int64_t{1}, point_count()}) size(head);
    end_line();
    int32(mesh_.dim);
    int32(inventory_.groups().rbegin()->second.group + 1);
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
    for (const std::int64_t head : {std::int64_t(inventory_.groups().size()), inventory_.element_count(),
                                    std::int64_t{1}, inventory_.largest_tag()})
      size(head);
    end_line();
    for (const auto& [key, group] : inventory_.groups()) {
      int32(group.dim);
      int32(group.group + 1);
      int32(group.type->number);
      size(static_cast<std::int64_t>(group.elements.size()));
      end_line();
      for (const gmsh::Element& element : group.elements) {
        size(element.tag);
        for (const std::int64_t p : element.points) size(p + 1);
        end_line();
      }
    }
    end_section("Elements");
  }

  // Text in every file of version 2.2, as Gmsh writes it.
  void write_periodic() {
    if (inventory_.links().empty()) return;
    const bool binary = format_.binary;
    if (format_.version == 2) format_.binary = false;
    text("$Periodic\n");
    size(static_cast<std::int64_t>(inventory_.links().size()));
    end_line();
    for (std::size_t l = 0; l < inventory_.links().size(); ++l) {
      int32(mesh_.dim - 1);
      int32(link_entity(l, 0));
      int32(link_entity(l, 1));
      end_line();
      write_affine(inventory_.links()[l].offset);
      size(static_cast<std::int64_t>(inventory_.links()[l].points.size()));
      end_line();
      for (const auto& [from, to] : inventory_.links()[l].points) {
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
  gmsh::Inventory inventory_;
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
