// SPDX-License-Identifier: Apache-2.0
// From numbers of the file to points, cells, regions and boundaries.
#include <algorithm>
#include <atomic>

#include "base/error.hpp"
#include "base/host_threads.hpp"
#include "element/gmsh_order.hpp"
#include "mesh/gmsh/contents.hpp"
#include "mesh/sheets.hpp"

namespace swell::gmsh {
namespace {

// Where the node with a number stands in the file; -1: nowhere. A table where numbers are dense, else a sorted list.
class NodeIndex {
 public:
  explicit NodeIndex(const Contents& contents) {
    const auto& tags = contents.node_tag;
    std::int64_t largest = 0, smallest = 0;
    for (const std::int64_t tag : tags) largest = std::max(largest, tag), smallest = std::min(smallest, tag);
    const auto count = static_cast<std::int64_t>(tags.size());
    constexpr std::int64_t sparse = 4;
    if (smallest >= 0 && largest / sparse <= count) {
      table_.assign(largest + 1, -1);
      for (std::int64_t i = 0; i < count; ++i) {
        if (table_[tags[i]] >= 0) duplicate(contents, tags[i]);
        table_[tags[i]] = i;
      }
      return;
    }
    sorted_.reserve(count);
    for (std::int64_t i = 0; i < count; ++i) sorted_.push_back({tags[i], i});
    std::sort(sorted_.begin(), sorted_.end());
    for (std::int64_t i = 1; i < count; ++i)
      if (sorted_[i].first == sorted_[i - 1].first) duplicate(contents, sorted_[i].first);
  }

  std::int64_t operator()(std::int64_t tag) const {
    if (sorted_.empty()) return tag >= 0 && tag < static_cast<std::int64_t>(table_.size()) ? table_[tag] : -1;
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair<std::int64_t, std::int64_t>{tag, -1});
    return at != sorted_.end() && at->first == tag ? at->second : -1;
  }

 private:
  [[noreturn]] static void duplicate(const Contents& contents, std::int64_t tag) {
    throw InputError("{}: two nodes have the number {}.", contents.file, tag);
  }
  std::vector<std::int64_t> table_;
  std::vector<std::pair<std::int64_t, std::int64_t>> sorted_;
};

class Builder {
 public:
  explicit Builder(Contents contents) : contents_(std::move(contents)), index_(contents_) {
    mesh_.name = contents_.file;
  }

  Mesh build() {
    choose_cells();
    check_shared_entities();
    name_groups();
    add_cells();
    number_points();
    add_named_faces();
    add_periodic();
    contents_ = {};
    orient_cells(mesh_);
    connect(mesh_, named_, pairs_);
    check_hanging_nodes(mesh_);
    return std::move(mesh_);
  }

 private:
  static std::string plural(const ElementType& type) {
    switch (type.shape) {
      case Shape::point: return "points";
      case Shape::line: return "lines";
      case Shape::triangle: return "triangles";
      case Shape::quadrilateral: return "quadrilaterals";
      case Shape::tetrahedron: return "tetrahedra";
      case Shape::prism: return "prisms";
      case Shape::pyramid: return "pyramids";
      case Shape::hexahedron: break;
    }
    return "hexahedra";
  }

  // The elements of the highest dimension are the cells.
  void choose_cells() {
    int top = 0;
    for (const ElementSet& set : contents_.elements)
      if (set.count() > 0) top = std::max(top, set.type.dim);
    if (top < 1)
      throw InputError(
          "{} holds no lines, triangles, quadrilaterals, tetrahedra, hexahedra, prisms or pyramids; mesh its surfaces or volumes "
          "(gmsh -2 or gmsh -3) and, where it has physical groups, put them in one.",
          contents_.file);
    for (ElementSet& set : contents_.elements) {
      if (set.count() == 0 || set.type.dim != top) continue;
      if (!cells_.empty() && cells_[0]->type.order != set.type.order)
        throw InputError("{} holds {} of order {} and {} of order {}; all cells of a mesh have one order, so mesh again with one "
                         "Mesh.ElementOrder.",
                         contents_.file, plural(cells_[0]->type), cells_[0]->type.order, plural(set.type), set.type.order);
      cells_.push_back(&set);
    }
    mesh_.dim = top;
  }

