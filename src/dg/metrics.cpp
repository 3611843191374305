// SPDX-License-Identifier: Apache-2.0
#include "dg/group_data.hpp"

#include <algorithm>
#include <cmath>

#include "element/line_rule.hpp"

namespace swell {

double cofactors(int dim, const double* x, double* out) {
  if (dim == 1) {
    out[0] = 1;
    return x[0];
  }
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
    n[k] = 0;
    for (int d = 0; d < dim; ++d) n[k] += face_direction(shape, face)[d] * scaled[d * dim + k];
    length += n[k] * n[k];
  }
  for (int k = 0; k < dim; ++k) n[k] /= std::sqrt(length);
}

TensorMap tensor_map(const Group& group, const ReferenceElement& element, int geometry_order) {
  if (!group.curved) return TensorMap::affine;
  // J grad r_d of a trilinear map has degree 2 along r_d: derivatives by the nodes of an element of order 1 miss part of it.
  if (group.pairs && element.dim == 3 && element.order == 1) return TensorMap::at_points;
  return geometry_order == 1 ? TensorMap::multilinear : TensorMap::at_points;
}

int tensor_geometry_words(const ReferenceElement& element, TensorMap map) {
  const int dim = element.dim;
  if (map == TensorMap::affine) return dim * dim;
  return map == TensorMap::multilinear ? ((1 << dim) - 1) * dim : element.node_count * (dim * dim + 1);
}

// Degree 2 N - 1 of unknown times derivative, and (dim - 1) g of J grad r_d along r_d, against 2 N + 1 of N + 1 Gauss
// points; across r_d both are one less and one more.
bool exact_products(int dim, int geometry_order) { return (dim - 1) * geometry_order <= 2; }

// Degree N - 1 of a derivative, (dim - 1) g of J grad r_d.
bool exact_for_constants(const ReferenceElement& element, int geometry_order) {
  return (element.dim - 1) * geometry_order <= element.order + 2;
}

namespace {

// Where the map's own terms are of a too high degree. Interpolated with order N + 1, J grad r_d has at most this degree
// in each direction and meets a derivative or a value of degree N: 2 N + 1.
std::optional<ReferenceElement> finer_element(const ReferenceElement& element, int geometry_order) {
  if (exact_for_constants(element, geometry_order)) return std::nullopt;
  return ReferenceElement(element.shape, std::min(element.order + 1, max_order(element.shape)));
}

// J grad r_d of an interpolated map at its nodes, from the nodes' places and their derivatives dx/dr_d: [node][d, axis].
void curl_form(const ReferenceElement& element, const Matrix& x, const std::array<Matrix, 3>& slope, Matrix& out) {
  if (element.dim == 1) {
    out.setOnes();
    return;
  }
  if (element.dim == 2) {
    out.col(0) = slope[1].col(1), out.col(1) = -slope[1].col(0);
    out.col(2) = -slope[0].col(1), out.col(3) = slope[0].col(0);
    return;
  }
  // J grad r_d . e_i = -curl_r( x_l grad_r x_m )_d with i, m, l in cyclic order.
  for (int i = 0; i < 3; ++i) {
    const int m = (i + 1) % 3, l = (i + 2) % 3;
    std::array<Vector, 3> field;
    for (int d = 0; d < 3; ++d) field[d] = x.col(l).cwiseProduct(slope[d].col(m));
    for (int d = 0; d < 3; ++d) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      out.col(d * 3 + i) = element.derivative[f] * field[e] - element.derivative[e] * field[f];
    }
  }
}

}  // namespace

