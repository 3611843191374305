// SPDX-License-Identifier: Apache-2.0
#include "mesh/near_cells.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace swell {
namespace {

using Place = std::array<double, 3>;

struct Ball {
  Place middle{};
  double radius = 0;
};

double distance(const Place& a, const Place& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

Ball ball_around(const Mesh& mesh, std::int64_t cell) {
  const int vertices = vertex_count(mesh.shape_of(cell));
  Ball ball;
  for (int v = 0; v < vertices; ++v)
    for (int d = 0; d < mesh.dim; ++d) ball.middle[d] += mesh.vertex(cell, v)[d] / vertices;
  for (int v = 0; v < vertices; ++v) {
    const Place at = mesh.vertex(cell, v);
    double squares = 0;
    for (int d = 0; d < mesh.dim; ++d) squares += (at[d] - ball.middle[d]) * (at[d] - ball.middle[d]);
    ball.radius = std::max(ball.radius, std::sqrt(squares));
  }
  return ball;
}

// The shift that a periodic side adds to coordinates behind it, so that they continue those before it.
Place shift(const Mesh& mesh, std::int64_t cell, int face) {
  const Neighbour& n = mesh.neighbour(cell, face);
  const Shape shape = mesh.shape_of(cell);
  const int there = orientation(face_shape(shape, face), n.orientation)[0];
  const Place mine = mesh.vertex(cell, face_vertices(shape, face)[0]),
              theirs = mesh.vertex(n.cell, face_vertices(mesh.shape_of(n.cell), n.face)[there]);
  Place by{};
  for (int d = 0; d < mesh.dim; ++d) by[d] = mine[d] - theirs[d];
  return by;
}

}  // namespace

std::vector<std::int64_t> cells_near(const Mesh& mesh, std::int64_t cell, const double* place, double reach) {
  Place from{};
  std::copy_n(place, mesh.dim, from.begin());
  std::vector<std::pair<std::int64_t, Place>> found{{cell, from}};  // and where the place is for those who look from there
  std::set<std::int64_t> seen{cell};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [here, seen_from_here] = found[i];
    for (int f = 0; f < face_count(mesh.shape_of(here)); ++f) {
      const std::int64_t other = mesh.neighbour(here, f).cell;
      if (other < 0 || seen.contains(other)) continue;
      Place at = seen_from_here;
      const Place by = shift(mesh, here, f);
      for (int d = 0; d < mesh.dim; ++d) at[d] -= by[d];
      const Ball ball = ball_around(mesh, other);
      if (distance(ball.middle, at) > reach * ball.radius) continue;
      seen.insert(other);
      found.emplace_back(other, at);
    }
  }
  return {seen.begin(), seen.end()};
}

}  // namespace swell
