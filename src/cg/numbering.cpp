// SPDX-License-Identifier: Apache-2.0
#include "cg/numbering.hpp"

#include <algorithm>
#include <limits>
#include <map>

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

// The nodes of a neighbour's face, for each of its faces and orientations.
class NodesBehind {
 public:
  explicit NodesBehind(const Elements& elements) {
    for (const auto& [shape, element] : elements.all()) {
      auto& faces = nodes_[shape];
      faces.resize(static_cast<std::size_t>(element.face_count) * most_orientations);
      for (int f = 0; f < element.face_count; ++f)
        for (int o = 0; o < orientation_count(face_shape(shape, f)); ++o)
          faces[f * most_orientations + o] = element.neighbour_nodes(f, o);
    }
  }
  const std::vector<int>& operator()(Shape shape, const Neighbour& n) const {
    return nodes_.at(shape)[n.face * most_orientations + n.orientation];
  }

 private:
  static constexpr int most_orientations = 8;
  std::map<Shape, std::vector<std::vector<int>>> nodes_;
};

void join_faces(const Mesh& mesh, const Elements& elements, Sets& sets) {
  const NodesBehind behind(elements);
  elements.for_cells([&](std::int64_t cell, const ReferenceElement& element, std::int64_t first) {
    for (int f = 0; f < element.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell < 0) continue;
      const auto& other = behind(mesh.shape_of(n.cell), n);
      const std::int64_t first_behind = elements.first_node(n.cell);
      for (int i = 0; i < element.face_size(f); ++i)
        sets.join(static_cast<std::int32_t>(first + element.face_node(f, i)), static_cast<std::int32_t>(first_behind + other[i]));
    }
  });
}

void join_vertices(const Mesh& mesh, const Elements& elements, Sets& sets) {
  const std::size_t dim = mesh.dim;
  std::vector<std::int32_t> known(mesh.points.size() / dim, -1);
  elements.for_cells([&](std::int64_t cell, const ReferenceElement& element, std::int64_t first) {
    const auto points = mesh.nodes_of(cell);
    for (int v = 0; v < vertex_count(element.shape); ++v) {
      const auto point = points[vertex_node(element.shape, mesh.geometry_order(), v)];
      const auto node = static_cast<std::int32_t>(first + vertex_node(element.shape, element.order, v));
      if (known[point] < 0)
        known[point] = node;
      else
        sets.join(known[point], node);
    }
  });
}

}  // namespace

void check_numbers(const Mesh& mesh, const Elements& elements) {
  const std::int64_t all = elements.whole_node_count();
  if (all > std::numeric_limits<std::int32_t>::max())
    throw InputError("The mesh {} has {} nodes of order {}, more than the {} that continuous elements can number.",
                     mesh.name, all, elements.order(), std::numeric_limits<std::int32_t>::max());
}

Numbering number_nodes(const Mesh& mesh, const Elements& elements, const std::vector<char>& fixed,
                       const std::vector<std::int64_t>& order) {
  const std::int64_t all = elements.first_node(mesh.cell_count());
  check_numbers(mesh, elements);
  Sets sets(all);
  join_faces(mesh, elements, sets);
  join_vertices(mesh, elements, sets);

  std::vector<char> held(static_cast<std::size_t>(all), 0);
  elements.for_cells([&](std::int64_t cell, const ReferenceElement& element, std::int64_t first) {
    for (int f = 0; f < element.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell >= 0 || !fixed[n.boundary >= 0 ? n.boundary : fixed.size() - 1]) continue;
      for (int i = 0; i < element.face_size(f); ++i)
        held[sets.root(static_cast<std::int32_t>(first + element.face_node(f, i)))] = 1;
    }
  });

  Numbering result;
  result.of_node.assign(static_cast<std::size_t>(all), -1);
  for (const char wanted : {0, 1}) {
    for (std::int64_t i = 0; i < mesh.cell_count(); ++i) {
      const std::int64_t cell = order.empty() ? i : order[i], first = elements.first_node(cell);
      for (int n = 0; n < elements.node_count(cell); ++n) {
        const std::int32_t root = sets.root(static_cast<std::int32_t>(first + n));
        if (result.of_node[root] < 0 && held[root] == wanted)
          result.of_node[root] = static_cast<std::int32_t>(result.count++);
      }
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
