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

// The problem as coarser levels have it: without sources and boundary fluxes.
DiffusionProblem without_loads(DiffusionProblem problem);
std::vector<DiffusionBoundary> without_loads(std::vector<DiffusionBoundary> boundary);

class HeatLevels {
 public:
  // `box`: how the mesh of the operator was made, where it was made here. `steady` as for the operator.
  // `shared`: the mesh that the operator's is a part of, where there are other ranks.
  HeatLevels(ContinuousOperator& fine, const std::optional<BoxOptions>& box, bool steady, const SharedMesh* shared = nullptr);
  // For a M + b K; the preconditioner lives in this and is made anew at each call. Waits.
  Multigrid& scale(double a, double b);
  // The levels without a multigrid, for one that begins above them; they live in this until the next call.
  std::vector<MultigridLevel> levels(double a, double b);
  // Sets the material of all levels; the multigrid for the last a and b is no longer valid. Waits.
  void set_material(const std::vector<DiffusionMaterial>& material);
  // Loads are no part of a preconditioner: only changed heat transfers matter here.
  void set_loads(const std::vector<DiffusionBoundary>& boundary);
  // See HeatOperator::texts_for(); those of all levels.
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
