// SPDX-License-Identifier: Apache-2.0
// The matrices of continuous elements, assembled on the host by quadrature: the reference for the kernels.
#pragma once

#include <Eigen/Sparse>

#include "cg/operator.hpp"
#include "mesh/geometry.hpp"

namespace swell {

using SparseMatrix = Eigen::SparseMatrix<double>;

// a M + b K, a and b above 0, over all unknowns of the numbering, without heat transfer; material is sampled at the points of
// the rule or in the middle of each cell.
inline SparseMatrix assembled(const DiffusionProblem& problem, const Numbering& numbering, double a, double b,
                              const Cubature& rule, bool material_in_middle) {
  const Mesh& mesh = *problem.mesh;
  const ReferenceElement element(mesh.shape(), problem.order);
  const int nodes = element.node_count, dim = mesh.dim;
  const Matrix values = element.interpolation(rule.points);
  const auto slopes = element.interpolation_gradients(rule.points);
  const CellMap map(mesh, rule.points);
  const Matrix centre = Matrix::Constant(1, dim, is_simplex(mesh.shape()) ? -1 + 2.0 / (dim + 1) : 0.0);
  const CellMap middle(mesh, centre);
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> x(rule.points.rows() * dim), jacobians(rule.points.rows() * dim * dim), m(dim);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    map.coordinates(cell, x.data());
    map.jacobians(cell, jacobians.data());
    middle.coordinates(cell, m.data());
    // Rows of points: test functions, and their gradients, with the square root of what they are integrated with.
    Matrix mass(rule.points.rows(), nodes), stiffness(rule.points.rows() * dim, nodes);
    for (int p = 0; p < rule.points.rows(); ++p) {
      double at[4] = {0, 0, 0, 0};
      for (int d = 0; d < dim; ++d) at[d] = material_in_middle ? m[d] : x[p * dim + d];
      const DiffusionMaterial& material = problem.material[mesh.cells().region[cell]];
      const Matrix jacobian = Eigen::Map<Matrix>(jacobians.data() + p * dim * dim, dim, dim);
      Matrix gradient(dim, nodes);
      for (int d = 0; d < dim; ++d) gradient.row(d) = slopes[d].row(p);
      const double weight = rule.weights(p) * std::abs(jacobian.determinant());
      mass.row(p) = std::sqrt(weight * a * material.capacity(at)) * values.row(p);
      stiffness.middleRows(p * dim, dim) =
          std::sqrt(weight * b * material.conductivity(at)) * jacobian.inverse().transpose() * gradient;
    }
    const Matrix local = mass.transpose() * mass + stiffness.transpose() * stiffness;
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < nodes; ++j)
        entries.emplace_back(numbering.of_node[cell * nodes + i], numbering.of_node[cell * nodes + j], local(i, j));
  }
  SparseMatrix matrix(numbering.count, numbering.count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace swell
