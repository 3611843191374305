// SPDX-License-Identifier: Apache-2.0
#include "dg/diffusion/penalty.hpp"

#include <algorithm>
#include <cmath>

#include "element/dense.hpp"

namespace swell {

namespace {

constexpr int most_modes = 125;

// Each point of the volume counts at one point of the face at most.
bool disjoint(const Matrix& rows) {
  constexpr double nothing = 1e-12;
  return ((rows.array().abs() > nothing).cast<int>().colwise().sum() <= 1).all();
}

}  // namespace

DiffusionPenalty::DiffusionPenalty(const DiffusionRules& rules, const DiffusionGeometry& geometry, double penalty)
    : rules_(rules), geometry_(geometry), scale_(rules.element.face_count * penalty) {
  const Shape shape = rules.element.shape;
  const int order = rules.element.order - (is_simplex(shape) ? 1 : 0);
  polynomials_ = mode_count(shape, order) <= most_modes;
  if (!polynomials_) return;
  inside_ = modes(shape, order, rules.volume.points);
  for (const Matrix& at : rules.at_face) at_face_.push_back(modes(shape, order, at));
  if (inside_.rows() != inside_.cols()) return;
  const Matrix to_modes = inverse(inside_);
  for (const Matrix& values : at_face_) {
    const Matrix rows = values * to_modes;
    if (disjoint(rows)) along_lines_.push_back(rows.cwiseAbs2());
  }
}

// A polynomial is known by its values at as many points, u, and those on the face are P u: the largest eigenvalue of P W^-1 P^T
// with the weights W in the cell, times those on the face. The points of tensor products lie on lines across the face, so that
// the matrix is diagonal. Otherwise it comes by way of the polynomials' own coefficients.
void DiffusionPenalty::sharpen(std::int64_t cell, const double* k, double* steepness) const {
  if (!polynomials_) return;
  const int lanes = rules_.lanes, inside = rules_.volume_sets(), points = rules_.face_points();
  const int dim = rules_.element.dim, faces = rules_.element.face_count;
  const std::int64_t batch = cell / lanes, sets = geometry_.straight[batch] ? 1 : points;
  const double* const measure = geometry_.side.data() + geometry_.side_at[batch] + dim * lanes + cell % lanes;
  const bool lines = static_cast<int>(along_lines_.size()) == faces;
  Vector weight(inside), on_face(points);
  for (int p = 0; p < inside; ++p) weight(p) = geometry_.volume[cell] * rules_.volume.weights(p) * k[p * lanes];
  Eigen::LLT<Eigen::MatrixXd> factor;
  if (lines)
    weight = weight.cwiseInverse().eval();
  else
    factor.compute(inside_.transpose() * weight.asDiagonal() * inside_);
  for (int f = 0; f < faces; ++f) {
    for (int p = 0; p < points; ++p)
      on_face(p) = measure[(f * sets + (sets == 1 ? 0 : p)) * (dim + 1) * lanes] * rules_.face.weights(p) *
                   k[(inside + f * points + p) * lanes];
    double largest = 0;
    if (lines) {
      largest = (along_lines_[f] * weight).cwiseProduct(on_face).maxCoeff();
    } else {
      Eigen::MatrixXd half = at_face_[f].transpose() * on_face.cwiseSqrt().asDiagonal();
      factor.matrixL().solveInPlace(half);
      // Both products have the same eigenvalues but for zeros.
      if (half.rows() > half.cols()) half.transposeInPlace();
      largest = symmetric_eigenvalues(half * half.transpose()).maxCoeff();
    }
    steepness[f * lanes] = std::min(steepness[f * lanes], scale_ * largest);
  }
}

}  // namespace swell
