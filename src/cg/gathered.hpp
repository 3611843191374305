// SPDX-License-Identifier: Apache-2.0
// The end of a multigrid on ranks: linear elements of the whole mesh on every rank, each of which solves for all of them.
#pragma once

#include <optional>

#include "cg/operator.hpp"
#include "mesh/sources.hpp"

namespace swell {

class HeatLevels;

// A mesh that ranks share; both must outlive those who use it.
struct SharedMesh {
  const Mesh& whole;
  const std::vector<std::int32_t>& owner;  // the rank of each cell
};

// A cycle over the levels that one rank would have below linear elements. What comes to apply() is gathered on all ranks.
class GatheredLevel : public Preconditioner {
 public:
  // `linear`: this rank's part of the linear elements; `box` as for HeatLevels.
  GatheredLevel(ContinuousOperator& linear, const SharedMesh& mesh, const std::optional<BoxOptions>& box, bool steady);
  ~GatheredLevel() override;
  // For a M + b K. Waits.
  void scale(double a, double b);
  std::int64_t unknowns() const { return whole_->size(); }  // of all ranks
  void apply(const Buffer& r, Buffer& z) override;  // waits

 private:
  ContinuousOperator& linear_;
  Vectors vectors_;  // of this rank alone
  std::unique_ptr<ContinuousOperator> whole_;
  std::unique_ptr<HeatLevels> levels_;
  Preconditioner* cycle_ = nullptr;
  std::vector<std::int32_t> place_;  // [unknown of this rank] among all
  std::unique_ptr<Buffer> r_, z_;
};

}  // namespace swell
