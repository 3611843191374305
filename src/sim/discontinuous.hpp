// SPDX-License-Identifier: Apache-2.0
// Poisson's equation with discontinuous elements, preconditioned by their diagonal or by a multigrid that goes on with the
// continuous elements of the same order.
#pragma once

#include "cg/levels.hpp"
#include "dg/diffusion.hpp"

namespace swell {

class DiscontinuousPoisson {
 public:
  // The problem's mesh must outlive this. `box`: how the mesh was made, where it was made here. `shared`: the mesh that it is a
  // part of, where a multigrid has other ranks.
  DiscontinuousPoisson(const HeatProblem& problem, Vectors& vectors, SolverOptions options, bool multigrid,
                       const std::optional<BoxOptions>& box, const SharedMesh* shared = nullptr);

  DiffusionOperator& of() { return of_; }
  const DiffusionOperator& of() const { return of_; }
  Buffer& values() { return solver_.values(); }
  SolveReport solve() { return solver_.solve(); }
  void add(double constant) { solver_.add(constant); }  // to the answer

 private:
  void make_multigrid(HeatProblem problem, Vectors& vectors, const std::optional<BoxOptions>& box, const SharedMesh* shared);

  DiffusionOperator of_;
  DiffusionSolver solver_;
  std::unique_ptr<Mesh> own_cells_;  // with other ranks
  std::unique_ptr<ContinuousOperator> continuous_;
  std::unique_ptr<HeatLevels> levels_;
  std::unique_ptr<Multigrid> multigrid_;
};

}  // namespace swell
