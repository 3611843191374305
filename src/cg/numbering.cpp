// SPDX-License-Identifier: Apache-2.0
#include "cg/numbering.hpp"

#include <algorithm>

#include <limits>

#include "base/error.hpp"

namespace swell {

namespace {

// Disjoint sets of nodes; the root of a set is its smallest node.
class Sets {
 public:
  explicit Sets(std::int64_t count) : parent_(static_cast<std::size_t>(count)) {
    for (std::int64_t i = 0; i < count; ++i) parent_[i] = static_cast<std::int32_t>(i);
  }
  std::int32_t root(std::int32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::int32_t a, std::int32_t b) {
    a = root(a), b = root(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }

 private:
  std::vector<std::int32_t> parent_;
};

void join_faces(const Mesh& mesh, const ReferenceElement& element, Sets& sets) {
  const int nodes = element.node_count, orientations = orientation_count(face_shape(element.shape));
  std::vector<std::vector<int>> behind(static_cast<std::size_t>(element.face_count * orientations));
  for (int f = 0; f < element.face_count; ++f)
    for (int o = 0; o < orientations; ++o) behind[f * orientations + o] = element.neighbour_nodes(f, o);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int f = 0; f < element.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell < 0) continue;
      const auto& other = behind[n.face * orientations + n.orientation];
      for (int i = 0; i < element.face_node_count; ++i)
        sets.join(static_cast<std::int32_t>(cell * nodes + element.face_node(f, i)),
                  static_cast<std::int32_t>(n.cell * nodes + other[i]));
    }
}

void join_vertices(const Mesh& mesh, const ReferenceElement& element, Sets& sets) {
  const CellBlock& cells = mesh.cells();
  const std::size_t dim = mesh.dim;
  std::vector<std::int32_t> first(mesh.points.size() / dim, -1);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int v = 0; v < vertex_count(element.shape); ++v) {
      const auto point =
          cells.nodes[cell * cells.nodes_per_cell + vertex_node(element.shape, cells.geometry_order, v)];
      const auto node =
          static_cast<std::int32_t>(cell * element.node_count + vertex_node(element.shape, element.order, v));
      if (first[point] < 0)
        first[point] = node;
      else
        sets.join(first[point], node);
    }
}

}  // namespace

void check_numbers(const Mesh& mesh, const ReferenceElement& element, std::int64_t cells) {
  const std::int64_t all = cells * element.node_count;
  if (all > std::numeric_limits<std::int32_t>::max())
    throw InputError("The mesh {} has {} nodes of order {}, more than the {} that continuous elements can number.",
                     mesh.name, all, element.order, std::numeric_limits<std::int32_t>::max());
}

Numbering number_nodes(const Mesh& mesh, const ReferenceElement& element, const std::vector<char>& fixed,
                       const std::vector<std::int64_t>& order) {
  const int nodes = element.node_count;
  const std::int64_t all = mesh.cell_count() * nodes;
  check_numbers(mesh, element, mesh.cell_count());
  Sets sets(all);
  join_faces(mesh, element, sets);
  join_vertices(mesh, element, sets);

  std::vector<char> held(static_cast<std::size_t>(all), 0);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int f = 0; f < element.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell >= 0 || !fixed[n.boundary >= 0 ? n.boundary : fixed.size() - 1]) continue;
      for (int i = 0; i < element.face_node_count; ++i)
        held[sets.root(static_cast<std::int32_t>(cell * nodes + element.face_node(f, i)))] = 1;
    }

  Numbering result;
  result.of_node.assign(static_cast<std::size_t>(all), -1);
  for (const char wanted : {0, 1}) {
    for (std::int64_t i = 0; i < mesh.cell_count(); ++i)
      for (int n = 0; n < nodes; ++n) {
        const std::int32_t root = sets.root(static_cast<std::int32_t>((order.empty() ? i : order[i]) * nodes + n));
        if (result.of_node[root] < 0 && held[root] == wanted)
          result.of_node[root] = static_cast<std::int32_t>(result.count++);
      }
    if (wanted == 0) result.free = result.count;
  }
  for (std::int64_t i = 0; i < all; ++i) result.of_node[i] = result.of_node[sets.root(static_cast<std::int32_t>(i))];
  return result;
}

GatherLists gather_lists(const std::vector<std::int32_t>& of_place, std::int64_t count) {
  GatherLists lists;
  lists.start.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const auto unknown : of_place)
    if (unknown >= 0) ++lists.start[unknown + 1];
  for (std::int64_t i = 0; i < count; ++i) lists.start[i + 1] += lists.start[i];
  lists.place.resize(static_cast<std::size_t>(lists.start[count]));
  auto next = lists.start;
  for (std::size_t p = 0; p < of_place.size(); ++p)
    if (of_place[p] >= 0) lists.place[next[of_place[p]]++] = static_cast<std::int32_t>(p);
  return lists;
}

SparseGather sparse_gather(const std::vector<std::int32_t>& of_place) {
  SparseGather result;
  auto& unknown = result.unknown;
  unknown = of_place;
  std::sort(unknown.begin(), unknown.end());
  unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
  std::vector<std::int32_t> compact(of_place.size());
  for (std::size_t i = 0; i < of_place.size(); ++i)
    compact[i] = static_cast<std::int32_t>(std::lower_bound(unknown.begin(), unknown.end(), of_place[i]) - unknown.begin());
  result.lists = gather_lists(compact, static_cast<std::int64_t>(unknown.size()));
  return result;
}

}  // namespace swell
