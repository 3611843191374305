// SPDX-License-Identifier: Apache-2.0
#include "model/derived_flux.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "element/dense.hpp"

namespace swell {

namespace {

// Of the largest speed: below this a wave stands still, and its part of the state carries no flux.
constexpr double standing = 1e-10;

struct Waves {
  Vector speeds;
  Matrix shapes;  // columns
};

Waves waves_of(const LinearMedium& medium) {
  const Eigen::LLT<Eigen::MatrixXd> factor(medium.mass);
  const double asymmetry = (medium.mass - medium.mass.transpose()).cwiseAbs().maxCoeff();
  if (factor.info() != Eigen::Success || asymmetry > 1e-12 * medium.mass.cwiseAbs().maxCoeff())
    throw InputError(
        "The model's mass is not symmetric and positive definite, so no upwind flux can be derived from it.");
  if ((medium.flux - medium.flux.transpose()).cwiseAbs().maxCoeff() <= 1e-13 * medium.flux.cwiseAbs().maxCoeff()) {
    const Eigenpairs pairs = generalised_eigenpairs(medium.flux, medium.mass);
    return {pairs.values, pairs.vectors};
  }
  const GeneralEigenpairs pairs = general_eigenpairs(factor.solve(medium.flux));
  if (!pairs.found || pairs.values.imag().cwiseAbs().maxCoeff() > 1e-8 * pairs.values.cwiseAbs().maxCoeff())
    throw InputError(
        "The model's waves along a normal have speeds that are not real: no upwind flux can be derived from its flux.");
  return {pairs.values.real(), pairs.vectors};
}

// The flux that the waves running against (sign -1) or along (sign +1) the normal can add.
Matrix fluxes_of_waves(const LinearMedium& medium, int sign) {
  const Waves waves = waves_of(medium);
  const double least = standing * waves.speeds.cwiseAbs().maxCoeff();
  std::vector<Eigen::Index> chosen;
  for (Eigen::Index i = 0; i < waves.speeds.size(); ++i)
    if (sign * waves.speeds(i) > least) chosen.push_back(i);
  Matrix all(medium.mass.rows(), static_cast<Eigen::Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) all.col(k) = (medium.flux * waves.shapes.col(chosen[k])).normalized();
  return all;
}

}  // namespace

Vector wave_speeds(const LinearMedium& medium) {
  Vector speeds = waves_of(medium).speeds;
  std::sort(speeds.begin(), speeds.end());
  return speeds;
}

// Behind the waves that leave the face into each side the flux is continuous,
//   A_l (q_l + R_l a) = A_r (q_r + R_r b),
// R_l: waves of the left medium that run to the left, R_r: of the right one to the right. This gives a and b (LeVeque
// 2002, section 9.9, with flux in place of state). Where the two sides cannot be made equal (velocities that meet at
// the face) f* is their mean. Everything is done in variables in which the mean mass is the identity, so that the units
// of the fields do not matter.
UpwindMatrices derive_upwind(const LinearMedium& left, const LinearMedium& right) {
  const Eigen::LLT<Eigen::MatrixXd> factor(Eigen::MatrixXd(0.5 * (left.mass + right.mass)));
  if (factor.info() != Eigen::Success)
    throw InputError(
        "The model's mass is not symmetric and positive definite, so no upwind flux can be derived from it.");
  const Eigen::MatrixXd lower = factor.matrixL();
  const auto scaled = [&](const Matrix& matrix) -> Matrix {
    const Eigen::MatrixXd half = factor.matrixL().solve(matrix);
    return factor.matrixL().solve(half.transpose()).transpose();
  };
  const LinearMedium l{scaled(left.mass), scaled(left.flux)}, r{scaled(right.mass), scaled(right.flux)};
  const Matrix to_left = fluxes_of_waves(l, -1), to_right = fluxes_of_waves(r, 1);
  UpwindMatrices out{0.5 * l.flux, 0.5 * r.flux};
  if (const auto waves = to_left.cols() + to_right.cols(); waves > 0) {
    Matrix difference(l.flux.rows(), waves), sum(l.flux.rows(), waves);
    difference << to_left, -to_right;
    sum << to_left, to_right;
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver{Eigen::MatrixXd(difference)};
    out.left -= 0.5 * sum * solver.solve(Eigen::MatrixXd(l.flux));
    out.right += 0.5 * sum * solver.solve(Eigen::MatrixXd(r.flux));
  }
  out.left = (lower * out.left * lower.transpose()).eval();
  out.right = (lower * out.right * lower.transpose()).eval();
  return out;
}

}  // namespace swell
