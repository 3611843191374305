// SPDX-License-Identifier: Apache-2.0
// The viscous terms once more, written plainly like the dense operator: gradients in strong form, the divergence in weak form, the
// same quadrature for both. For models without a mass matrix.
#pragma once

#include "dense_operator.hpp"

namespace swell {

class DenseViscous : public DenseOperator {
 public:
  using DenseOperator::DenseOperator;
  // div F(q, grad q), which adds to rate().
  State divergence(const State& q, double t) const;

 private:
  struct Traces {  // at the points of a face
    Matrix own, behind, own_m, behind_m;
  };
  // [axis]
  std::vector<State> gradients(const State& q, double t) const;
  Traces traces(const State& q, std::int64_t cell, int face, const Face& at, double t) const;
  // The value and the flux of a boundary at places of a face.
  Matrix wall_value(const BoundarySpec& spec, const Matrix& own, const Matrix& m, const Matrix& n, const Matrix& x, double t) const;
  Matrix wall_flux(const BoundarySpec& spec, const Matrix& own, Matrix dq, double penalty, const Matrix& m, const Matrix& n,
                   const Matrix& x, double t) const;
  const BoundarySpec& spec_of(const Neighbour& n) const;
  // Where a face's boundary data are taken: its nodes, or the points of the rule.
  Matrix wall_places(std::int64_t cell, int face) const;
  Matrix from_places(std::int64_t cell, int face, const Matrix& values) const;
  double penalty(std::int64_t cell, int face) const;
  double over_height(std::int64_t cell, int face) const;
  Matrix solved(std::int64_t cell, const Matrix& sum) const;
};

}  // namespace swell
