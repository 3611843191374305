// SPDX-License-Identifier: Apache-2.0
// Where ghost states lie: coordinates and normals of the places of a face of the boundary.
#pragma once

#include <optional>
#include <vector>

#include "dg/nodal/wedge_metrics.hpp"

namespace swell {

// The places of a face where ghost states are made: its nodes, or given points. Mirrors must turn by the normals that the
// operator itself uses.
class FacePlaces {
 public:
  FacePlaces(const Mesh& mesh, const ReferenceElement& element, const Matrix& points)
      : element_(element), at_points_(points.rows() > 0), width_(element.dim * element.dim + 1) {
    for (int face = 0; face < (at_points_ ? element.face_count : 1); ++face)
      maps_.emplace_back(mesh, element.shape, at_points_ ? face_points(element.shape, face, points) : element.nodes);
    const int rows = maps_.front().point_count();
    x_.resize(rows * element.dim);
    jacobians_.resize(rows * element.dim * element.dim);
    metrics_.resize(rows * width_);
    if (at_points_ && is_tensor(element.shape)) tensor_.emplace(mesh, element);
    if (at_points_ && !is_simplex(element.shape) && !tensor_ && mesh.geometry_order() > 1)
      wedge_.emplace(mesh, element, std::vector<Matrix>(element.face_count, points));
  }

  void look(std::int64_t cell, int face) {
    face_ = face;
    const int dim = element_.dim;
    const CellMap& map = maps_[at_points_ ? face : 0];
    map.coordinates(cell, x_.data());
    if (tensor_) return tensor_->look(cell);
    if (wedge_) return wedge_->look(cell, face);
    map.jacobians(cell, jacobians_.data());
    for (int i = 0; i < map.point_count(); ++i)
      cofactors(dim, jacobians_.data() + i * dim * dim, metrics_.data() + i * width_);
  }
  const double* x(int i) const { return x_.data() + row(i) * element_.dim; }
  void normal(int i, double* n) const {
    if (!tensor_ && !wedge_) return outward_normal(element_.shape, face_, metrics_.data() + row(i) * width_, n);
    Eigen::Map<Vector>(n, element_.dim) = outward(i).normalized();
  }
  // Factors of the face's map for areas of its reference shape.
  double stretch(int i) const {
    if (tensor_ || wedge_) return outward(i).norm();
    const Eigen::Map<const Matrix> scaled(metrics_.data() + row(i) * width_, element_.dim, element_.dim);
    Vector sum = Vector::Zero(element_.dim);
    for (int d = 0; d < element_.dim; ++d) sum += face_direction(element_.shape, face_)[d] * scaled.row(d).transpose();
    return sum.norm();
  }

 private:
  Eigen::Map<const Vector> outward(int i) const {
    if (wedge_) return {wedge_->at(i), element_.dim};
    return {tensor_->normals() + (face_ * element_.face_node_count + i) * element_.dim, element_.dim};
  }
  int row(int i) const { return at_points_ ? i : element_.face_node(face_, i); }

  const ReferenceElement& element_;
  bool at_points_;
  int width_, face_ = 0;
  std::vector<CellMap> maps_;  // one for all nodes, or one for the points of each face
  std::vector<double> x_, jacobians_, metrics_;
  std::optional<TensorMetrics> tensor_;  // tensor elements at points
  std::optional<WedgeNormals> wedge_;    // bent prisms and pyramids at points
};

}  // namespace swell
