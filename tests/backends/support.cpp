// SPDX-License-Identifier: Apache-2.0
#include "support.hpp"

#include "mesh/geometry.hpp"

namespace swell {

std::vector<double> integrals(Operator& dg, const Buffer& state) {
  const Mesh& mesh = *dg.problem().mesh;
  const Cubature rule = cubature(mesh.shape(), 2 * dg.element().order + 2);
  const Matrix to_points = dg.element().interpolation(rule.points);
  const CellMap map(mesh, rule.points);
  const int dim = mesh.dim, fields = dg.fields();
  std::vector<double> jacobians(rule.points.rows() * dim * dim), sum(fields, 0.0);
  dg.states().read_state(state, [&](std::int64_t cell, const double* values) {
    map.jacobians(cell, jacobians.data());
    const Matrix at = to_points * Eigen::Map<const Matrix>(values, dg.element().node_count, fields);
    for (Eigen::Index p = 0; p < at.rows(); ++p) {
      const double weight =
          rule.weights(p) * Eigen::Map<const Matrix>(jacobians.data() + p * dim * dim, dim, dim).determinant();
      for (int f = 0; f < fields; ++f) sum[f] += weight * at(p, f);
    }
  });
  return sum;
}

}  // namespace swell