  std::string group_name(int dim, std::int32_t group) const {
    const auto found = contents_.names.find({dim, group});
    return found == contents_.names.end() ? std::to_string(group) : found->second;
  }

  void check_shared_entities() const {
    constexpr const char* kind[] = {"point", "curve", "surface", "volume"};
    for (const SharedEntity& shared : contents_.shared)
      if (shared.dim >= mesh_.dim - 1)
        throw InputError(
            "{}: {} {} belongs to the physical groups '{}' and '{}'; a region or a boundary has one name "
            "only.",
            contents_.file, kind[shared.dim], shared.entity, group_name(shared.dim, shared.groups[0]),
            group_name(shared.dim, shared.groups[1]));
  }

  static std::int32_t place(std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) names.push_back(name);
    return static_cast<std::int32_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  // Names that the file declares come first, so that an empty group can be told from an unknown one.
  void name_groups() {
    mesh_.regions = {""};
    for (const auto& [key, name] : contents_.names) {
      if (key.first == mesh_.dim) place(mesh_.regions, name);
      if (key.first == mesh_.dim - 1) place(mesh_.boundaries, name);
    }
    check_dimensions();
  }

  // A name that stands for groups of two dimensions does not say which of them is meant.
  void check_dimensions() const {
    constexpr const char* kind[] = {"points", "curves", "surfaces", "volumes"};
    std::map<std::string, int> known;
    for (const auto& [key, name] : contents_.names) {
      const auto [found, is_new] = known.try_emplace(name, key.first);
      if (is_new || found->second == key.first) continue;
      const int low = std::min(found->second, key.first), high = std::max(found->second, key.first);
      if (high == mesh_.dim && low == mesh_.dim - 1)
        throw InputError("{}: the physical name '{}' stands for cells and for faces; give the region and the boundary names of their own.",
                         contents_.file, name);
      throw InputError("{}: the physical name '{}' stands for {} and for {}; give the groups of each dimension names of their own.",
                       contents_.file, name, kind[low], kind[high]);
    }
  }

  std::int32_t numbered(std::map<std::int32_t, std::int32_t>& known, std::vector<std::string>& names, int dim,
                        std::int32_t group) const {
    const auto found = known.find(group);
    if (found != known.end()) return found->second;
    return known[group] = place(names, group_name(dim, group));
  }

  // The blocks come in the order of the shapes, whatever the order of the file.
  void add_cells() {
    std::sort(cells_.begin(), cells_.end(), [](const auto* a, const auto* b) { return a->type.shape < b->type.shape; });
    std::map<std::int32_t, std::int32_t> known{{0, 0}};
    // Partitions count from 1; a file in which some cell has none has none at all.
    const bool cut = std::all_of(cells_.begin(), cells_.end(), [](const ElementSet* set) {
      return std::all_of(set->part.begin(), set->part.end(), [](std::int32_t part) { return part > 0; });
    });
    for (ElementSet* set : cells_) {
      for (const std::int32_t part : set->part)
        if (cut) mesh_.partition.push_back(part - 1);
      std::vector<std::int32_t>().swap(set->part);
      add_block(*set, known);
    }
  }

  void add_block(ElementSet& set, std::map<std::int32_t, std::int32_t>& known) {
    const ElementType& type = set.type;
    CellBlock block;
    block.shape = type.shape;
    block.geometry_order = type.order;
    block.nodes_per_cell = type.nodes;
    block.tag = std::move(set.tag);
    block.nodes = std::move(set.nodes);
    block.region.reserve(set.group.size());
    for (const std::int32_t group : set.group) block.region.push_back(numbered(known, mesh_.regions, mesh_.dim, group));
    std::vector<std::int32_t>().swap(set.group);
    const std::vector<int> order = gmsh_lattice_order(type.shape, type.order);
    for_pieces(block.count(), [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int64_t> theirs(type.nodes);
      for (std::int64_t c = begin; c < end; ++c) {
        std::int64_t* nodes = &block.nodes[c * type.nodes];
        std::copy_n(nodes, type.nodes, theirs.begin());
        for (int n = 0; n < type.nodes; ++n) {
          const std::int64_t node = index_(theirs[n]);
          if (node < 0)
            throw InputError("{}: element {} has the node {}, which the file does not hold.", contents_.file,
                             block.tag[c], theirs[n]);
          nodes[order[n]] = node;
        }
      }
    });
    mesh_.blocks.push_back(std::move(block));
  }

