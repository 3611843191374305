// SPDX-License-Identifier: Apache-2.0
// Continuous operators against the matrices that quadrature on the host assembles.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "assembled.hpp"

namespace swell {

inline Device& cpu() {
  static const auto device = open_device("cpu");
  return *device;
}

inline DiffusionProblem problem_on(const Mesh& mesh, int order) {
  DiffusionProblem problem;
  problem.mesh = &mesh;
  problem.order = order;
  problem.material.resize(mesh.regions.size());
  problem.boundary.resize(mesh.boundaries.size() + 1);
  return problem;
}

inline Expression formula(const char* text) { return Expression::parse(text, space_time_variables, "the test"); }

inline Vector noise(std::int64_t count) {
  std::mt19937_64 engine(3);
  Vector x(count);
  for (double& value : x) value = 2 * std::generate_canonical<double, 53>(engine) - 1;
  return x;
}

// a M + b K and its diagonal against the matrix that quadrature on the host assembles; b K alone where it is steady.
inline void expect_the_assembled_matrix(const DiffusionProblem& problem, bool steady = false) {
  const double a = steady ? 0 : 0.7, b = 0.3;
  Vectors vectors(cpu(), problem.precision);
  ContinuousOperator of(problem, vectors, steady);
  const SparseMatrix matrix = assembled(problem, of.numbering(), a, b);
  const Vector x = noise(of.length()), expected = matrix * x;
  const auto o_x = vectors.upload(std::vector<double>(x.begin(), x.end()), "x");
  const auto o_y = vectors.make(of.length(), "y");
  of.apply(a, b, *o_x, *o_y, of.length());
  const auto y = vectors.download(*o_y, of.length());
  // Rounding in a sum of products is bounded by the sum of their sizes (Higham 2002, section 3.1).
  const bool twice = problem.precision == Precision::double_;
  const Vector bound = (twice ? 1e-13 : 1e-6) * (matrix.cwiseAbs() * x.cwiseAbs());
  for (std::int64_t i = 0; i < of.length(); ++i) ASSERT_NEAR(y[i], expected[i], bound[i]) << i;
  of.diagonal(a, b, *o_y, of.length());
  const auto d = vectors.download(*o_y, of.length());
  const double part = twice ? 1e-13 : 1e-5;
  for (std::int64_t i = 0; i < of.length(); ++i) ASSERT_NEAR(d[i], matrix.coeff(i, i), part * matrix.coeff(i, i));
}

}  // namespace swell
