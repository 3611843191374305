// SPDX-License-Identifier: Apache-2.0
#include "element/dense.hpp"

namespace swell {

Matrix inverse(const Matrix& matrix) { return matrix.inverse(); }

Matrix inverse_by_full_pivots(const Matrix& matrix) { return matrix.fullPivLu().inverse(); }

Vector symmetric_eigenvalues(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

Vector tridiagonal_eigenvalues(const Vector& diagonal, const Vector& beside) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly);
  return solver.eigenvalues();
}

Eigenpairs generalised_eigenpairs(const Eigen::MatrixXd& a, const Eigen::MatrixXd& mass) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(a, mass);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

GeneralEigenpairs general_eigenpairs(const Eigen::MatrixXd& matrix) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix);
  if (solver.info() != Eigen::Success) return {};
  return {solver.eigenvalues(), solver.pseudoEigenvectors(), true};
}

}  // namespace swell
