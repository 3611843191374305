// SPDX-License-Identifier: Apache-2.0
// Lattices and nodes of element/basis.hpp.
#include <algorithm>
#include <stdexcept>
#include <vector>

#include "element/basis.hpp"
#include "element/lattice.hpp"
#include "element/prism.hpp"
#include "element/pyramid.hpp"

namespace swell {

namespace {

// Optimised blending parameters for orders 1..15: Hesthaven and Warburton (2008), tables of sections 6.1 and 10.1.
constexpr std::array<double, 15> alpha_triangle = {0.0000, 0.0000, 1.4152, 0.1001, 0.2751, 0.9800, 1.0999, 1.2832,
                                                   1.3648, 1.4773, 1.4959, 1.5743, 1.5770, 1.6223, 1.6258};
constexpr std::array<double, 15> alpha_tetrahedron = {0.0000, 0.0000,  0.0000, 0.1002, 1.1332, 1.5608, 1.3413, 1.2577,
                                                      1.1603, 1.10153, 0.6080, 0.4523, 0.8856, 0.8717, 0.9655};

using Barycentric = std::array<double, 4>;

// The displacement from equispaced to Gauss-Lobatto points, interpolated along an edge at x in [-1,1] and divided by
// (1 - x^2): both ends stay, so the quotient is a polynomial, written here without the factors of the end points.
class EdgeWarp {
 public:
  explicit EdgeWarp(int order) : equispaced_(order + 1), displacement_(order + 1) {
    const Cubature lobatto = gauss_lobatto(order);
    for (int i = 0; i <= order; ++i) {
      equispaced_[i] = -1.0 + 2.0 * i / order;
      displacement_[i] = lobatto.points(i, 0) - equispaced_[i];
    }
  }

  double operator()(double x) const {
    const int last = static_cast<int>(equispaced_.size()) - 1;
    double sum = 0.0;
    for (int i = 1; i < last; ++i) {
      double term = displacement_[i] / (1.0 - equispaced_[i] * equispaced_[i]);
      for (int j = 1; j < last; ++j)
        if (j != i) term *= (x - equispaced_[j]) / (equispaced_[i] - equispaced_[j]);
      sum += term;
    }
    return sum;
  }

