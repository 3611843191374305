// SPDX-License-Identifier: Apache-2.0
// Who meets whom: faces are sorted into buckets by their smallest vertex, then compared inside a bucket. Each bucket is the work of one
// thread, and a face lies in one bucket only.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/error.hpp"
#include "base/host_threads.hpp"
#include "base/set_up_phase.hpp"
#include "mesh/mesh.hpp"

namespace swell {
namespace {

using Key = std::array<std::int64_t, 4>;  // vertices in ascending order, unused entries first and -1

Key sorted_key(Key vertices) {
  std::sort(vertices.begin(), vertices.end());
  return vertices;
}

// An entry of a bucket: face number cell * face_count + face, or ~i for named face i.
struct Entry {
  Key key;
  std::int64_t item;
  bool operator<(const Entry& other) const { return key != other.key ? key < other.key : item < other.item; }
};

// How many vertices a face has.
int size_of(const Key& key) { return static_cast<int>(std::count_if(key.begin(), key.end(), [](auto v) { return v >= 0; })); }

// The faces of one block: cells and faces are numbered through all blocks.
struct BlockFaces {
  explicit BlockFaces(const CellBlock& given, std::int64_t first_cell_number, std::int64_t first_face_number);

  const CellBlock* block;
  std::int64_t first_cell, first_face, last_face;
  int faces;
  int vertex_node[8] = {};   // lattice index of each vertex
  int face_node[6][4] = {};  // lattice index of each vertex of each face
  int size[6] = {};          // vertices of each face
  int outward[6] = {};
};

// +1 where the face's vertices, in their order, turn counterclockwise seen from outside (2D: run counterclockwise
// around the cell; 1D: the face is the upper end). Found on the reference shape.
int outward_sign(Shape shape, int face) {
  const Matrix corners = lattice(shape, 1);
  const auto local = face_vertices(shape, face);
  const Vector a = corners.row(local[0]);
  const Vector inside = corners.colwise().mean();
  const Vector out = a - inside;
  if (corners.cols() == 1) return out(0) > 0 ? 1 : -1;
  const Vector b = corners.row(local[1]);
  if (corners.cols() == 2) return out(0) * (b - a)(1) - out(1) * (b - a)(0) > 0 ? 1 : -1;
  const Vector c = corners.row(local[2]);
  const Eigen::Vector3d u = b - a, v = c - a;
  return u.cross(v).dot(out) > 0 ? 1 : -1;
}

BlockFaces::BlockFaces(const CellBlock& given, std::int64_t first_cell_number, std::int64_t first_face_number)
    : block(&given), first_cell(first_cell_number), first_face(first_face_number), faces(face_count(given.shape)) {
  last_face = first_face + given.count() * faces;
  for (int v = 0; v < vertex_count(given.shape); ++v) vertex_node[v] = swell::vertex_node(given.shape, given.geometry_order, v);
  for (int f = 0; f < faces; ++f) {
    const auto local = face_vertices(given.shape, f);
    size[f] = static_cast<int>(local.size());
    for (int i = 0; i < size[f]; ++i) face_node[f][i] = vertex_node[local[i]];
    outward[f] = outward_sign(given.shape, f);
  }
}

// +1 where the orientation keeps the sense of rotation of the face, -1 where it mirrors it.
int handedness(Shape face, int number) {
  const auto map = orientation(face, number);
  if (face == Shape::point) return 1;
  if (face == Shape::line) return map[0] == 0 ? 1 : -1;
  const auto u = [&](int i) { return map[i] & 1; };
  const auto v = [&](int i) { return map[i] >> 1; };
  return (u(1) - u(0)) * (v(2) - v(0)) - (u(2) - u(0)) * (v(1) - v(0)) > 0 ? 1 : -1;
}

// The orientations of faces with so many vertices, by the places of a face's vertices among those of the other: two bits for each.
class Orientations {
 public:
  Orientations() {
    for (const Shape face : {Shape::point, Shape::line, Shape::triangle, Shape::quadrilateral}) {
      auto& numbers = number_[vertex_count(face) - 1];
      numbers.fill(-1);
      for (int o = 0; o < orientation_count(face); ++o) {
        const auto map = orientation(face, o);
        unsigned bits = 0;
        for (std::size_t i = 0; i < map.size(); ++i) bits |= static_cast<unsigned>(map[i]) << 2 * i;
        numbers[bits] = static_cast<std::int8_t>(o);
        hand_[vertex_count(face) - 1][o] = handedness(face, o);
      }
    }
  }
  // -1: no symmetry of the face does it.
  int number(int size, unsigned bits) const { return number_[size - 1][bits]; }
  int hand(int size, int number) const { return hand_[size - 1][number]; }

