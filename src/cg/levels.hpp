// SPDX-License-Identifier: Apache-2.0
// The levels of a multigrid for continuous elements: lower orders on the same mesh, then coarser boxes where the mesh is one,
// then aggregates of unknowns where that leaves many. Ranks share the orders; the first does what lies below them.
#pragma once

#include <optional>

#include "cg/gathered.hpp"
#include "cg/operator.hpp"
#include "mesh/sources.hpp"
#include "solve/aggregation.hpp"

namespace swell {

// The problem as coarser levels have it: nothing enters, neither by a source nor through a boundary.
DiffusionProblem without_loads(DiffusionProblem problem);
std::vector<DiffusionBoundary> without_loads(std::vector<DiffusionBoundary> boundary);

class HeatLevels {
 public:
  // `box`: how the mesh of the operator was made, where it was made here. `steady` as for the operator.
  // `shared`: the mesh that the operator's is a part of, where there are other ranks.
  HeatLevels(ContinuousOperator& fine, const std::optional<BoxOptions>& box, bool steady, const SharedMesh* shared = nullptr);
  // For a M + b K; the preconditioner lives in this and is made anew at each call. Waits.
  Multigrid& scale(double a, double b);
  // The levels alone, for a multigrid that begins above them; they live in this until the next call.
  std::vector<MultigridLevel> levels(double a, double b);
  // As of the operators; what was made for the last a and b holds no longer. Waits.
  void set_material(const std::vector<DiffusionMaterial>& material);
  // What enters by them is no part of a preconditioner: only heat transfers that are others are looked at.
  void set_loads(const std::vector<DiffusionBoundary>& boundary);
  // As of a HeatOperator, of all levels.
  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const;
  void expect(const std::vector<DiffusionMaterial>& material);

 private:
  void share_orders(const SharedMesh& shared, const std::optional<BoxOptions>& box, bool steady);
  void forget();
  struct Coarse {
    std::unique_ptr<Mesh> mesh;  // its own, where it is coarser
    std::unique_ptr<ContinuousOperator> of;
  };
  ContinuousOperator& fine_;
  std::vector<DiffusionBoundary> boundary_;  // without loads
  std::vector<Coarse> coarse_;
  std::vector<SparseRows> prolongation_;  // [level] from the next one
  std::vector<std::unique_ptr<ScaledOperator>> scaled_;
  std::vector<std::unique_ptr<Buffer>> inverse_diagonal_;
  std::unique_ptr<AggregationLevels> aggregates_;
  std::unique_ptr<GatheredLevel> gathered_;
  std::unique_ptr<Multigrid> multigrid_;
};

}  // namespace swell
