// SPDX-License-Identifier: Apache-2.0
#include "sim/samples/point_gradients.hpp"

#include "dg/group_data.hpp"

namespace swell {

PointGradients::PointGradients(const Mesh& mesh, const ReferenceElement& element, const Matrix& points)
    : slopes_(element.interpolation_gradients(points)), map_(mesh, element.shape, points), dim_(element.dim) {}

Matrix PointGradients::weights(std::int64_t cell) const {
  const Eigen::Index points = slopes_[0].rows(), nodes = slopes_[0].cols();
  std::vector<double> jacobians(static_cast<std::size_t>(points * dim_ * dim_));
  map_.jacobians(cell, jacobians.data());
  Matrix all = Matrix::Zero(dim_ * points, nodes);
  double scaled[9];
  for (Eigen::Index p = 0; p < points; ++p) {
    const double j = cofactors(dim_, jacobians.data() + p * dim_ * dim_, scaled);
    for (int a = 0; a < dim_; ++a)
      for (int d = 0; d < dim_; ++d) all.row(a * points + p) += scaled[d * dim_ + a] / j * slopes_[static_cast<std::size_t>(d)].row(p);
  }
  return all;
}

Matrix PointGradients::of(std::int64_t cell, const double* values, int fields) const {
  const Eigen::Index points = slopes_[0].rows(), nodes = slopes_[0].cols();
  const Matrix slopes = weights(cell) * Eigen::Map<const Matrix>(values, nodes, fields);
  Matrix all(points, fields * dim_);
  for (int a = 0; a < dim_; ++a)
    for (int f = 0; f < fields; ++f) all.col(f * dim_ + a) = slopes.col(f).segment(a * points, points);
  return all;
}

}  // namespace swell
