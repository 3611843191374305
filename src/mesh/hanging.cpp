// SPDX-License-Identifier: Apache-2.0
// Hanging nodes: vertices of faces without a name are sorted into a grid of boxes, in which each such face looks for vertices that
// lie on it and are not its own.
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "base/error.hpp"
#include "mesh/sheets.hpp"

namespace swell {

namespace {

using Place = std::array<double, 3>;

// A part of a face's length: meshing programs write 16 digits, and a vertex this near to a face without being on it would make
// a cell that is flat.
constexpr double on_face = 1e-8;

Place minus(const Place& a, const Place& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Place& a, const Place& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct OpenFace {
  std::int64_t cell = -1;
  std::vector<Place> corners;
  double length = 0;  // the longest side or diagonal
};

bool near(const Place& a, const Place& b, double distance) { return dot(minus(a, b), minus(a, b)) <= distance * distance; }

bool on_segment(const Place& x, const Place& a, const Place& b, double distance) {
  const Place along = minus(b, a), from = minus(x, a);
  const double s = std::clamp(dot(from, along) / dot(along, along), 0.0, 1.0);
  return near(x, {a[0] + s * along[0], a[1] + s * along[1], a[2] + s * along[2]}, distance);
}

bool on_triangle(const Place& x, const Place& a, const Place& b, const Place& c, double distance) {
  const Place u = minus(b, a), v = minus(c, a), w = minus(x, a);
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w), det = uu * vv - uv * uv;
  if (!(det > 0)) return false;
  const double s = (vv * uw - uv * vw) / det, t = (uu * vw - uv * uw) / det;
  if (s < -on_face || t < -on_face || s + t > 1 + on_face) return false;
  return near(w, {s * u[0] + t * v[0], s * u[1] + t * v[1], s * u[2] + t * v[2]}, distance);
}

bool lies_on(const Place& x, const OpenFace& face) {
  const double distance = on_face * face.length;
  for (const Place& corner : face.corners)
    if (near(x, corner, distance)) return false;
  const auto& c = face.corners;
  if (c.size() == 2) return on_segment(x, c[0], c[1], distance);
  if (on_triangle(x, c[0], c[1], c[2], distance)) return true;
  return c.size() == 4 && on_triangle(x, c[3], c[1], c[2], distance);
}

std::vector<OpenFace> open_faces(const Mesh& mesh) {
  std::vector<OpenFace> open;
  for (std::int64_t cell = 0, count = mesh.cell_count(); cell < count; ++cell)
    for (int f = 0; f < face_count(mesh.shape_of(cell)); ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      if (n.cell >= 0 || n.boundary >= 0) continue;
      OpenFace face{cell, {}, 0};
      for (const int v : face_vertices(mesh.shape_of(cell), f)) face.corners.push_back(mesh.vertex(cell, v));
      for (const Place& a : face.corners)
        for (const Place& b : face.corners) face.length = std::max(face.length, std::sqrt(dot(minus(a, b), minus(a, b))));
      open.push_back(std::move(face));
    }
  return open;
}

// Points in cubes of a grid, by a hash of the cube's place: two cubes with one hash only cost time.
class Grid {
 public:
  explicit Grid(double width) : width_(width) {}
  void add(const Place& x) { cubes_[hash(cube(x))].push_back(x); }

  template <class Visit>
  void for_each_near(const OpenFace& face, const Visit& visit) const {
    Place low = face.corners[0], high = low;
    for (const Place& c : face.corners)
      for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], c[d]), high[d] = std::max(high[d], c[d]);
    for (int d = 0; d < 3; ++d) low[d] -= on_face * face.length, high[d] += on_face * face.length;
    const auto first = cube(low), last = cube(high);
    for (std::int64_t k = first[2]; k <= last[2]; ++k)
      for (std::int64_t j = first[1]; j <= last[1]; ++j)
        for (std::int64_t i = first[0]; i <= last[0]; ++i)
          if (const auto found = cubes_.find(hash({i, j, k})); found != cubes_.end())
            for (const Place& x : found->second) visit(x);
  }

 private:
  using Cube = std::array<std::int64_t, 3>;
  Cube cube(const Place& x) const {
    Cube c;
    for (int d = 0; d < 3; ++d) c[d] = static_cast<std::int64_t>(std::floor(x[d] / width_));
    return c;
  }
  static std::uint64_t hash(const Cube& c) {
    std::uint64_t h = 14695981039346656037u;
    for (const auto number : c) h = (h ^ static_cast<std::uint64_t>(number)) * 1099511628211u;
    return h ^ h >> 29;
  }

  double width_;
  std::unordered_map<std::uint64_t, std::vector<Place>> cubes_;
};

// A triangle three of whose corners are those of an open quadrilateral is half of it.
void check_halves(const Mesh& mesh, const std::vector<OpenFace>& open) {
  std::map<std::vector<Place>, std::int64_t> halves;  // of quadrilaterals: their cells
  const auto sorted = [](std::vector<Place> corners) {
    std::sort(corners.begin(), corners.end());
    return corners;
  };
  for (const OpenFace& face : open)
    for (std::size_t without = 0; face.corners.size() == 4 && without < 4; ++without) {
      std::vector<Place> corners = face.corners;
      corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(without));
      halves[sorted(corners)] = face.cell;
    }
  for (const OpenFace& face : open) {
    if (face.corners.size() != 3) continue;
    const auto found = halves.find(sorted(face.corners));
    if (found != halves.end())
      throw InputError(
          "{}: a triangle of {} is half of a quadrilateral of {}; cells must share whole faces, so put pyramids between hexahedra or prisms "
          "and tetrahedra.",
          mesh.name, mesh.label(face.cell), mesh.label(found->second));
  }
}

}  // namespace

void check_hanging_nodes(const Mesh& mesh) {
  if (mesh.dim == 1) return;  // faces are points, with nothing between their vertices
  const std::vector<OpenFace> open = open_faces(mesh);
  if (mesh.dim == 3 && mesh.mixed()) check_halves(mesh, open);
  double mean = 0;
  for (const OpenFace& face : open) mean += face.length / static_cast<double>(open.size());
  Grid grid(mean);
  for (const OpenFace& face : open)
    for (const Place& corner : face.corners) grid.add(corner);
  for (const OpenFace& face : open)
    grid.for_each_near(face, [&](const Place& x) {
      if (!lies_on(x, face)) return;
      throw InputError(
          "{}: the vertex at {} lies on a face of {} that it does not belong to, a hanging node; cells must share whole "
          "faces, so mesh both sides alike, or put the faces that are to be apart into a physical group.",
          mesh.name, place_text(mesh.dim, x.data()), mesh.label(face.cell));
    });
}

}  // namespace swell