TensorMetrics::TensorMetrics(const Mesh& mesh, const ReferenceElement& element)
    : element_(element),
      finer_(finer_element(element, mesh.geometry_order())),
      volume_map_(mesh, element.shape, gauss_product(element.shape, element.order).points),
      face_map_(mesh, element.shape, stacked_face_points(element, gauss_product(face_shape(element.shape), element.order).points)),
      node_map_(mesh, element.shape, finer_ ? finer_->nodes : element.nodes) {
  const int dim = element.dim, points = volume_map_.point_count(), on_faces = face_map_.point_count();
  volume_.resize(points * (dim * dim + 1));
  normals_.resize(on_faces * dim);
  jacobians_.resize(std::max(points, on_faces) * dim * dim);
  if (!finer_) return;
  const Matrix volume = gauss_product(element.shape, element.order).points;
  values_ = finer_->interpolation(volume);
  slopes_ = finer_->interpolation_gradients(volume);
  face_values_ = finer_->interpolation(
      stacked_face_points(element, gauss_product(face_shape(element.shape), element.order).points));
}

void TensorMetrics::look(std::int64_t cell) {
  if (finer_) return look_through_nodes(cell);
  const int dim = element_.dim, width = dim * dim + 1, face = element_.face_node_count;
  volume_map_.jacobians(cell, jacobians_.data());
  for (int p = 0; p < volume_map_.point_count(); ++p)
    volume_[p * width + dim * dim] = 1 / cofactors(dim, jacobians_.data() + p * dim * dim, volume_.data() + p * width);
  face_map_.jacobians(cell, jacobians_.data());
  double scaled[9];
  for (int p = 0; p < face_map_.point_count(); ++p) {
    cofactors(dim, jacobians_.data() + p * dim * dim, scaled);
    for (int k = 0; k < dim; ++k)
      normals_[p * dim + k] = (p / face % 2 == 0 ? -1 : 1) * scaled[p / face / 2 * dim + k];
  }
}

void TensorMetrics::look_through_nodes(std::int64_t cell) {
  const int dim = element_.dim, nodes = finer_->node_count, width = dim * dim + 1, face = element_.face_node_count;
  Matrix x(nodes, dim), at_nodes(nodes, dim * dim);
  node_map_.coordinates(cell, x.data());
  std::array<Matrix, 3> slope, at_points;  // dx/dr_d: [node or point][axis]
  for (int d = 0; d < dim; ++d) slope[d] = finer_->derivative[d] * x, at_points[d] = slopes_[d] * x;
  curl_form(*finer_, x, slope, at_nodes);
  const Matrix inside = values_ * at_nodes, on_faces = face_values_ * at_nodes;
  double jacobian[9], scaled[9];
  for (Eigen::Index p = 0; p < inside.rows(); ++p) {
    for (int i = 0; i < dim; ++i)
      for (int d = 0; d < dim; ++d) jacobian[i * dim + d] = at_points[d](p, i);
    for (int k = 0; k < dim * dim; ++k) volume_[p * width + k] = inside(p, k);
    volume_[p * width + dim * dim] = 1 / cofactors(dim, jacobian, scaled);
  }
  for (Eigen::Index p = 0; p < on_faces.rows(); ++p)
    for (int k = 0; k < dim; ++k) normals_[p * dim + k] = (p / face % 2 == 0 ? -1 : 1) * on_faces(p, p / face / 2 * dim + k);
}

NodalMetrics::NodalMetrics(const Mesh& mesh, const ReferenceElement& element)
    : element_(element), map_(mesh, element.shape, element.nodes), values_(element.node_count, element.dim * element.dim + 1) {}

void NodalMetrics::look(std::int64_t cell) {
  const int dim = element_.dim, nodes = element_.node_count;
  Matrix x(nodes, dim), metrics(nodes, dim * dim);
  map_.coordinates(cell, x.data());
  x.rowwise() -= x.colwise().mean().eval();  // far from the origin the curl form would lose digits
  std::array<Matrix, 3> slope;
  for (int d = 0; d < dim; ++d) slope[d] = element_.derivative[d] * x;
  curl_form(element_, x, slope, metrics);
  double jacobian[9], scaled[9];
  for (int n = 0; n < nodes; ++n) {
    for (int i = 0; i < dim; ++i)
      for (int d = 0; d < dim; ++d) jacobian[i * dim + d] = slope[d](n, i);
    values_.row(n).head(dim * dim) = metrics.row(n);
    values_(n, dim * dim) = 1 / cofactors(dim, jacobian, scaled);
  }
}

}  // namespace swell
