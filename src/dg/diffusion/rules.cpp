// SPDX-License-Identifier: Apache-2.0
#include "dg/diffusion/rules.hpp"

#include <stdexcept>

#include "element/symmetric_cubature.hpp"

namespace swell {

namespace {

constexpr double inwards = 1e-10;  // part of the way to the middle

// The part of the points of a face rule that the vertices' map makes of it.
std::vector<int> turned_points(Shape shape, const Matrix& points, int number) {
  const auto map = orientation(shape, number);
  const Matrix corners = lattice(shape, 1);
  const int dim = static_cast<int>(points.cols());
  std::vector<int> out;
  for (int p = 0; p < points.rows(); ++p) {
    Matrix at = corners.row(map[0]);
    for (int d = 0; d < dim; ++d) at += (points(p, d) + 1) / 2 * (corners.row(map[d + 1]) - corners.row(map[0]));
    Eigen::Index found = 0;
    if ((points - at.replicate(points.rows(), 1)).rowwise().norm().minCoeff(&found) > 1e-8)
      throw std::logic_error("The points of a face rule do not go over into themselves.");
    out.push_back(static_cast<int>(found));
  }
  return out;
}

}  // namespace

Matrix middle_of(Shape shape) {
  const int dim = dimension(shape);
  return Matrix::Constant(1, dim, is_simplex(shape) ? -1 + 2.0 / (dim + 1) : 0.0);
}

Matrix moved_inwards(const Matrix& points, Shape shape) {
  return (1 - inwards) * points + inwards * middle_of(shape).replicate(points.rows(), 1);
}

DiffusionRules::DiffusionRules(const DiffusionProblem& problem, int lanes_)
    : element(problem.mesh->shape(), problem.order),
      lanes(lanes_),
      batches((problem.mesh->cell_count() + lanes_ - 1) / lanes_),
      volume(cubature(element.shape, 2 * problem.order)),
      face(symmetric_cubature(face_shape(element.shape), 2 * problem.order)) {
  for (int f = 0; f < element.face_count; ++f) at_face.push_back(swell::face_points(element.shape, f, face.points));
  const Shape side = face_shape(element.shape);
  for (int o = 0; o < orientation_count(side); ++o) turned.push_back(turned_points(side, face.points, o));
}

DiffusionRules DiffusionRules::constant_rules() const {
  DiffusionRules rules = *this;
  rules.constant = true;
  if (!is_simplex(element.shape)) return rules;
  rules.volume.points = element.order > 1 ? ReferenceElement(element.shape, element.order - 1).nodes : middle_of(element.shape);
  rules.volume.weights = Vector::Ones(rules.volume.points.rows());
  return rules;
}

std::vector<double> diffusion_matrices(const DiffusionRules& rules) {
  const ReferenceElement& element = rules.element;
  const int nodes = element.node_count, dim = element.dim;
  std::vector<double> out;
  if (is_simplex(element.shape)) {
    const auto slopes = element.interpolation_gradients(rules.volume.points);
    const int points = static_cast<int>(rules.volume.points.rows());
    std::array<Matrix, 3> back;
    for (int d = 0; d < dim; ++d) back[d] = slopes[d].transpose();
    if (rules.constant) {
      // Integrals of a test function's derivative times the Lagrange functions of one degree less.
      const Cubature rule = cubature(element.shape, 2 * element.order);
      const Matrix lower = element.order > 1
                               ? ReferenceElement(element.shape, element.order - 1).interpolation(rule.points)
                               : Matrix::Ones(rule.points.rows(), 1);
      const auto at_rule = element.interpolation_gradients(rule.points);
      for (int d = 0; d < dim; ++d) back[d] = at_rule[d].transpose() * rule.weights.asDiagonal() * lower;
    }
    for (int p = 0; p < points; ++p)
      for (int n = 0; n < nodes; ++n)
        for (int d = 0; d < dim; ++d) out.push_back(slopes[d](p, n));
    for (int n = 0; n < nodes; ++n)
      for (int p = 0; p < points; ++p)
        for (int d = 0; d < dim; ++d) out.push_back(back[d](n, p));
  }
  for (const Matrix& points : rules.at_face) {
    const Matrix values = element.interpolation(points);
    const auto slopes = element.interpolation_gradients(points);
    for (int p = 0; p < points.rows(); ++p)
      for (int n = 0; n < nodes; ++n) {
        out.push_back(values(p, n));
        for (int d = 0; d < dim; ++d) out.push_back(slopes[d](p, n));
      }
  }
  return out;
}

}  // namespace swell
