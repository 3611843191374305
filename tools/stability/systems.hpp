// SPDX-License-Identifier: Apache-2.0
// Linear wave systems in their symmetric variables, with largest wave speed 1.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <vector>

namespace swell::stability {

// u_t + sum_d A_d u_x(d) = 0 with symmetric A_d = [0 B_d; B_d^T 0]; walls reverse the first or the second block.
struct System {
  std::vector<Eigen::MatrixXd> flux;
  int first_block;

  int fields() const { return static_cast<int>(flux[0].rows()); }
  Eigen::MatrixXd across(const Eigen::VectorXd& normal) const {
    Eigen::MatrixXd sum = normal[0] * flux[0];
    for (std::size_t d = 1; d < flux.size(); ++d) sum += normal[d] * flux[d];
    return sum;
  }
};

inline System advection(const Eigen::VectorXd& velocity) {
  System system{{}, 1};
  for (const double speed : velocity.normalized()) system.flux.push_back(Eigen::MatrixXd::Constant(1, 1, speed));
  return system;
}

// (p, v): A_n = [0 n^T; n 0]. Maxwell in 2D has the same matrices.
inline System acoustics(int dim) {
  System system{{}, 1};
  for (int d = 0; d < dim; ++d) {
    Eigen::MatrixXd flux = Eigen::MatrixXd::Zero(dim + 1, dim + 1);
    flux(0, d + 1) = flux(d + 1, 0) = 1.0;
    system.flux.push_back(flux);
  }
  return system;
}

// (E, H): A_n = [0 -n x; n x 0].
inline System maxwell() {
  System system{{}, 3};
  for (int d = 0; d < 3; ++d) {
    Eigen::MatrixXd flux = Eigen::MatrixXd::Zero(6, 6);
    const int a = (d + 1) % 3, b = (d + 2) % 3;  // e_d x e_a = e_b, e_d x e_b = -e_a
    flux(3 + b, a) = flux(a, 3 + b) = 1.0;
    flux(3 + a, b) = flux(b, 3 + a) = -1.0;
    system.flux.push_back(flux);
  }
  return system;
}

// (C^(-1/2) stress, v), stress in Mandel's notation: A_n = -[0 C^(1/2) E_n; E_n^T C^(1/2) 0] with E_n v the symmetric
// part of n v^T, C = lambda 1 1^T + 2 mu I and lambda + 2 mu = 1.
inline System elastic(int dim, double mu) {
  const int stresses = dim * (dim + 1) / 2;
  const double lambda = 1.0 - 2.0 * mu;
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(stresses, stresses);
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(stresses, stresses);
  mean.topLeftCorner(dim, dim).setConstant(1.0 / dim);  // the projection on mean stress
  const Eigen::MatrixXd root = std::sqrt(2.0 * mu) * (identity - mean) + std::sqrt(2.0 * mu + dim * lambda) * mean;
  System system{{}, stresses};
  for (int d = 0; d < dim; ++d) {
    Eigen::MatrixXd strain = Eigen::MatrixXd::Zero(stresses, dim);
    strain(d, d) = 1.0;
    for (int other = 0, row = dim; other < dim; ++other)
      for (int second = other + 1; second < dim; ++second, ++row) {
        if (other == d) strain(row, second) = std::sqrt(0.5);
        if (second == d) strain(row, other) = std::sqrt(0.5);
      }
    Eigen::MatrixXd flux = Eigen::MatrixXd::Zero(stresses + dim, stresses + dim);
    flux.topRightCorner(stresses, dim) = -root * strain;
    flux.bottomLeftCorner(dim, stresses) = -(root * strain).transpose();
    system.flux.push_back(flux);
  }
  return system;
}

}  // namespace swell::stability