 private:
  std::array<std::array<std::int8_t, 256>, 4> number_{};
  std::array<std::array<int, 8>, 4> hand_{};
};

class Connector {
 public:
  Connector(Mesh& mesh, const std::vector<NamedFace>& named) : mesh_(mesh), named_(named) {
    std::int64_t cell = 0, face = 0;
    for (const CellBlock& block : mesh.blocks) {
      blocks_.emplace_back(block, cell, face);
      cell += block.count();
      face = blocks_.back().last_face;
    }
  }

  void match_cells();
  void match_periodic(const PeriodicPair& pair);

 private:
  // A face, by its number through all blocks.
  struct Place {
    const BlockFaces* of;
    std::int64_t local;  // cell of the block
    int face;
    std::int64_t cell() const { return of->first_cell + local; }
  };
  Place place(std::int64_t face) const {
    const BlockFaces* of = blocks_.data();
    while (face >= of->last_face) ++of;
    return {of, (face - of->first_face) / of->faces, static_cast<int>((face - of->first_face) % of->faces)};
  }
  std::int64_t cell_of(std::int64_t face) const { return place(face).cell(); }
  Key vertices(std::int64_t face) const {
    Key v{-1, -1, -1, -1};
    const Place at = place(face);
    const std::int64_t* nodes = &at.of->block->nodes[at.local * at.of->block->nodes_per_cell];
    for (int i = 0; i < at.of->size[at.face]; ++i) v[i] = nodes[at.of->face_node[at.face][i]];
    return v;
  }
  // Vertices of a named face or of a cell's face.
  Key item_vertices(std::int64_t item) const { return item >= 0 ? vertices(item) : named_[~item].vertices; }
  std::int64_t smallest_vertex(const Key& key) const { return *std::min_element(key.begin(), key.begin() + size_of(key)); }

  bool same_cell(std::int64_t a, std::int64_t b) const;
  void check_cells() const;
  void sort_into_buckets();
  template <class Visit>
  void for_faces(const Visit& visit) const;
  void match_group(const Entry* first, const Entry* last, std::vector<InnerFace>& inner);
  void name_face(std::int64_t face, std::int32_t boundary);
  void link(std::int64_t a, std::int64_t b, const Key& a_vertices);
  void check_translation(const std::vector<std::array<std::int64_t, 2>>& map) const;
  void list_open_faces();

  Mesh& mesh_;
  const std::vector<NamedFace>& named_;
  Orientations orientations_;
  std::vector<BlockFaces> blocks_;
  std::vector<std::int64_t> start_, items_;  // bucket of each point
  std::vector<Entry> open_;                  // faces without a neighbour, sorted; for the periodic sides
  bool listed_ = false;
};

bool Connector::same_cell(std::int64_t a, std::int64_t b) const {
  const Place at_a = place(a), at_b = place(b);
  if (at_a.of->block->shape != at_b.of->block->shape) return false;
  const std::int64_t* nodes_a = &at_a.of->block->nodes[at_a.local * at_a.of->block->nodes_per_cell];
  const std::int64_t* nodes_b = &at_b.of->block->nodes[at_b.local * at_b.of->block->nodes_per_cell];
  const int n = vertex_count(at_a.of->block->shape);
  for (int i = 0; i < n; ++i) {
    bool shared = false;
    for (int j = 0; j < n; ++j) shared = shared || nodes_a[at_a.of->vertex_node[i]] == nodes_b[at_b.of->vertex_node[j]];
    if (!shared) return false;
  }
  return true;
}

void Connector::check_cells() const {
  for (const BlockFaces& of : blocks_) {
    const int n = vertex_count(of.block->shape);
    for_pieces(of.block->count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin; cell < end; ++cell) {
        const std::int64_t* nodes = &of.block->nodes[cell * of.block->nodes_per_cell];
        for (int i = 1; i < n; ++i)
          for (int j = 0; j < i; ++j)
            if (nodes[of.vertex_node[i]] == nodes[of.vertex_node[j]])
              throw InputError("{}: {} has the same point at two of its vertices.", mesh_.name, mesh_.label(of.first_cell + cell));
      }
    });
  }
}

