// SPDX-License-Identifier: Apache-2.0
#include "dg/nodal/node_weights.hpp"

#include "element/line_rule.hpp"

namespace swell {

NodeWeights::Curved::Curved(const Problem& problem, const ReferenceElement& element, const Group& group)
    : points(group_points(element, group, problem.mesh->geometry_order())),
      values(element.interpolation(points.volume)),
      map(*problem.mesh, element.shape, points.volume),
      exact(mass_blocks(element, group, points).rows > 0) {}

NodeWeights::NodeWeights(const Problem& problem, const ReferenceElement& element) : problem_(problem), element_(element) {
  reference_ = (element.vandermonde * element.vandermonde.transpose()).inverse().colwise().sum().transpose();
  if (problem.volume_form == VolumeForm::split) {
    nodal_.emplace(*problem.mesh, element);
    lobatto_ = lobatto_product(element.shape, element.order).weights;
  } else if (is_tensor(element.shape)) {
    tensor_.emplace(*problem.mesh, element);
    gauss_ = group_points(element, Group{}, 1);
    to_gauss_ = element.interpolation(gauss_.volume);
  }
}

// The weight-adjusted mass conserves 1 M A^-1 M q with A_ij = (L_i, L_j / J), M = (L_i, L_j): its own mean of a curved simplex.
Vector NodeWeights::curved(const Group& group, std::int64_t cell) {
  auto found = curved_.find(group.gauss_faces);
  if (found == curved_.end()) found = curved_.emplace(group.gauss_faces, Curved(problem_, element_, group)).first;
  const Curved& rule = found->second;
  const int dim = element_.dim;
  std::vector<double> jacobians(rule.map.point_count() * dim * dim);
  rule.map.jacobians(cell, jacobians.data());
  Vector factor = rule.points.weights;
  double scaled[9];
  for (Eigen::Index p = 0; p < factor.size(); ++p) {
    const double j = cofactors(dim, jacobians.data() + p * dim * dim, scaled);
    factor(p) = rule.exact ? factor(p) * j : factor(p) / j;
  }
  if (rule.exact) return rule.values.transpose() * factor;
  const Matrix adjusted = rule.values.transpose() * factor.asDiagonal() * rule.values;
  const Vector ones = element_.mass.rowwise().sum();
  return element_.mass * adjusted.ldlt().solve(ones);
}

void NodeWeights::find(const Group& group, std::int64_t cell, const std::vector<double>& jacobians, double* out) {
  const int nodes = element_.node_count, dim = element_.dim;
  if (nodal_) {
    nodal_->look(cell);
    for (int n = 0; n < nodes; ++n) out[n] = lobatto_(n) * nodal_->jacobian(n);
  } else if (tensor_) {
    tensor_->look(cell);
    Vector at_points = gauss_.weights;
    for (Eigen::Index p = 0; p < at_points.size(); ++p) at_points(p) /= tensor_->volume()[(p + 1) * (dim * dim + 1) - 1];
    Eigen::Map<Vector>(out, nodes) = to_gauss_.transpose() * at_points;
  } else if (group.curved) {
    Eigen::Map<Vector>(out, nodes) = curved(group, cell);
  } else {
    double scaled[9];
    for (int n = 0; n < nodes; ++n) out[n] = reference_(n) * cofactors(dim, jacobians.data() + n * dim * dim, scaled);
  }
}

}  // namespace swell
