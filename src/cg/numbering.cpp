// SPDX-License-Identifier: Apache-2.0
#include "cg/numbering.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "base/host_threads.hpp"

namespace swell {

namespace {

std::atomic_ref<std::int32_t> shared(std::int32_t& number) { return std::atomic_ref(number); }
std::int32_t seen(std::int32_t& number) { return shared(number).load(std::memory_order_relaxed); }

// Disjoint sets of nodes, joined by several threads at once; the root of a set is its smallest node, whoever joined it first: a root only
// ever gets a smaller node above it (Anderson and Woll 1991).
class Sets {
 public:
  explicit Sets(std::int64_t count) : parent_(static_cast<std::size_t>(count)) {
    for_pieces(count, 16 * usual_piece, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) parent_[i] = static_cast<std::int32_t>(i);
    });
  }
  std::int32_t root(std::int32_t i) {
    for (std::int32_t above = seen(parent_[i]); above != i; above = seen(parent_[i])) {
      const std::int32_t next = seen(parent_[above]);
      if (next != above) shared(parent_[i]).store(next, std::memory_order_relaxed);  // nearer to the root, and still above i
      i = next;
    }
    return i;
  }
  void join(std::int32_t a, std::int32_t b) {
    for (;;) {
      a = root(a), b = root(b);
      if (a == b) return;
      if (a > b) std::swap(a, b);
      std::int32_t was = b;
      if (shared(parent_[b]).compare_exchange_strong(was, a, std::memory_order_relaxed)) return;
    }
  }
  // The root of each node, once nothing is joined any more.
  std::vector<std::int32_t> roots() {
    for_pieces(std::ssize(parent_), 16 * usual_piece, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) shared(parent_[i]).store(root(static_cast<std::int32_t>(i)), std::memory_order_relaxed);
    });
    return std::move(parent_);
  }

 private:
  std::vector<std::int32_t> parent_;
};

// Calls visit(cell, element, first node) for all cells, by several threads.
template <class Visit>
void for_cells(const Mesh& mesh, const Elements& elements, const Visit& visit) {
  for_pieces(mesh.cell_count(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t cell = begin; cell < end; ++cell) visit(cell, elements.of_cell(cell), elements.first_node(cell));
  });
}

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

// The cell with the smaller number of two joins their nodes.
void join_faces(const Mesh& mesh, const Elements& elements, Sets& sets) {
  const NodesBehind behind(elements);
  for_cells(mesh, elements, [&](std::int64_t cell, const ReferenceElement& element, std::int64_t first) {
    for (int f = 0; f < element.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell < cell) continue;
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
  for_cells(mesh, elements, [&](std::int64_t cell, const ReferenceElement& element, std::int64_t first) {
    const auto points = mesh.nodes_of(cell);
    for (int v = 0; v < vertex_count(element.shape); ++v) {
      const auto point = points[vertex_node(element.shape, mesh.geometry_order(), v)];
      const auto node = static_cast<std::int32_t>(first + vertex_node(element.shape, element.order, v));
      std::int32_t other = -1;
      if (!shared(known[point]).compare_exchange_strong(other, node, std::memory_order_relaxed)) sets.join(other, node);
    }
  });
}

// [node]: whether its set lies on a boundary that is fixed; told of the roots.
std::vector<char> held_roots(const Mesh& mesh, const Elements& elements, const std::vector<char>& fixed, const std::vector<std::int32_t>& root) {
  std::vector<char> held(root.size(), 0);
  for_cells(mesh, elements, [&](std::int64_t cell, const ReferenceElement& element, std::int64_t first) {
    for (int f = 0; f < element.face_count; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell >= 0 || !fixed[n.boundary >= 0 ? n.boundary : fixed.size() - 1]) continue;
      for (int i = 0; i < element.face_size(f); ++i)
        std::atomic_ref(held[root[first + element.face_node(f, i)]]).store(1, std::memory_order_relaxed);
    }
  });
  return held;
}

// The nodes of the cells in the order in which these are visited: node n of the i-th cell has place start(i) + n.
class Visits {
 public:
  Visits(const Mesh& mesh, const Elements& elements, const std::vector<std::int64_t>& order) : elements_(elements), order_(order) {
    std::int64_t place = 0;
    for (std::int64_t i = 0; i < mesh.cell_count(); ++i) {
      start_.push_back(static_cast<std::int32_t>(place));
      place += elements.node_count(cell(i));
    }
  }
  std::int64_t cell(std::int64_t i) const { return order_.empty() ? i : order_[i]; }
  // Calls visit(node, place) for the nodes of the cells from `begin` on.
  template <class Visit>
  void operator()(std::int64_t begin, std::int64_t end, const Visit& visit) const {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t first = elements_.first_node(cell(i));
      for (int n = 0; n < elements_.node_count(cell(i)); ++n) visit(static_cast<std::int32_t>(first + n), start_[i] + n);
    }
  }

 private:
  const Elements& elements_;
  const std::vector<std::int64_t>& order_;
  std::vector<std::int32_t> start_;
};

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
  std::vector<std::int32_t> root = sets.roots();
  const std::vector<char> held = held_roots(mesh, elements, fixed, root);

  // Where each set is visited first, kept for its root.
  Numbering result;
  const std::int64_t cells = mesh.cell_count(), pieces = (cells + usual_piece - 1) / usual_piece;
  constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();
  result.of_node.assign(static_cast<std::size_t>(all), never);
  const Visits visits(mesh, elements, order);
  const auto is_first = [&](std::int32_t node, std::int32_t place) { return result.of_node[root[node]] == place; };
  for_pieces(cells, [&](std::int64_t begin, std::int64_t end) {
    visits(begin, end, [&](std::int32_t node, std::int32_t place) {
      auto least = shared(result.of_node[root[node]]);
      for (std::int32_t was = least.load(std::memory_order_relaxed); place < was;)
        if (least.compare_exchange_weak(was, place, std::memory_order_relaxed)) break;
    });
  });

  // Sets are numbered as they are visited, those that are free before those that are held; each piece knows how many come before its own.
  std::vector<std::array<std::int64_t, 2>> next(static_cast<std::size_t>(pieces), {0, 0});
  for_pieces(cells, [&](std::int64_t begin, std::int64_t end) {
    visits(begin, end, [&](std::int32_t node, std::int32_t place) {
      if (is_first(node, place)) ++next[begin / usual_piece][held[root[node]]];
    });
  });
  for (const int wanted : {0, 1}) {
    for (auto& piece : next) {
      const std::int64_t here = piece[wanted];
      piece[wanted] = result.count;
      result.count += here;
    }
    if (wanted == 0) result.free = result.count;
  }
  std::vector<std::int32_t> number(static_cast<std::size_t>(all));  // of roots
  for_pieces(cells, [&](std::int64_t begin, std::int64_t end) {
    visits(begin, end, [&](std::int32_t node, std::int32_t place) {
      if (is_first(node, place)) number[root[node]] = static_cast<std::int32_t>(next[begin / usual_piece][held[root[node]]]++);
    });
  });
  for_pieces(all, 16 * usual_piece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) result.of_node[i] = number[root[i]];
  });
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