// Calls visit(face, its smallest vertex) for the faces of all cells, by several threads.
template <class Visit>
void Connector::for_faces(const Visit& visit) const {
  for (const BlockFaces& of : blocks_)
    for_pieces(of.block->count(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t cell = begin; cell < end; ++cell) {
        const std::int64_t* nodes = &of.block->nodes[cell * of.block->nodes_per_cell];
        for (int f = 0; f < of.faces; ++f) {
          std::int64_t smallest = nodes[of.face_node[f][0]];
          for (int i = 1; i < of.size[f]; ++i) smallest = std::min(smallest, nodes[of.face_node[f][i]]);
          visit(of.first_face + cell * of.faces + f, smallest);
        }
      }
    });
}

// In a bucket the items stand as the threads came, which sorting them makes up for.
void Connector::sort_into_buckets() {
  const std::int64_t point_count = static_cast<std::int64_t>(mesh_.points.size()) / mesh_.dim;
  const std::int64_t named_total = static_cast<std::int64_t>(named_.size());
  start_.assign(point_count + 1, 0);
  items_.resize(mesh_.face_total() + named_total);
  const auto next = [&](std::int64_t bucket) { return std::atomic_ref(start_[bucket]); };
  for_faces([&](std::int64_t, std::int64_t bucket) { next(bucket).fetch_add(1, std::memory_order_relaxed); });
  for (const NamedFace& face : named_) ++start_[smallest_vertex(face.vertices)];
  std::int64_t sum = 0;
  for (auto& s : start_) sum += s, s = sum;  // one past the end of each bucket; filled from behind
  for_faces([&](std::int64_t face, std::int64_t bucket) { items_[next(bucket).fetch_sub(1, std::memory_order_relaxed) - 1] = face; });
  for (std::int64_t i = 0; i < named_total; ++i) items_[--start_[smallest_vertex(named_[i].vertices)]] = ~i;
}

void Connector::match_cells() {
  check_cells();
  mesh_.neighbours.assign(mesh_.face_total(), Neighbour{});
  sort_into_buckets();
  const auto match = [&](std::int64_t begin, std::int64_t end, std::vector<InnerFace>& inner) {
    std::vector<Entry> entries;
    for (std::int64_t point = begin; point < end; ++point) {
      entries.clear();
      for (std::int64_t i = start_[point]; i < start_[point + 1]; ++i)
        entries.push_back({sorted_key(item_vertices(items_[i])), items_[i]});
      std::sort(entries.begin(), entries.end());
      for (std::size_t first = 0, last = 0; first < entries.size(); first = last) {
        while (last < entries.size() && entries[last].key == entries[first].key) ++last;
        match_group(&entries[first], &entries[0] + last, inner);
      }
    }
  };
  mesh_.inner_faces = found_in_pieces<InnerFace>(std::ssize(start_) - 1, usual_piece, match);
  std::vector<std::int64_t>().swap(start_);
  std::vector<std::int64_t>().swap(items_);
}

