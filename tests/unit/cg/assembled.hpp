// SPDX-License-Identifier: Apache-2.0
// The matrices of continuous elements, assembled on the host by quadrature: the reference for the kernels.
#pragma once

#include <Eigen/Sparse>
#include <map>

#include "cg/operator.hpp"
#include "mesh/geometry.hpp"

namespace swell {

using SparseMatrix = Eigen::SparseMatrix<double>;

// What the cells of one shape are integrated with.
struct AssembledShape {
  AssembledShape(const DiffusionProblem& problem, const ReferenceElement& element)
      : rule(element_rule(element)),
        values(element.interpolation(rule.points)),
        slopes(element.interpolation_gradients(rule.points)),
        map(*problem.mesh, element.shape, rule.points),
        middle(*problem.mesh, element.shape, middle_point(element.shape)),
        material_in_middle(element.order == 1 && is_simplex(element.shape)) {}
  Cubature rule;
  Matrix values;
  std::array<Matrix, 3> slopes;
  CellMap map, middle;
  bool material_in_middle;  // else it is sampled at the points of the rule
};

// a M + b K, a and b above 0, over all unknowns of the numbering, without heat transfer.
inline SparseMatrix assembled(const DiffusionProblem& problem, const Numbering& numbering, double a, double b) {
  const Mesh& mesh = *problem.mesh;
  const int dim = mesh.dim;
  const Elements elements(mesh, problem.order);
  std::map<Shape, AssembledShape> shapes;
  for (const auto& [shape, element] : elements.all()) shapes.emplace(shape, AssembledShape(problem, element));
  std::vector<Eigen::Triplet<double>> entries;
  elements.for_cells([&](std::int64_t cell, const ReferenceElement& element, std::int64_t first) {
    const auto& [rule, values, slopes, map, middle, material_in_middle] = shapes.at(element.shape);
    const int nodes = element.node_count, points = map.point_count();
    std::vector<double> x(points * dim), jacobians(points * dim * dim), m(dim);
    map.coordinates(cell, x.data());
    map.jacobians(cell, jacobians.data());
    middle.coordinates(cell, m.data());
    // Rows of points: test functions, and their gradients, with the square root of what they are integrated with.
    Matrix mass(points, nodes), stiffness(points * dim, nodes);
    for (int p = 0; p < points; ++p) {
      double at[4] = {0, 0, 0, 0};
      for (int d = 0; d < dim; ++d) at[d] = material_in_middle ? m[d] : x[p * dim + d];
      const DiffusionMaterial& material = problem.material[mesh.region_of(cell)];
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
      for (int j = 0; j < nodes; ++j) entries.emplace_back(numbering.of_node[first + i], numbering.of_node[first + j], local(i, j));
  });
  SparseMatrix matrix(numbering.count, numbering.count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace swell
