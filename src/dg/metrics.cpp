// SPDX-License-Identifier: Apache-2.0
#include "dg/group_data.hpp"

#include <cmath>

namespace swell {

double cofactors(int dim, const double* x, double* out) {
  if (dim == 2) {
    out[0] = x[3], out[1] = -x[1];
    out[2] = -x[2], out[3] = x[0];
    return x[0] * x[3] - x[1] * x[2];
  }
  // J grad r_d is the cross product of the two other columns.
  for (int d = 0; d < 3; ++d) {
    const int e = (d + 1) % 3, f = (d + 2) % 3;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      out[d * 3 + i] = x[j * 3 + e] * x[k * 3 + f] - x[k * 3 + e] * x[j * 3 + f];
    }
  }
  return x[0] * out[0] + x[3] * out[1] + x[6] * out[2];
}

void outward_normal(Shape shape, int face, const double* scaled, double* n) {
  const int dim = dimension(shape);
  double length = 0;
  for (int k = 0; k < dim; ++k) {
    double sum = 0;
    for (int d = 0; d < dim; ++d) sum += scaled[d * dim + k];
    if (is_simplex(shape))
      n[k] = face == 0 ? sum : -scaled[(face - 1) * dim + k];
    else
      n[k] = (face % 2 == 0 ? -1 : 1) * scaled[face / 2 * dim + k];
    length += n[k] * n[k];
  }
  for (int k = 0; k < dim; ++k) n[k] /= std::sqrt(length);
}

void tensor_metrics(const ReferenceElement& element, const double* coordinates, double* out) {
  const int dim = element.dim, nodes = element.node_count, width = dim * dim + 1;
  const Eigen::Map<const Matrix> x(coordinates, nodes, dim);
  std::array<Matrix, 3> slope;  // dx/dr_d at the nodes: nodes x dim
  for (int d = 0; d < dim; ++d) slope[d] = element.derivative[d] * x;
  std::vector<double> jacobian(dim * dim);
  for (int n = 0; n < nodes; ++n) {
    for (int i = 0; i < dim; ++i)
      for (int d = 0; d < dim; ++d) jacobian[i * dim + d] = slope[d](n, i);
    out[n * width + dim * dim] = 1 / cofactors(dim, jacobian.data(), out + n * width);
  }
  if (dim == 2) return;
  // J grad r_d . e_i = -curl_r( x_l grad_r x_m )_d with i, m, l in cyclic order.
  for (int i = 0; i < 3; ++i) {
    const int m = (i + 1) % 3, l = (i + 2) % 3;
    std::array<Vector, 3> field;
    for (int d = 0; d < 3; ++d) field[d] = x.col(l).cwiseProduct(slope[d].col(m));
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      const Vector curl = element.derivative[e] * field[f] - element.derivative[f] * field[e];
      for (int n = 0; n < nodes; ++n) out[n * width + d * 3 + i] = -curl(n);
    }
  }
}

}  // namespace swell
