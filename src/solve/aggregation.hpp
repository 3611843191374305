// SPDX-License-Identifier: Apache-2.0
// Coarser levels of a multigrid where no coarser mesh is known: smoothed aggregation (Vanek, Mandel and Brezina 1996).
#pragma once

#include "solve/multigrid.hpp"

namespace swell {

// Which unknowns meet: row i holds column[start[i]] .. column[start[i + 1] - 1], i among them.
struct SparsePattern {
  std::vector<std::int32_t> start{0}, column;
  // The pattern of unknowns that meet in a cell, whose nodes are of_node[first[cell]] .. of_node[first[cell + 1] - 1]; those from
  // `count` on take no part.
  static SparsePattern of_cells(const std::vector<std::int32_t>& of_node, const std::vector<std::int64_t>& first, std::int64_t count);
};

class AggregationLevels {
 public:
  // Learns the entries of `fine` by applying it, so that only its pattern must be known. Waits.
  AggregationLevels(Vectors& vectors, LinearOperator& fine, const SparsePattern& pattern);
  ~AggregationLevels();
  // From the unknowns of the first level below to those of `fine`; no rows where there is none.
  const SparseRows& prolongation() const { return prolongation_; }
  // From fine to coarse, without `fine`; they live in this.
  std::vector<MultigridLevel> levels() const;

 private:
  struct Level;
  SparseRows prolongation_;
  std::vector<std::unique_ptr<Level>> levels_;
};

}  // namespace swell
