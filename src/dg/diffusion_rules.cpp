// SPDX-License-Identifier: Apache-2.0
#include "dg/diffusion_data.hpp"

#include <algorithm>
#include <stdexcept>

#include "element/symmetric_cubature.hpp"
#include "mesh/geometry.hpp"

namespace swell {

namespace {

Matrix middle_of(Shape shape) {
  const int dim = dimension(shape);
  return Matrix::Constant(1, dim, is_simplex(shape) ? -1 + 2.0 / (dim + 1) : 0.0);
}

bool all_affine(const Mesh& mesh) {
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    if (!is_affine(mesh, cell)) return false;
  return true;
}

bool one_value_each(const DiffusionProblem& problem, const ReferenceElement& element, const Cubature& rule) {
  for (const DiffusionBoundary& b : problem.boundary)
    if (b.kind == DiffusionBoundary::Kind::robin && !b.transfer.is_constant()) return false;
  const Mesh& mesh = *problem.mesh;
  Matrix points(rule.points.rows() + element.node_count, element.dim);
  points << rule.points, moved_inwards(element.nodes, element.shape);
  const CellMap map(mesh, points);
  std::vector<double> x(points.rows() * element.dim);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    if (problem.conductivity[mesh.cells().region[cell]].is_constant()) continue;
    map.coordinates(cell, x.data());
    for (int p = 1; p < points.rows(); ++p)
      if (conductivity_at(problem, cell, x.data() + p * element.dim) != conductivity_at(problem, cell, x.data()))
        return false;
  }
  return true;
}

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

DiffusionRules::DiffusionRules(const DiffusionProblem& problem, int lanes_, Ranks& ranks)
    : element(problem.mesh->shape(), problem.order),
      constant(false),
      lanes(lanes_),
      batches((problem.mesh->cell_count() + lanes_ - 1) / lanes_),
      volume(cubature(element.shape, 2 * problem.order)),
      face(symmetric_cubature(face_shape(element.shape), 2 * problem.order)) {
  constant = ranks.all(all_affine(*problem.mesh) && one_value_each(problem, element, volume));
  if (constant && is_simplex(element.shape)) {
    if (element.order > 1)
      volume.points = ReferenceElement(element.shape, element.order - 1).nodes;
    else
      volume.points = middle_of(element.shape);
    volume.weights = Vector::Ones(volume.points.rows());
  }
  for (int f = 0; f < element.face_count; ++f) at_face.push_back(face_points(element.shape, f, face.points));
  const Shape side = face_shape(element.shape);
  for (int o = 0; o < orientation_count(side); ++o) turned.push_back(turned_points(side, face.points, o));
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
