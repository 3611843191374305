// SPDX-License-Identifier: Apache-2.0
#include "mesh/scatter.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace swell {

namespace {

using Index = std::array<std::int64_t, 3>;

// The least area or volume of a triangle or tetrahedron, in those of a rectangle or brick, that is taken for not flat.
constexpr double least_area = 0.1, least_volume = 0.02;
constexpr double rounding = 1e-12;  // of a determinant of numbers near 1
constexpr int most_halvings = 40;

class Scatter {
 public:
  Scatter(const ScatterOptions& options, const DrawnNumber& drawn) : options_(options), drawn_(drawn) {
    for (int d = 0; d < options.dim; ++d) stride_[d + 1] = stride_[d] * (options.cells[d] + 1);
    for (int d = options.dim; d < 3; ++d) stride_[d + 1] = stride_[d];
    weight_.assign(static_cast<std::size_t>(count()), 1.0);
  }

  ScatteredCells make() {
    for (int halving = 0; halving < most_halvings; ++halving) {
      place_vertices();
      cut();
      if (!pull_back()) break;
    }
    if (options_.dim == 2) flip();
    return std::move(made_);
  }

 private:
  std::int64_t count() const { return stride_[options_.dim]; }

  Index index(std::int64_t vertex) const {
    Index at{};
    for (int d = 0; d < options_.dim; ++d) at[d] = vertex / stride_[d] % (options_.cells[d] + 1);
    return at;
  }

  double priority(std::int64_t vertex) const { return drawn_(index(vertex), options_.dim); }

  void place_vertices() {
    made_.vertices.clear();
    for (std::int64_t v = 0; v < count(); ++v) {
      const Index at = index(v);
      for (int d = 0; d < options_.dim; ++d) {
        const bool inside = at[d] > 0 && at[d] < options_.cells[d];
        const double step = inside ? options_.amplitude * weight_[static_cast<std::size_t>(v)] * drawn_(at, d) : 0;
        made_.vertices.push_back(static_cast<double>(at[d]) + step);
      }
    }
  }

  double coordinate(std::int64_t vertex, int axis) const { return made_.vertices[static_cast<std::size_t>(vertex * options_.dim + axis)]; }

  // Twice the area of a triangle.
  double area(std::int64_t a, std::int64_t b, std::int64_t c) const {
    const auto along = [&](std::int64_t v, int d) { return coordinate(v, d) - coordinate(a, d); };
    return along(b, 0) * along(c, 1) - along(b, 1) * along(c, 0);
  }

  // Six times the volume of a tetrahedron.
  double volume(const std::int64_t* v) const {
    std::array<std::array<double, 3>, 3> e;
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d) e[i][d] = coordinate(v[i + 1], d) - coordinate(v[0], d);
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
  }

  void cut() {
    made_.cells.clear();
    Index at{};
    for (at[2] = 0; at[2] < (options_.dim == 3 ? options_.cells[2] : 1); ++at[2])
      for (at[1] = 0; at[1] < options_.cells[1]; ++at[1])
        for (at[0] = 0; at[0] < options_.cells[0]; ++at[0]) {
          std::int64_t first = 0;
          for (int d = 0; d < options_.dim; ++d) first += at[d] * stride_[d];
          options_.dim == 2 ? cut_rectangle(first) : cut_brick(first);
        }
  }

  // By the diagonal that leaves the larger of the smallest triangles.
  void cut_rectangle(std::int64_t a) {
    const std::int64_t b = a + 1, d = a + stride_[1], c = d + 1;
    const bool rising = std::min(area(a, b, c), area(a, c, d)) >= std::min(area(a, b, d), area(b, c, d));
    const std::array<std::int64_t, 6> triangles =
        rising ? std::array<std::int64_t, 6>{a, b, c, a, c, d} : std::array<std::int64_t, 6>{a, b, d, b, c, d};
    made_.cells.insert(made_.cells.end(), triangles.begin(), triangles.end());
  }

  void cut_brick(std::int64_t first) {
    std::array<std::int64_t, 8> corner;
    for (int c = 0; c < 8; ++c) corner[c] = first + (c & 1) * stride_[0] + (c >> 1 & 1) * stride_[1] + (c >> 2) * stride_[2];
    const auto lower = [&](int a, int b) { return priority(corner[a]) < priority(corner[b]); };
    std::array<int, 8> order{0, 1, 2, 3, 4, 5, 6, 7};
    const int lowest = *std::min_element(order.begin(), order.end(), lower);
    for (int axis = 0; axis < 3; ++axis) {
      const int u = 1 << (axis + 1) % 3, w = 1 << (axis + 2) % 3, far = (lowest & 1 << axis) ^ 1 << axis;
      // The far face, turned so that it is seen from outside where it is the upper one.
      std::array<int, 4> face{far, far | u, far | u | w, far | w};
      if (far == 0) std::swap(face[1], face[3]);
      std::rotate(face.begin(), std::min_element(face.begin(), face.end(), lower), face.end());
      for (int half = 1; half < 3; ++half)
        for (const int c : {lowest, face[0], face[half], face[half + 1]}) made_.cells.push_back(corner[c]);
    }
  }