// Entries of one face: the names that it has come first, then the cells that own it.
void Connector::match_group(const Entry* first, const Entry* last, std::vector<InnerFace>& inner) {
  const Entry* cell = first;
  while (cell != last && cell->item < 0) ++cell;
  const std::int64_t owners = last - cell;
  if (owners == 0)
    throw InputError(
        "{}: a face of the boundary '{}' belongs to no cell; remove the group's elements that do not lie "
        "on the mesh.",
        mesh_.name, mesh_.boundaries[named_[~first->item].boundary]);
  for (std::int64_t i = 1; i < owners; ++i)
    for (std::int64_t j = 0; j < i; ++j)
      if (same_cell(cell[i].item, cell[j].item))
        throw InputError("{}: {} and {} have the same vertices; a cell may be there only once.", mesh_.name,
                         mesh_.label(cell_of(cell[j].item)), mesh_.label(cell_of(cell[i].item)));
  if (owners > 2)
    throw InputError("{}: {}, {} and {} share one face; a face lies between two cells at most.", mesh_.name,
                     mesh_.label(cell_of(cell[0].item)), mesh_.label(cell_of(cell[1].item)),
                     mesh_.label(cell_of(cell[2].item)));
  // Named face i stands as ~i, so the first one of the file comes last.
  for (const Entry* name = cell; name != first; --name) name_face(cell->item, named_[~name[-1].item].boundary);
  if (owners == 1) return;
  if (cell != first)
    inner.push_back({cell_of(cell->item), place(cell->item).face, named_[~first->item].boundary});
  link(cell[0].item, cell[1].item, vertices(cell[0].item));
}

void Connector::name_face(std::int64_t face, std::int32_t boundary) {
  Neighbour& mine = mesh_.neighbours[face];
  if (mine.boundary >= 0 && mine.boundary != boundary)
    throw InputError("{}: a face of {} belongs to the boundaries '{}' and '{}'; a face may have one name only.",
                     mesh_.name, mesh_.label(cell_of(face)), mesh_.boundaries[mine.boundary],
                     mesh_.boundaries[boundary]);
  mine.boundary = boundary;
}

// `a_vertices`: the vertices of face a in its own order, as points of face b.
void Connector::link(std::int64_t a, std::int64_t b, const Key& a_vertices) {
  const Key b_vertices = vertices(b);
  const Place at_a = place(a), at_b = place(b);
  const int size = size_of(b_vertices);
  unsigned there = 0, back = 0;
  for (int i = 0; i < size; ++i) {
    const auto at = static_cast<unsigned>(std::find(b_vertices.begin(), b_vertices.begin() + size, a_vertices[i]) - b_vertices.begin());
    there |= at << 2 * i;
    back |= static_cast<unsigned>(i) << 2 * at;
  }
  const int mine = orientations_.number(size, there), theirs = orientations_.number(size, back);
  if (mine < 0)
    throw InputError("{}: {} and {} share four points but run round their face in different orders.", mesh_.name,
                     mesh_.label(cell_of(a)), mesh_.label(cell_of(b)));
  // Seen from its own cell each face turns one way, so seen from one side the two turn opposite ways.
  if (at_a.of->outward[at_a.face] * at_b.of->outward[at_b.face] * orientations_.hand(size, mine) > 0)
    throw InputError("{}: {} and {} lie on the same side of their common face; cells must not overlap.", mesh_.name,
                     mesh_.label(cell_of(a)), mesh_.label(cell_of(b)));
  const auto set = [&](std::int64_t face, const Place& other, int turned) {
    mesh_.neighbours[face] = {other.cell(), static_cast<std::int8_t>(other.face), static_cast<std::int8_t>(turned), -1};
  };
  set(a, at_b, mine);
  set(b, at_a, theirs);
}

void Connector::list_open_faces() {
  listed_ = true;
  for (std::int64_t face = 0; face < static_cast<std::int64_t>(mesh_.neighbours.size()); ++face)
    if (mesh_.neighbours[face].cell < 0) open_.push_back({sorted_key(vertices(face)), face});
  std::sort(open_.begin(), open_.end());
}

