// SPDX-License-Identifier: Apache-2.0
// Poisson's equation with discontinuous elements, preconditioned by their diagonal or by a multigrid that goes on with the
// continuous elements of the same order.
#pragma once

#include "cg/levels.hpp"
#include "dg/diffusion/operator.hpp"

namespace swell {

class DiscontinuousPoisson : public DiffusionUpdates {
 public:
  // The problem's mesh must outlive this. `box`: how the mesh was made, where it was made here. `shared`: the mesh that it is a
  // part of, where a multigrid has other ranks.
  DiscontinuousPoisson(const DiffusionProblem& problem, Vectors& vectors, SolverOptions options, bool multigrid,
                       const std::optional<BoxOptions>& box, const SharedMesh* shared = nullptr);

  DiffusionOperator& of() { return of_; }
  const DiffusionOperator& of() const { return of_; }
  const DiffusionProblem& problem() const { return problem_; }
  void set_material(std::vector<DiffusionMaterial> material) override;
  void set_loads(std::vector<DiffusionBoundary> boundary, Expression source) override;
  void set_points(std::vector<PointSourceSpec> points) override;
  std::vector<ProgramText> texts_for(const std::vector<DiffusionMaterial>& material) const override;
  void expect(const std::vector<DiffusionMaterial>& material) override;
  void renew(SolverOptions options) { solver_.renew(options); }
  Buffer& values() { return solver_.values(); }
  // From 0 on.
  SolveReport solve();
  void add(double constant) { solver_.add(constant); }  // to the answer

 private:
  void make_levels(DiffusionProblem problem, const std::optional<BoxOptions>& box, const SharedMesh* shared);
  void make_multigrid();

  DiffusionProblem problem_;
  DiffusionOperator of_;
  DiffusionSolver solver_;
  std::unique_ptr<Mesh> own_cells_;  // with other ranks
  std::unique_ptr<ContinuousOperator> continuous_;
  std::unique_ptr<HeatLevels> levels_;
  std::unique_ptr<Multigrid> multigrid_;  // once a solve needed it, for the material of now
};

}  // namespace swell
