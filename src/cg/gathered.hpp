// SPDX-License-Identifier: Apache-2.0
// The end of a multigrid on ranks: linear elements of the whole mesh on the first rank, which solves for all of them.
#pragma once

#include <optional>

#include "cg/operator.hpp"
#include "mesh/sources.hpp"

namespace swell {

class HeatLevels;

// A cycle over the levels that one rank would have below linear elements. The argument of apply() is gathered on the first
// rank, and the answer goes back from there.
class GatheredLevel : public Preconditioner {
 public:
  // `linear`: this rank's part of the linear elements; `box` as for HeatLevels.
  GatheredLevel(ContinuousOperator& linear, const SharedMesh& mesh, const std::optional<BoxOptions>& box, bool steady);
  ~GatheredLevel() override;
  // Prepares the cycle for a M + b K. Waits.
  void scale(double a, double b);
  // See HeatLevels::set_material().
  void set_material(const std::vector<DiffusionMaterial>& material);
  void set_loads(const std::vector<DiffusionBoundary>& boundary);
  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const;
  void expect(const std::vector<DiffusionMaterial>& material);
  std::int64_t unknowns() const { return linear_.all_nodes() - linear_.all_given(); }  // of all ranks
  void apply(const Buffer& r, Buffer& z) override;  // waits

 private:
  // The gathered unknowns of all ranks, on the first rank only.
  struct Whole;
  void find_places(const SharedMesh& mesh);
  void make_transfers();

  ContinuousOperator& linear_;
  std::unique_ptr<Whole> whole_;
  std::vector<double> mine_;  // of this rank's unknowns, the owned ones first
  std::unique_ptr<Transfer> to_first_, from_first_;
};

}  // namespace swell
