// SPDX-License-Identifier: Apache-2.0
#include "cg/blocks/fan_values.hpp"

#include <array>
#include <cmath>

#include "base/host_threads.hpp"
#include "cg/element_data.hpp"

namespace swell {

namespace {

using Arrow = std::array<double, 3>;

Arrow difference(const Arrow& a, const Arrow& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Arrow cross(const Arrow& a, const Arrow& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Arrow& a, const Arrow& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// J times the gradients of the barycentric coordinates, and J = dim! times the measure, up to a sign that they share.
struct Simplex {
  std::array<Arrow, 4> gradient;
  double size;
};

class Simplices {
 public:
  explicit Simplices(const Mesh& mesh) : mesh_(mesh), points_(mesh.points.data()), dim_(mesh.dim) {
    const Shape shape = dim_ == 3 ? Shape::tetrahedron : Shape::triangle;
    for (int v = 0; v <= dim_; ++v) node_[v] = vertex_node(shape, mesh.geometry_order(), v);
  }

  Simplex operator()(std::int64_t cell) const {
    const std::int64_t* const nodes = mesh_.nodes_of(cell).data();
    const Arrow corner = vertex(nodes, 0), a = difference(vertex(nodes, 1), corner), b = difference(vertex(nodes, 2), corner);
    // A triangle is the base of a prism of height 1.
    const Arrow c = dim_ == 3 ? difference(vertex(nodes, 3), corner) : Arrow{0, 0, 1};
    Simplex s{{Arrow{}, cross(b, c), cross(c, a), dim_ == 3 ? cross(a, b) : Arrow{}}, dot(a, cross(b, c))};
    for (int d = 0; d < 3; ++d) s.gradient[0][d] = -(s.gradient[1][d] + s.gradient[2][d] + s.gradient[3][d]);
    return s;
  }

 private:
  Arrow vertex(const std::int64_t* nodes, int v) const {
    const double* const x = points_ + nodes[node_[v]] * dim_;
    return {x[0], x[1], dim_ == 3 ? x[2] : 0};
  }

  const Mesh& mesh_;
  const double* points_;
  int dim_, node_[4] = {};
};

int turned(std::uint8_t turns, int node) { return turns >> 2 * node & 3; }

// Edges of the axis, from it to the rim, along the rim, in the order of kernels/continuous/fans.h.
class Edges {
 public:
  Edges(int dim, int chain) : axis_(dim - 1), of_axis_(dim - 2), along_rim_(of_axis_ + axis_ * (chain + 1)), chain_(chain) {}
  int count() const { return along_rim_ + chain_; }
  // The edge between nodes i < j of cell t.
  int number(int t, int i, int j) const {
    if (j < axis_) return 0;
    if (i < axis_) return of_axis_ + (t + j - axis_) * axis_ + i;
    return along_rim_ + t;
  }

 private:
  int axis_, of_axis_, along_rim_, chain_;
};

}  // namespace

std::vector<std::uint8_t> slot_turns(const ElementBlocks& blocks, int nodes, const std::vector<std::uint8_t>& turn) {
  std::vector<std::uint8_t> turns(blocks.cell.size(), 0);
  for_pieces(std::ssize(turns), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot)
      for (int n = 0; blocks.cell[slot] >= 0 && n < nodes; ++n)
        turns[slot] = static_cast<std::uint8_t>(turns[slot] | turn[blocks.from[slot] * nodes + n] << 2 * n);
  });
  return turns;
}

std::vector<double> fan_values(const Mesh& mesh, const ElementBlocks& blocks, const std::vector<std::uint8_t>& turns, bool steady,
                               const std::vector<double>& material) {
  const int lanes = blocks.lanes, chain = blocks.chain, nodes = mesh.dim + 1, materials = steady ? 1 : 2;
  const Edges edges(mesh.dim, chain);
  const Simplices simplex(mesh);
  const int count = edges.count() + (steady ? 0 : chain);
  const double stiffness = mesh.dim == 3 ? 6 : 2, mass = mesh.dim == 3 ? 120 : 24;  // dim! and (dim + 2)!
  std::vector<double> values(blocks.cell.size() / chain * count, 0.0);
  // A piece has whole batches of chains: the edges that the cells of a chain share are one thread's.
  const std::int64_t piece = std::int64_t{lanes} * chain * (usual_piece / 32);
  for_pieces(std::ssize(blocks.cell), piece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
      if (blocks.cell[slot] < 0) continue;
      const std::int64_t batch = slot / lanes, t = batch % chain;
      const double* const of_cell = material.data() + batch * materials * lanes + slot % lanes;
      double* const to = values.data() + batch / chain * count * lanes + slot % lanes;
      ask_ahead(mesh, blocks.cell, static_cast<std::size_t>(slot));
      const Simplex s = simplex(blocks.cell[slot]);
      const double size = std::abs(s.size), factor = -of_cell[0] / (stiffness * size);
      for (int j = 1; j < nodes; ++j)
        for (int i = 0; i < j; ++i)
          to[edges.number(static_cast<int>(t), i, j) * lanes] +=
              factor * dot(s.gradient[turned(turns[slot], i)], s.gradient[turned(turns[slot], j)]);
      if (!steady) to[(edges.count() + t) * lanes] = of_cell[lanes] * size / mass;
    }
  });
  return values;
}

double fan_flops(int dim, int chain, bool steady) {
  const int nodes = dim + 1, places = dim + chain, at_edge = 4, of_mass = 1 + nodes + 3 * nodes;
  return static_cast<double>(at_edge * Edges(dim, chain).count() + places) / chain + (steady ? 0 : of_mass);
}

}  // namespace swell
