// SPDX-License-Identifier: Apache-2.0
#include "dg/nodal/diffusion_stiffness.hpp"

#include <algorithm>
#include <cmath>

#include "dg/group_data.hpp"

namespace swell {

namespace {

// How much more of the line's largest eigenvalue than of the triangle's time/diffusion_table.inc has at any order.
constexpr double line_of_triangle = 0.38;

// The Laplacian on a prism is that on its triangle plus that on its line, and twice their product where the line is not upright: from
// grad r, grad s and grad t.
double prism_stiffness(const double* g) {
  const Eigen::Map<const Eigen::Vector3d> r(g), s(g + 3), t(g + 6);
  const double triangle = ((r + s).squaredNorm() + r.squaredNorm() + s.squaredNorm()) / 4, line = line_of_triangle * t.squaredNorm();
  const Eigen::Vector3d upright = r.cross(s).normalized();
  const double lean = std::sqrt(std::max(0.0, 1 - std::pow(upright.dot(t), 2) / t.squaredNorm()));
  return triangle + line + 2 * lean * std::sqrt(triangle * line);
}

}  // namespace

double diffusion_stiffness(Shape shape, const std::vector<double>& jacobians) {
  const int dim = dimension(shape);
  double worst = 0, scaled[9];
  for (std::size_t first = 0; first < jacobians.size(); first += static_cast<std::size_t>(dim * dim)) {
    const double j = cofactors(dim, jacobians.data() + first, scaled);
    // The square of the sum of all grad r_d with the signs in the bits of a number.
    const auto square_of = [&](int signs) {
      double square = 0;
      for (int a = 0; a < dim; ++a) {
        double sum = 0;
        for (int d = 0; d < dim; ++d) sum += ((signs >> d & 1) != 0 ? -1 : 1) * scaled[d * dim + a] / j;
        square += sum * sum;
      }
      return square;
    };
    double here = 0;
    if (shape == Shape::prism) {
      double gradients[9];
      for (int i = 0; i < 9; ++i) gradients[i] = scaled[i] / j;
      here = prism_stiffness(gradients);
    } else if (is_simplex(shape)) {
      // grad r_d is twice the gradient of a barycentric coordinate, which falls by 1 over the height.
      here = square_of(0);
      for (int i = 0; i < dim * dim; ++i) here += scaled[i] * scaled[i] / (j * j);
      here /= 4;
    } else {
      for (int signs = 0; signs < 1 << (dim - 1); ++signs) here = std::max(here, square_of(signs));
    }
    worst = std::max(worst, here);
  }
  return worst;
}

}  // namespace swell