void Connector::check_translation(const std::vector<std::array<std::int64_t, 2>>& map) const {
  // Meshing programs write about 6 digits at the least; a rotated side differs by far more.
  constexpr double tolerance = 1e-5;
  std::array<double, 3> offset{}, low{}, high{};
  for (std::size_t i = 0; i < map.size(); ++i)
    for (int d = 0; d < mesh_.dim; ++d) {
      const double from = mesh_.points[map[i][0] * mesh_.dim + d];
      const double step = mesh_.points[map[i][1] * mesh_.dim + d] - from;
      if (i == 0) offset[d] = step, low[d] = high[d] = from;
      low[d] = std::min(low[d], from), high[d] = std::max(high[d], from);
    }
  double extent = 0;
  for (int d = 0; d < 3; ++d) extent = std::max({extent, high[d] - low[d], std::abs(offset[d])});
  for (const auto& [from, to] : map)
    for (int d = 0; d < mesh_.dim; ++d)
      if (!(std::abs(mesh_.points[to * mesh_.dim + d] - mesh_.points[from * mesh_.dim + d] - offset[d]) <=
            tolerance * extent))
        throw InputError(
            "{}: two periodic sides are no translation of each other; rotated or mirrored sides cannot be "
            "joined.",
            mesh_.name);
}

void Connector::match_periodic(const PeriodicPair& pair) {
  if (!listed_) list_open_faces();
  auto map = pair.points;
  std::sort(map.begin(), map.end());
  map.erase(std::unique(map.begin(), map.end()), map.end());
  for (std::size_t i = 1; i < map.size(); ++i)
    if (map[i][0] == map[i - 1][0]) throw InputError("{}: a point of a periodic side has two partners.", mesh_.name);
  check_translation(map);
  const auto partner = [&](std::int64_t point) -> std::int64_t {
    const auto at = std::lower_bound(map.begin(), map.end(), std::array<std::int64_t, 2>{point, -1});
    return at != map.end() && (*at)[0] == point ? (*at)[1] : -1;
  };
  // Faces of each number of vertices lie together, since entries that they do not use are -1 and come first.
  for (const int unused : {3, 2, 1, 0})
    for (const auto& [from, to] : map) {
      Key lowest{-1, -1, -1, -1};
      lowest[unused] = from;
      for (auto at = std::lower_bound(open_.begin(), open_.end(), Entry{lowest, -1});
           at != open_.end() && at->key[unused] == from && size_of(at->key) == 4 - unused; ++at) {
        if (mesh_.neighbours[at->item].cell >= 0) continue;
        Key image = vertices(at->item);
        bool whole = true;
        for (int i = 0; i < 4 - unused; ++i) whole = whole && (image[i] = partner(image[i])) >= 0;
        if (!whole) continue;
        const Entry wanted{sorted_key(image), -1};
        const auto other = std::lower_bound(open_.begin(), open_.end(), wanted);
        if (other == open_.end() || other->key != wanted.key || other == at || mesh_.neighbours[other->item].cell >= 0)
          throw InputError("{}: a face of {} on a periodic side has no partner on the other side.", mesh_.name,
                           mesh_.label(cell_of(at->item)));
        for (const std::int64_t face : {at->item, other->item})
          if (const std::int32_t name = mesh_.neighbours[face].boundary; name >= 0) mesh_.periodic.push_back(name);
        link(at->item, other->item, image);
      }
    }
}

}  // namespace

void connect(Mesh& mesh, const std::vector<NamedFace>& named, const std::vector<PeriodicPair>& periodic) {
  const SetUpPhase phase(fmt::format("who meets whom among {} cells", mesh.cell_count()));
  Connector connector(mesh, named);
  connector.match_cells();
  mesh.periodic.clear();
  for (const PeriodicPair& pair : periodic) connector.match_periodic(pair);
  std::sort(mesh.periodic.begin(), mesh.periodic.end());
  mesh.periodic.erase(std::unique(mesh.periodic.begin(), mesh.periodic.end()), mesh.periodic.end());
}

}  // namespace swell
