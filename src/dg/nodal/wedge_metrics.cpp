// SPDX-License-Identifier: Apache-2.0
#include "dg/nodal/wedge_metrics.hpp"

#include <algorithm>

#include "element/dense.hpp"

namespace swell {

namespace {

constexpr int dim = 3, width = dim * dim + 1;

std::vector<Matrix> points_of_faces(const ReferenceElement& element, const GroupPoints& points) {
  std::vector<Matrix> all;
  for (int face = 0; face < element.face_count; ++face) all.push_back(points.on(element, face));
  return all;
}

}  // namespace

WedgeNormals::WedgeNormals(const Mesh& mesh, const ReferenceElement& element, const std::vector<Matrix>& points) : shape_(element.shape) {
  if (!exact_for_constants(element, mesh.geometry_order()))
    finer_.emplace(Shape::quadrilateral, std::min(element.order + 1, max_order(Shape::hexahedron)));
  for (int face = 0; face < element.face_count; ++face) {
    OfFace of_face{CellMap(mesh, shape_, face_points(shape_, face, points[face])), std::nullopt, {}};
    if (finer_ && face_shape(shape_, face) == Shape::quadrilateral) {
      of_face.nodes.emplace(mesh, shape_, face_points(shape_, face, finer_->nodes));
      of_face.values = finer_->interpolation(points[face]);
    }
    faces_.push_back(std::move(of_face));
  }
}

void WedgeNormals::look(std::int64_t cell, int face) {
  const OfFace& of_face = faces_[face];
  const int count = of_face.map.point_count();
  jacobians_.resize(static_cast<std::size_t>(count) * dim * dim);
  normals_.assign(static_cast<std::size_t>(count) * dim, 0.0);
  of_face.map.jacobians(cell, jacobians_.data());
  double scaled[9];
  for (int p = 0; p < count; ++p) {
    cofactors(dim, &jacobians_[static_cast<std::size_t>(p) * dim * dim], scaled);
    for (int k = 0; k < dim; ++k)
      for (int d = 0; d < dim; ++d) normals_[p * dim + k] += face_direction(shape_, face)[d] * scaled[d * dim + k];
  }
  if (of_face.nodes) take_curl_form(of_face, cell);
}

// n_i = -+ ( d_u (x_l d_v x_m) - d_v (x_l d_u x_m) ) with i, m, l in cyclic order and u, v along the face, turned to where the map's own
// normal shows.
void WedgeNormals::take_curl_form(const OfFace& of_face, std::int64_t cell) {
  const int nodes = finer_->node_count;
  Matrix x(nodes, dim), at_nodes(nodes, dim);
  of_face.nodes->coordinates(cell, x.data());
  x.rowwise() -= x.colwise().mean().eval();  // far from the origin digits would be lost
  const Matrix along_u = finer_->derivative[0] * x, along_v = finer_->derivative[1] * x;
  for (int i = 0; i < dim; ++i) {
    const int m = (i + 1) % dim, l = (i + 2) % dim;
    at_nodes.col(i) = finer_->derivative[1] * x.col(l).cwiseProduct(along_u.col(m)) - finer_->derivative[0] * x.col(l).cwiseProduct(along_v.col(m));
  }
  const Matrix at_points = of_face.values * at_nodes;
  Eigen::Map<Matrix> normals(normals_.data(), at_points.rows(), dim);
  const double side = at_points.cwiseProduct(normals).sum() < 0 ? -1 : 1;
  normals = side * at_points;
}

WedgeMetrics::WedgeMetrics(const Mesh& mesh, const ReferenceElement& element, const GroupPoints& points)
    : element_(element),
      points_(points),
      map_(mesh, element.shape, points.volume),
      on_faces_(mesh, element, points_of_faces(element, points)),
      slopes_(mode_gradients(element.shape, element.order, points.volume)) {
  const Eigen::Index modes_here = element.node_count, on_face = points.face.rows();
  traces_ = modes(element.shape, element.order, stacked_face_points(element, points));
  for (int face = 0; face < element.face_count; ++face)
    for (Eigen::Index p = 0; p < on_face; ++p) traces_.row(face * on_face + p) *= points.weights_on(element, face)(p);
  Matrix stiffness = Matrix::Zero(modes_here, modes_here);
  for (const Matrix& slope : slopes_) stiffness += slope.transpose() * points.weights.asDiagonal() * slope;
  // The first mode is the constant, whose row and column are 0.
  inverse_ = Matrix::Zero(modes_here, modes_here);
  inverse_.bottomRightCorner(modes_here - 1, modes_here - 1) =
      inverse(Matrix(stiffness.bottomRightCorner(modes_here - 1, modes_here - 1)));
  jacobians_.resize(static_cast<std::size_t>(map_.point_count()) * dim * dim);
  volume_.resize(static_cast<std::size_t>(map_.point_count()) * width);
  normals_.resize(static_cast<std::size_t>(element.face_count * on_face) * dim);
}

void WedgeMetrics::look(std::int64_t cell) {
  map_.jacobians(cell, jacobians_.data());
  for (std::size_t p = 0; p < volume_.size() / width; ++p)
    volume_[(p + 1) * width - 1] = 1 / cofactors(dim, &jacobians_[p * dim * dim], &volume_[p * width]);
  const std::size_t on_face = static_cast<std::size_t>(points_.face.rows()) * dim;
  for (int face = 0; face < element_.face_count; ++face) {
    on_faces_.look(cell, face);
    std::copy_n(on_faces_.at(0), on_face, &normals_[face * on_face]);
  }
  close();
}

void WedgeMetrics::close() {
  const Eigen::Index count = points_.volume.rows();
  Eigen::Map<Matrix> volume(volume_.data(), count, width);
  Matrix defect = traces_.transpose() * Eigen::Map<const Matrix>(normals_.data(), traces_.rows(), dim);
  for (int d = 0; d < dim; ++d)
    defect -= slopes_[d].transpose() * points_.weights.asDiagonal() * volume.middleCols(d * dim, dim);
  const Matrix potential = inverse_ * defect;
  for (int d = 0; d < dim; ++d) volume.middleCols(d * dim, dim) += slopes_[d] * potential;
}

}  // namespace swell
