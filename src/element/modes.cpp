// SPDX-License-Identifier: Apache-2.0
// Orthonormal modes of element/basis.hpp, in lattice order of their degrees (i,j,k).
#include "element/basis.hpp"
#include "element/mode_values.hpp"

namespace swell {

int mode_count(Shape shape, int order) { return lattice_count(shape, order); }

Matrix modes(Shape shape, int order, const Matrix& points) {
  Matrix result(points.rows(), mode_count(shape, order));
  for (Eigen::Index row = 0; row < points.rows(); ++row) {
    std::array<double, 3> at{};
    for (int d = 0; d < dimension(shape); ++d) at[d] = points(row, d);
    all_modes(shape, order, at, [&](int mode, double value) { result(row, mode) = value; });
  }
  return result;
}

std::array<Matrix, 3> mode_gradients(Shape shape, int order, const Matrix& points) {
  const int dim = dimension(shape);
  std::array<Matrix, 3> result;
  for (int d = 0; d < dim; ++d) result[d].resize(points.rows(), mode_count(shape, order));
  for (Eigen::Index row = 0; row < points.rows(); ++row) {
    std::array<Jet, 3> at{};
    for (int d = 0; d < dim; ++d) at[d] = Jet(points(row, d), d);
    all_modes(shape, order, at, [&](int mode, const Jet& jet) {
      for (int d = 0; d < dim; ++d) result[d](row, mode) = jet.gradient[d];
    });
  }
  return result;
}

}  // namespace swell
