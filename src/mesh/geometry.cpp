// SPDX-License-Identifier: Apache-2.0
#include "mesh/geometry.hpp"

#include <cmath>

#include "element/dense.hpp"

namespace swell {
namespace {

Matrix product(const Matrix& a, const Matrix& b) { return a * b; }

// out[point][i] += sum over nodes of matrix[point][node] * x[node][i], rows of out `stride` apart.
void accumulate(const Mesh& mesh, std::int64_t cell, const Matrix& matrix, double* out, int stride, int step) {
  const auto nodes = mesh.nodes_of(cell);
  const int dim = mesh.dim, count = static_cast<int>(nodes.size());
  for (int p = 0; p < matrix.rows(); ++p) {
    double sum[3] = {0, 0, 0};
    for (int n = 0; n < count; ++n) {
      const double* const x = &mesh.points[nodes[n] * dim];
      for (int i = 0; i < dim; ++i) sum[i] += matrix(p, n) * x[i];
    }
    for (int i = 0; i < dim; ++i) out[p * stride + i * step] = sum[i];
  }
}

}  // namespace

CellMap::CellMap(const Mesh& mesh, Shape shape, const Matrix& points) : mesh_(mesh) {
  const int order = mesh.geometry_order();
  const Matrix to_modes = inverse(modes(shape, order, lattice(shape, order)));
  values_ = product(modes(shape, order, points), to_modes);
  const auto gradients = mode_gradients(shape, order, points);
  for (int d = 0; d < mesh.dim; ++d) gradients_[d] = product(gradients[d], to_modes);
}

void CellMap::coordinates(std::int64_t cell, double* out) const { accumulate(mesh_, cell, values_, out, mesh_.dim, 1); }

void CellMap::jacobians(std::int64_t cell, double* out) const {
  const int dim = mesh_.dim;
  for (int j = 0; j < dim; ++j) accumulate(mesh_, cell, gradients_[j], out + j, dim * dim, dim);
}

bool is_affine(const Mesh& mesh, std::int64_t cell) {
  constexpr double tolerance = 1e-12;  // of the cell's size
  const CellBlock& block = *mesh.spot(cell).block;
  const int g = block.geometry_order;
  if (is_simplex(block.shape) && g == 1) return true;
  const auto nodes = mesh.nodes_of(cell);
  const auto x = [&](int node, int d) { return mesh.points[nodes[node] * mesh.dim + d]; };
  std::array<int, 3> axis_node{};
  for (int a = 0; a < mesh.dim; ++a) axis_node[a] = vertex_node(block.shape, g, axis_vertex(block.shape, a));
  double size = 0;
  for (int a = 0; a < mesh.dim; ++a)
    for (int d = 0; d < mesh.dim; ++d) size = std::max(size, std::abs(x(axis_node[a], d) - x(0, d)));
  // Lattice order: i runs fastest, then j, then k.
  const bool simplex = is_simplex(block.shape), layers_shrink = simplex || block.shape == Shape::pyramid,
             rows_shrink = simplex || block.shape == Shape::prism;
  int node = 0;
  const int layers = mesh.dim == 3 ? g : 0;
  for (int k = 0; k <= layers; ++k)
    for (int j = 0; j <= (layers_shrink ? g - k : g); ++j)
      for (int i = 0; i <= (layers_shrink ? g - k : g) - (rows_shrink ? j : 0); ++i, ++node)
        for (int d = 0; d < mesh.dim; ++d) {
          const int steps[] = {i, j, k};
          double affine = x(0, d);
          for (int a = 0; a < mesh.dim; ++a) affine += (x(axis_node[a], d) - x(0, d)) * steps[a] / g;
          if (!(std::abs(x(node, d) - affine) <= tolerance * size)) return false;
        }
  return true;
}

}  // namespace swell
