// SPDX-License-Identifier: Apache-2.0
#include "element/pyramid.hpp"

#include <cmath>

#include "element/dense.hpp"
#include "element/jacobi.hpp"
#include "element/lattice.hpp"

namespace swell {

namespace {

double uncollapsed(double across, double t) { return -1 + 0.5 * (1 + across) * (1 - t); }

}  // namespace

Matrix collapsed_to_pyramid(const Matrix& cube) {
  Matrix result = cube;
  for (Eigen::Index p = 0; p < cube.rows(); ++p)
    for (int d = 0; d < 2; ++d) result(p, d) = uncollapsed(cube(p, d), cube(p, 2));
  return result;
}

Matrix pyramid_nodes(int order) {
  const Matrix tetrahedron = nodes(Shape::tetrahedron, order);  // its lowest layer comes first
  const Cubature line = gauss_lobatto(order);
  const std::vector<LatticeIndex> indices = lattice_indices(Shape::pyramid, order);
  Matrix result(indices.size(), 3);
  for (std::size_t row = 0; row < indices.size(); ++row) {
    const auto [i, j, k] = indices[row];
    const int across = order - k;  // steps of this layer
    // The node of a triangular face in column i of this layer: (along the base's edge, height).
    const auto on_face = [&, high = k](int column) -> Vector {
      return tetrahedron.row(lattice_number(Shape::triangle, order, {column, high, 0})).head(2);
    };
    if (k == 0)
      result.row(row) << line.points(i, 0), line.points(j, 0), -1;
    else if (across == 0)
      result.row(row) << -1, -1, 1;
    else if (i == 0 || i == across)
      result.row(row) << (i == 0 ? -1 : -on_face(j)(1)), on_face(j)(0), on_face(j)(1);
    else if (j == 0 || j == across)
      result.row(row) << on_face(i)(0), (j == 0 ? -1 : -on_face(i)(1)), on_face(i)(1);
    else {
      const Vector by_i = on_face(i), by_j = on_face(j);
      const double t = 0.5 * (by_i(1) + by_j(1));
      result.row(row) << uncollapsed(2 * (1 + by_i(0)) / (1 - by_i(1)) - 1, t), uncollapsed(2 * (1 + by_j(0)) / (1 - by_j(1)) - 1, t), t;
    }
  }
  return result;
}

Cubature pyramid_cubature(int points_across, int points_high) {
  const Cubature line = gauss_jacobi(0, 0, points_across), high = gauss_jacobi(2, 0, points_high);
  Matrix cube(points_across * points_across * points_high, 3);
  Vector weights(cube.rows());
  Eigen::Index row = 0;
  for (int k = 0; k < points_high; ++k)
    for (int j = 0; j < points_across; ++j)
      for (int i = 0; i < points_across; ++i, ++row) {
        cube.row(row) << line.points(i, 0), line.points(j, 0), high.points(k, 0);
        weights(row) = line.weights(i) * line.weights(j) * high.weights(k) / 4;
      }
  return {collapsed_to_pyramid(cube), weights};
}

PyramidPoints pyramid_points(int order) {
  const int count = mode_count(Shape::pyramid, order);
  const Matrix at_nodes = nodes(Shape::pyramid, order);
  PyramidPoints all{Matrix(count, count), Matrix(count, count), Matrix(count, 3)};
  const Cubature high = gauss_jacobi(0, 0, order + 2);
  int column = 0;
  for (int k = 0; k <= order; ++k) {
    const Cubature line = gauss_jacobi(0, 0, k + 1);
    const Matrix line_modes = modes(Shape::line, k, line.points);
    const auto in_t = [&](double t) { return jacobi(t, 2.0 * k + 3, 0, order - k); };
    double square = 0;  // of the factor of t, with the volume of collapsed coordinates
    for (Eigen::Index q = 0; q < high.weights.size(); ++q) {
      const double t = high.points(q, 0);
      square += high.weights(q) * std::pow(0.5 * (1 - t), 2 * k + 2) * in_t(t) * in_t(t);
    }
    for (int j = 0; j <= k; ++j)
      for (int i = 0; i <= k; ++i, ++column) {
        all.points.row(column) << uncollapsed(line.points(i, 0), 0), uncollapsed(line.points(j, 0), 0), 0;
        const double norm = std::sqrt(line.weights(i) * line.weights(j) * square);
        for (int n = 0; n < count; ++n) {
          const double scale = 0.5 * (1 - at_nodes(n, 2));
          const auto lagrange = [&](double x, int point) {  // scale^k times the polynomial that is 1 at its point
            const auto values = scaled_jacobi<double>(1 + x - scale, scale, 0, 0, k);
            double sum = 0, power = 1;
            for (int m = k; m >= 0; --m, power *= scale) sum += values[m] * power * line_modes(point, m);
            return sum * line.weights(point);
          };
          // Each factor has scale^k: one of the two is taken out again, but at the apex, where only k = 0 is not 0.
          const double both = lagrange(at_nodes(n, 0), i) * lagrange(at_nodes(n, 1), j);
          const double once = k == 0 ? both : scale > 0 ? both / std::pow(scale, k) : 0.0;
          all.to_nodes(n, column) = once * in_t(at_nodes(n, 2)) / norm;
        }
      }
  }
  all.from_nodes = inverse_by_full_pivots(all.to_nodes);
  return all;
}

}  // namespace swell
