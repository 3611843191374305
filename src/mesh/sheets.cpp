// SPDX-License-Identifier: Apache-2.0
#include "mesh/sheets.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>

namespace swell {

namespace {

// A cell at a vertex of a sheet.
struct Corner {
  std::int64_t point = -1, cell = -1;
  int vertex = 0;
};

class Cutter {
 public:
  explicit Cutter(Mesh& mesh)
      : mesh_(mesh), cut_(mesh.neighbours.size(), 0) {}

  void cut(const std::vector<char>& chosen) {
    std::vector<InnerFace> kept;
    std::vector<InnerFace> sheet;
    for (const InnerFace& inner : mesh_.inner_faces) (chosen[inner.boundary] ? sheet : kept).push_back(inner);
    if (sheet.empty()) return;
    for (const InnerFace& inner : sheet) {
      const Neighbour& n = mesh_.neighbour(inner.cell, inner.face);
      cut_[place(inner.cell, inner.face)] = cut_[place(n.cell, n.face)] = 1;
      mesh_.sheets.push_back({{inner.cell, n.cell}, {inner.face, n.face}, inner.boundary});
    }
    split_points(corners_on(sheet));
    for (const InnerFace& inner : sheet) {
      Neighbour& mine = mesh_.neighbour(inner.cell, inner.face);
      Neighbour& theirs = mesh_.neighbour(mine.cell, mine.face);
      mine = theirs = {.cell = -1, .face = 0, .orientation = 0, .boundary = inner.boundary};
    }
    mesh_.inner_faces = std::move(kept);
  }

 private:
  std::int64_t& point(std::int64_t cell, int vertex) {
    return mesh_.nodes_of(cell)[vertex_node(mesh_.shape_of(cell), mesh_.geometry_order(), vertex)];
  }
  std::size_t place(std::int64_t cell, int face) const { return static_cast<std::size_t>(mesh_.spot(cell).first_face + face); }

  // All cells at the vertices of the sheets, point by point and there by their numbers.
  std::vector<Corner> corners_on(const std::vector<InnerFace>& sheet) {
    std::vector<char> on_sheet(mesh_.points.size() / static_cast<std::size_t>(mesh_.dim), 0);
    for (const InnerFace& inner : sheet)
      for (const int v : face_vertices(mesh_.shape_of(inner.cell), inner.face)) on_sheet[point(inner.cell, v)] = 1;
    std::vector<Corner> corners;
    for (std::int64_t cell = 0, count = mesh_.cell_count(); cell < count; ++cell)
      for (int v = 0; v < vertex_count(mesh_.shape_of(cell)); ++v)
        if (on_sheet[point(cell, v)]) corners.push_back({point(cell, v), cell, v});
    std::stable_sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) { return a.point < b.point; });
    return corners;
  }

  void split_points(const std::vector<Corner>& corners) {
    std::vector<std::size_t> piece;
    for (std::size_t first = 0, last = 0; first < corners.size(); first = last) {
      while (last < corners.size() && corners[last].point == corners[first].point) ++last;
      find_pieces({corners.data() + first, last - first}, piece);
      std::unordered_map<std::size_t, std::int64_t> point_of{{0, corners[first].point}};
      for (std::size_t i = 0; i < last - first; ++i) {
        const auto [found, is_new] = point_of.try_emplace(piece[i], static_cast<std::int64_t>(mesh_.points.size()) / mesh_.dim);
        if (is_new) copy_point(corners[first].point);
        point(corners[first + i].cell, corners[first + i].vertex) = found->second;
      }
    }
  }

  // piece[i]: the first corner of a point that is reached from corner i across faces at that point that are not cut.
  void find_pieces(std::span<const Corner> around, std::vector<std::size_t>& piece) {
    piece.resize(around.size());
    std::iota(piece.begin(), piece.end(), std::size_t{0});
    const auto root = [&](std::size_t i) {
      while (piece[i] != i) i = piece[i];
      return i;
    };
    for (std::size_t i = 0; i < around.size(); ++i)
      for (int f = 0; f < face_count(mesh_.shape_of(around[i].cell)); ++f) {
        const auto on_face = face_vertices(mesh_.shape_of(around[i].cell), f);
        if (cut_[place(around[i].cell, f)] || std::find(on_face.begin(), on_face.end(), around[i].vertex) == on_face.end()) continue;
        // The neighbour across a periodic side lies at another point, and is not found.
        const auto other = std::find_if(around.begin(), around.end(), [&](const Corner& c) {
          return c.cell == mesh_.neighbour(around[i].cell, f).cell;
        });
        if (other == around.end()) continue;
        const std::size_t a = root(i), b = root(static_cast<std::size_t>(other - around.begin()));
        piece[std::max(a, b)] = std::min(a, b);
      }
    for (std::size_t& p : piece) p = root(p);
  }

  void copy_point(std::int64_t from) {
    for (int d = 0; d < mesh_.dim; ++d) mesh_.points.push_back(mesh_.points[from * mesh_.dim + d]);
  }

  Mesh& mesh_;
  std::vector<char> cut_;  // [cell][face]
};

}  // namespace

void cut_sheets(Mesh& mesh, const std::vector<char>& chosen) { Cutter(mesh).cut(chosen); }

}  // namespace swell
