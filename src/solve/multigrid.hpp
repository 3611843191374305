// SPDX-License-Identifier: Apache-2.0
// A V-cycle as preconditioner: Chebyshev smoothing on each level, sparse rows between levels, a dense inverse on the coarsest.
// Ranks that share unknowns restrict the rows that they own.
#pragma once

#include "solve/operator.hpp"
#include "solve/vectors.hpp"

namespace swell {

// Rows of a matrix: row i holds column[start[i]] .. column[start[i + 1] - 1].
struct SparseRows {
  std::vector<std::int32_t> start{0}, column;
  std::vector<double> value;
  std::int64_t rows() const { return static_cast<std::int64_t>(start.size()) - 1; }
  SparseRows transposed(std::int64_t columns) const;
};

struct MultigridLevel {
  LinearOperator* a = nullptr;
  const Buffer* inverse_diagonal = nullptr;
  SparseRows prolongation;  // from the next coarser level's unknowns to this one's; empty on the coarsest
  int degree = 3;           // of the smoother
  Preconditioner* inverse = nullptr;  // in place of the smoother, on the coarsest
};

class Multigrid : public Preconditioner {
 public:
  // A coarsest level of at most so many unknowns has its inverse; a larger one is smoothed more.
  static constexpr std::int64_t largest_dense = 1000;
  // Levels from fine to coarse. The operators that they point at must outlive this. Measures the largest eigenvalues, so it
  // waits. `singular`: the operators map constants to 0, and the arguments of apply() have no constant part.
  Multigrid(Vectors& vectors, std::vector<MultigridLevel> levels, bool singular = false);
  void apply(const Buffer& r, Buffer& z) override;
  std::size_t levels() const { return levels_.size(); }

 private:
  struct Level {
    MultigridLevel given;
    double largest = 0;  // eigenvalue of D^-1 A
    std::unique_ptr<Buffer> b, x, q, d, start, column, value, back_start, back_column, back_value;
  };
  void launch(const char* kernel, std::int64_t items, std::initializer_list<Argument> arguments, double numbers);
  double largest_eigenvalue(Level& level);
  // x = S b, or x += S (b - A x), with the polynomial S of the level.
  void smooth(Level& level, const Buffer& b, Buffer& x, bool from_zero, int degree);
  void cycle(std::size_t number, const Buffer& b, Buffer& x);
  void make_bottom(bool singular);

  Vectors& vectors_;
  std::vector<Level> levels_;
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> bottom_;  // the inverse of the coarsest operator, where it is small
};

}  // namespace swell