  // Halves the steps of the vertices of flat cells, alike on both of two periodic sides; whether there was one.
  bool pull_back() {
    std::map<std::array<double, 3>, char> flat;  // by what is drawn for a vertex, which both sides share
    const int corners = options_.dim + 1;
    const auto drawn = [&](std::int64_t v) { return std::array<double, 3>{drawn_(index(v), 0), drawn_(index(v), 1), priority(v)}; };
    for (std::size_t first = 0; first < made_.cells.size(); first += static_cast<std::size_t>(corners)) {
      const std::int64_t* v = made_.cells.data() + first;
      if (options_.dim == 2 ? area(v[0], v[1], v[2]) >= 2 * least_area : volume(v) >= 6 * least_volume) continue;
      for (int i = 0; i < corners; ++i) flat[drawn(v[i])] = 1;
    }
    for (std::int64_t v = 0; v < count() && !flat.empty(); ++v)
      if (flat.contains(drawn(v))) weight_[static_cast<std::size_t>(v)] /= 2;
    return !flat.empty();
  }

  // Whether d lies inside the circle through a, b and c.
  bool in_circle(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) const {
    std::array<std::array<double, 3>, 3> m;
    const std::array<std::int64_t, 3> of{a, b, c};
    for (int i = 0; i < 3; ++i) {
      const double x = coordinate(of[i], 0) - coordinate(d, 0), y = coordinate(of[i], 1) - coordinate(d, 1);
      m[i] = {x, y, x * x + y * y};
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]) >
           rounding;
  }

  // Each edge whose two triangles see each other's far vertex inside their circle gives way to the other diagonal.
  void flip() {
    using Edge = std::pair<std::int64_t, std::int64_t>;
    std::map<Edge, std::array<std::int64_t, 2>> triangles;  // of an edge, -1: none
    const auto corner = [&](std::int64_t t, int i) -> std::int64_t& { return made_.cells[static_cast<std::size_t>(3 * t + i % 3)]; };
    const auto edge = [](std::int64_t a, std::int64_t b) { return Edge{std::min(a, b), std::max(a, b)}; };
    const auto replace = [&](std::int64_t a, std::int64_t b, std::int64_t before, std::int64_t after) {
      auto& both = triangles.try_emplace(edge(a, b), std::array<std::int64_t, 2>{-1, -1}).first->second;
      both[both[0] == before ? 0 : 1] = after;
    };
    std::vector<Edge> waiting;
    for (std::int64_t t = 0; t < static_cast<std::int64_t>(made_.cells.size()) / 3; ++t)
      for (int i = 0; i < 3; ++i) replace(corner(t, i), corner(t, i + 1), -1, t);
    for (const auto& [between, both] : triangles) waiting.push_back(between);
    while (!waiting.empty()) {
      const Edge between = waiting.back();
      waiting.pop_back();
      const auto found = triangles.find(between);
      if (found == triangles.end() || found->second[1] < 0) continue;
      const auto [s, t] = found->second;
      int i = 0, k = 0;  // of the vertices away from the edge
      while (corner(s, i) == between.first || corner(s, i) == between.second) ++i;
      while (corner(t, k) == between.first || corner(t, k) == between.second) ++k;
      const std::int64_t a = corner(s, i), b = corner(s, i + 1), c = corner(t, k), d = corner(s, i + 2);
      if (!in_circle(a, b, d, c) || area(a, b, c) <= rounding || area(a, c, d) <= rounding) continue;
      triangles.erase(found);
      replace(b, c, t, s);
      replace(d, a, s, t);
      triangles[edge(a, c)] = {s, t};
      corner(s, 0) = a, corner(s, 1) = b, corner(s, 2) = c;
      corner(t, 0) = a, corner(t, 1) = c, corner(t, 2) = d;
      for (const Edge& side : {edge(a, b), edge(b, c), edge(c, d), edge(d, a)}) waiting.push_back(side);
    }
  }

  const ScatterOptions& options_;
  const DrawnNumber& drawn_;
  std::array<std::int64_t, 4> stride_{1, 1, 1, 1};
  std::vector<double> weight_;
  ScatteredCells made_;
};

}  // namespace

ScatteredCells scatter_vertices(const ScatterOptions& options, const DrawnNumber& drawn) { return Scatter(options, drawn).make(); }

}  // namespace swell
