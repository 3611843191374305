// SPDX-License-Identifier: Apache-2.0
// Decompositions of small dense matrices. Eigen's take seconds to compile in every object that names one, so that they stand in
// one file.
#pragma once

#include "element/basis.hpp"

namespace swell {

// The inverse by elimination with partial pivoting.
Matrix inverse(const Matrix& matrix);
// The inverse with full pivoting, for matrices of high order that are close to singular.
Matrix inverse_by_full_pivots(const Matrix& matrix);

// Eigenvalues in ascending order; only the lower triangle is read.
Vector symmetric_eigenvalues(const Eigen::MatrixXd& matrix);
// Eigenvalues of the symmetric tridiagonal matrix.
Vector tridiagonal_eigenvalues(const Vector& diagonal, const Vector& beside);

struct Eigenpairs {
  Vector values;
  Eigen::MatrixXd vectors;  // columns
};
// The eigenpairs of A v = lambda M v with A symmetric and M symmetric and positive definite; the values ascend.
Eigenpairs generalised_eigenpairs(const Eigen::MatrixXd& a, const Eigen::MatrixXd& mass);

// The eigenpairs of a matrix without symmetry: pairs of complex values have the real and imaginary part of their vector as
// columns.
struct GeneralEigenpairs {
  Eigen::VectorXcd values;
  Eigen::MatrixXd vectors;
  bool found = false;  // the iteration converged
};
GeneralEigenpairs general_eigenpairs(const Eigen::MatrixXd& matrix);

}  // namespace swell
