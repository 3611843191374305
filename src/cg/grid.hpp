// SPDX-License-Identifier: Apache-2.0
// The fixed grid: linear tetrahedra, six a brick, all bricks alike. The operator is a stencil, and an iteration of conjugate
// gradients two passes over the vectors.
#pragma once

#include <array>

#include "solve/pcg.hpp"

namespace swell {

struct GridProblem {
  std::array<std::int64_t, 3> cells{1, 1, 1};
  std::array<double, 3> low{0, 0, 0}, high{1, 1, 1};
  double capacity = 1, conductivity = 1;
  unsigned fixed = 0;  // bits: given values at xmin, xmax, ymin, ymax, zmin, zmax
};

// a M + b K on the vertices of the grid; entries of vectors at given values and around the grid are 0.
class GridOperator : public LinearOperator, public FusedPasses {
 public:
  GridOperator(const GridProblem& problem, double a, double b, Vectors& vectors);

  std::int64_t vertices() const { return counts_[0] * counts_[1] * counts_[2]; }
  // The place of a vertex in a vector.
  std::int64_t place(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return (2 + k) * plane_ + j * counts_[0] + i;
  }
  bool given(std::int64_t i, std::int64_t j, std::int64_t k) const;
  const std::array<std::int64_t, 3>& counts() const { return counts_; }

  std::int64_t size() const override { return (counts_[2] + 4) * plane_; }
  std::int64_t length() const override { return size(); }
  void apply(const Buffer& x, Buffer& y) override;
  const Buffer& inverse_diagonal() const { return *inverse_diagonal_; }

  std::int64_t chunks() const override { return chunks_; }
  void direct(const Buffer& r, const Buffer& scalars, Buffer& partial) override;
  void advance(Buffer& x, Buffer& r, const Buffer& scalars, Buffer& partial) override;

 private:
  Vectors& vectors_;
  GridProblem problem_;
  std::array<std::int64_t, 3> counts_;
  std::int64_t plane_, chunks_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> coefficients_, inverse_diagonal_, p_, old_, scratch_;
};

// [class x + 3 y + 9 z][term] as kernels/cg_grid.h has them; 7 terms where a = 0, else 15.
std::vector<double> grid_coefficients(const GridProblem& problem, double a, double b);

}  // namespace swell