  // Only nodes of cells become points, in the order of the file.
  void number_points() {
    point_.assign(contents_.node_tag.size(), -1);
    const auto for_nodes = [&](const auto& act) {
      for (CellBlock& block : mesh_.blocks)
        for_pieces(std::ssize(block.nodes), 16 * usual_piece, [&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i) act(block.nodes[i]);
        });
    };
    for_nodes([&](std::int64_t node) { std::atomic_ref(point_[node]).store(0, std::memory_order_relaxed); });
    std::int64_t count = 0;
    for (std::size_t node = 0; node < point_.size(); ++node) {
      if (point_[node] < 0) continue;
      point_[node] = count++;
      const double* x = &contents_.xyz[3 * node];
      if (mesh_.dim == 1 && (x[1] != 0 || x[2] != 0))
        throw InputError(
            "{} holds lines and no other cells, and its node {} lies at ({}, {}, {}); a mesh of lines must lie on the x "
            "axis. Where its surfaces or volumes are meant, mesh them (gmsh -2 or gmsh -3) and, where it has physical "
            "groups, put them in one.",
            contents_.file, contents_.node_tag[node], x[0], x[1], x[2]);
      if (mesh_.dim == 2 && x[2] != 0)
        throw InputError(
            "{}: node {} lies at z = {}; a mesh of triangles or quadrilaterals must lie in the plane z = 0.",
            contents_.file, contents_.node_tag[node], x[2]);
      mesh_.points.insert(mesh_.points.end(), x, x + mesh_.dim);
    }
    for_nodes([&](std::int64_t& node) { node = point_[node]; });
    std::vector<double>().swap(contents_.xyz);
  }

  // The point of a node number; -1 where no cell has it.
  std::int64_t point_of(std::int64_t tag, const char* what, std::int64_t owner) const {
    const std::int64_t node = index_(tag);
    if (node < 0)
      throw InputError("{}: {} {} has the node {}, which the file does not hold.", contents_.file, what, owner, tag);
    return point_[node];
  }

  void add_named_faces() {
    std::map<std::int32_t, std::int32_t> known;
    for (const ElementSet& set : contents_.elements) {
      if (set.type.dim != mesh_.dim - 1) continue;
      for (std::int64_t e = 0; e < set.count(); ++e) {
        if (set.group[e] == 0) continue;
        NamedFace face;
        face.boundary = numbered(known, mesh_.boundaries, mesh_.dim - 1, set.group[e]);
        bool on_cells = true;
        for (int v = 0; on_cells && v < vertex_count(set.type.shape); ++v) {
          face.vertices[v] = point_of(set.nodes[e * set.type.nodes + v], "element", set.tag[e]);
          on_cells = face.vertices[v] >= 0;
        }
        if (!on_cells)
          throw InputError("{}: element {} of the group '{}' is no face of a cell.", contents_.file, set.tag[e],
                           mesh_.boundaries[face.boundary]);
        named_.push_back(face);
      }
    }
  }

  // Corners and curves of a periodic surface are listed as well; the surface has all that is needed.
  void add_periodic() {
    std::int64_t number = 0;
    for (const Periodic& side : contents_.periodic) {
      ++number;
      if (side.dim != mesh_.dim - 1) continue;
      PeriodicPair pair;
      for (const auto& [from, to] : side.nodes) {
        const std::int64_t a = point_of(from, "periodic side", number), b = point_of(to, "periodic side", number);
        if (a >= 0 && b >= 0) pair.points.push_back({a, b});
      }
      pairs_.push_back(std::move(pair));
    }
  }

  Contents contents_;
  NodeIndex index_;
  std::vector<ElementSet*> cells_;   // one for each shape
  std::vector<std::int64_t> point_;  // of each node
  Mesh mesh_;
  std::vector<NamedFace> named_;
  std::vector<PeriodicPair> pairs_;
};

}  // namespace

Mesh build(Contents contents) { return Builder(std::move(contents)).build(); }

}  // namespace swell::gmsh
