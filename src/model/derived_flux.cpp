// SPDX-License-Identifier: Apache-2.0
#include "model/derived_flux.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "element/dense.hpp"

namespace swell {

namespace {

// A part of the largest speed: below it a wave stands still, and its part of the state carries no flux.
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

// The directions of the fluxes that the waves running against (sign -1) or along (sign +1) the normal can add; sign 0: of what
// the waves that stand still hold, which a small speed would turn into a flux.
Matrix fluxes_of_waves(const LinearMedium& medium, int sign) {
  const Waves waves = waves_of(medium);
  const double least = standing * waves.speeds.cwiseAbs().maxCoeff();
  std::vector<Eigen::Index> chosen;
  for (Eigen::Index i = 0; i < waves.speeds.size(); ++i)
    if (sign == 0 ? std::abs(waves.speeds(i)) <= least : sign * waves.speeds(i) > least) chosen.push_back(i);
  Matrix all(medium.mass.rows(), static_cast<Eigen::Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) all.col(k) = (medium.mass * waves.shapes.col(chosen[k])).normalized();
  return all;
}

Matrix beside(const Matrix& a, const Matrix& b) {
  Matrix both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

Matrix pseudo_inverse(const Matrix& matrix) {
  return Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>{Eigen::MatrixXd(matrix)}.pseudoInverse();
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
// 2002, section 9.9, with flux in place of state). Where the two sides cannot be made equal, what waves that stand still hold
// may differ (density in two streams along the face), and else (velocities that meet at the face) the least is left over; f* is
// then the mean of both sides. Everything is done in variables in which the mean mass is the identity, so that the units of the
// fields do not matter.
Matrix derive_split(const LinearMedium& left, const LinearMedium& right) {
  const Eigen::LLT<Eigen::MatrixXd> factor(Eigen::MatrixXd(0.5 * (left.mass + right.mass)));
  if (factor.info() != Eigen::Success)
    throw InputError(
        "The model's mass is not symmetric and positive definite, so no upwind flux can be derived from it.");
  const auto scaled = [&](const Matrix& matrix) -> Matrix {
    const Eigen::MatrixXd half = factor.matrixL().solve(matrix);
    return factor.matrixL().solve(half.transpose()).transpose();
  };
  const LinearMedium l{scaled(left.mass), scaled(left.flux)}, r{scaled(right.mass), scaled(right.flux)};
  const Matrix to_left = fluxes_of_waves(l, -1), to_right = fluxes_of_waves(r, 1);
  const auto fields = left.mass.rows(), waves = to_left.cols() + to_right.cols();
  Matrix split = 0.5 * Matrix::Identity(fields, fields);
  if (waves > 0) {
    const Matrix leaving = beside(to_left, -to_right), sum = beside(to_left, to_right), jumps = beside(l.flux, r.flux);
    Matrix solved = pseudo_inverse(leaving);
    constexpr double open = 1e-9;  // relative
    if ((jumps - leaving * (solved * jumps)).norm() > open * jumps.norm())
      solved = pseudo_inverse(beside(leaving, beside(fluxes_of_waves(l, 0), fluxes_of_waves(r, 0)))).topRows(waves).eval();
    split += 0.5 * sum * solved;
  }
  const Eigen::MatrixXd lower = factor.matrixL(), back = Eigen::MatrixXd((lower * split).transpose());
  return Matrix(factor.matrixU().solve(back).transpose());
}

UpwindMatrices derive_upwind(const LinearMedium& left, const LinearMedium& right) {
  const Matrix split = derive_split(left, right);
  return {left.flux - split * left.flux, split * right.flux};
}

}  // namespace swell