 private:
  std::vector<double> equispaced_, displacement_;
};

// Warp within the triangle of the corners a, b, c (Warburton 2006): each edge's warp, blended into the triangle by
// 4 l_a l_b and sharpened by alpha, moves the point parallel to that edge; `share` scales the whole.
void add_triangle_warp(const EdgeWarp& warp, double alpha, const Barycentric& l, std::array<int, 3> corner,
                       double share, Barycentric& shift) {
  for (int e = 0; e < 3; ++e) {
    const int a = corner[(e + 1) % 3], b = corner[(e + 2) % 3], opposite = corner[e];
    const double sharpen = 1.0 + alpha * l[opposite] * alpha * l[opposite];
    const double along = share * 4.0 * l[a] * l[b] * warp(l[b] - l[a]) * sharpen;
    shift[b] += 0.5 * along;  // an edge is two units long where its barycentric coordinate runs over one
    shift[a] -= 0.5 * along;
  }
}

Barycentric warped(Shape shape, int order, const EdgeWarp& warp, const Barycentric& l, int zeros) {
  Barycentric shift{};
  if (shape == Shape::triangle) {
    add_triangle_warp(warp, alpha_triangle[order - 1], l, {0, 1, 2}, 1.0, shift);
  } else {
    const double alpha = alpha_tetrahedron[order - 1];
    for (int f = 0; f < 4; ++f) {
      const std::array<int, 3> corner = {(f + 1) % 4, (f + 2) % 4, (f + 3) % 4};
      double blend = 1.0;
      if (zeros < 2) {  // inside a face or the volume: the face's warp fades towards the other faces
        for (const int c : corner) blend *= l[c] / (l[c] + 0.5 * l[f]);
        blend *= 1.0 + alpha * l[f] * alpha * l[f];
      } else if (l[f] != 0.0) {  // an edge takes the warp of one of its two faces, which is the same in both
        continue;
      }
      add_triangle_warp(warp, alpha, l, corner, blend, shift);
      if (zeros >= 2) break;
    }
  }
  Barycentric result = l;
  for (int v = 0; v < 4; ++v) result[v] += shift[v];
  return result;
}

// Each node is computed for the sorted barycentric index and permuted back, so that the nodes have every symmetry of
// the shape to the last bit of their barycentric coordinates.
Matrix simplex_nodes(Shape shape, int order) {
  const int dim = dimension(shape);
  const EdgeWarp warp(order);
  const std::vector<LatticeIndex> indices = lattice_indices(shape, order);
  Matrix result(indices.size(), dim);
  for (std::size_t row = 0; row < indices.size(); ++row) {
    std::array<int, 4> weight = {0, indices[row][0], indices[row][1], indices[row][2]};
    weight[0] = order - weight[1] - weight[2] - weight[3];
    std::array<int, 4> sorted = {0, 1, 2, 3};
    std::stable_sort(sorted.begin(), sorted.begin() + dim + 1, [&](int a, int b) { return weight[a] > weight[b]; });
    Barycentric l{}, place{};
    for (int v = 0; v <= dim; ++v) l[v] = static_cast<double>(weight[sorted[v]]) / order;
    const int zeros = static_cast<int>(std::count(weight.begin(), weight.begin() + dim + 1, 0));
    const Barycentric moved = warped(shape, order, warp, l, zeros);
    for (int v = 0; v <= dim; ++v) {
      // Equal weights are a symmetry of the node itself, which the warp keeps to rounding and the mean exactly.
      double sum = 0.0, equal = 0.0;
      for (int u = 0; u <= dim; ++u)
        if (l[u] == l[v]) sum += moved[u], equal += 1.0;
      place[sorted[v]] = l[v] == 0.0 ? 0.0 : sum / equal;
    }
    for (int d = 0; d < dim; ++d) result(row, d) = 2.0 * place[d + 1] - 1.0;
  }
  return result;
}

void check_order(int order) {
  if (order < 1 || order > static_cast<int>(alpha_triangle.size()))
    throw std::logic_error("Lattices and nodes exist for the orders 1 to 15.");
}

}  // namespace

Matrix lattice(Shape shape, int order) {
  check_order(order);
  const std::vector<LatticeIndex> indices = lattice_indices(shape, order);
  Matrix result(indices.size(), dimension(shape));
  for (std::size_t row = 0; row < indices.size(); ++row)
    for (int d = 0; d < dimension(shape); ++d) result(row, d) = (2.0 * indices[row][d] - order) / order;
  return result;
}

Matrix nodes(Shape shape, int order) {
  check_order(order);
  if (shape == Shape::triangle || shape == Shape::tetrahedron) return simplex_nodes(shape, order);
  if (shape == Shape::prism) return prism_nodes(order);
  if (shape == Shape::pyramid) return pyramid_nodes(order);
  const Cubature line = gauss_lobatto(order);
  const std::vector<LatticeIndex> indices = lattice_indices(shape, order);
  Matrix result(indices.size(), dimension(shape));
  for (std::size_t row = 0; row < indices.size(); ++row)
    for (int d = 0; d < dimension(shape); ++d) result(row, d) = line.points(indices[row][d], 0);
  return result;
}

Matrix face_points(Shape shape, int face, const Matrix& points_on_face) {
  const std::span<const int> vertices = face_vertices(shape, face);
  const int dim = dimension(shape);
  Matrix result(points_on_face.rows(), dim);
  const LatticeIndex origin = lattice_vertex(shape, vertices[0]);
  for (int d = 0; d < dim; ++d) {
    result.col(d).setConstant(2.0 * origin[d] - 1.0);
    for (int axis = 0; axis < dim - 1; ++axis) {
      const int step = lattice_vertex(shape, vertices[axis + 1])[d] - origin[d];
      if (step != 0) result.col(d).array() += step * (points_on_face.col(axis).array() + 1.0);
    }
  }
  return result;
}

}  // namespace swell
