// SPDX-License-Identifier: Apache-2.0
// A case of heat in motion or at rest, with continuous or discontinuous elements: set up once, advanced in time, asked for
// temperatures, errors and heat. Knows nothing of files.
#pragma once

#include "case/case.hpp"
#include "case/problem_of_case.hpp"
#include "cg/grid/heat.hpp"
#include "cg/heat.hpp"
#include "cg/operator.hpp"
#include "mesh/geometry.hpp"
#include "model/diffusion.hpp"
#include "sim/evolution.hpp"
#include "sim/heat/discontinuous.hpp"

namespace swell {

// Whether a case is solved on the fixed grid: as it says, or where it leaves the choice, wherever it is possible. Throws InputError
// where it asks for what is not.
bool on_fixed_grid(const Case& c, const DiffusionProblem& problem, bool steady, int ranks);

class HeatSimulation : public Evolution, public Samplers {
 public:
  // With other ranks each keeps its part of the mesh, and whatever is asked of a simulation is asked on all of them.
  HeatSimulation(Case c, Device& device, Ranks& ranks = lone_rank());

  // Needs the same mesh, order, precision and kinds of boundaries: then mesh, numbering, kernels and memory stay.
  bool adopt(const Case& c) override;
  // Compiles and loads what adopt() would have to for materials of such cases, as a part of this one's set-up. By all ranks together.
  void precompile_for(std::span<const Case> cases);

  HeatOperator& continuous() { return *continuous_; }  // of the continuous family
  Vectors& vectors() { return *vectors_; }
  std::string form() const { return interior_penalty_ ? "elements" : continuous_->form(); }  // how the operator is applied
  std::int64_t given_values() const { return interior_penalty_ ? 0 : continuous_->all_given(); }  // of the degrees of freedom
  const HaloExchange* exchange() const;
  // The compile time of this case, where it was adopted from another one.
  double compile_seconds() const;
  std::int64_t predicted_steps() const { return predicted_; }
  std::int64_t iterations() const { return iterations_; }  // of all solves together
  const SolveReport& last_solve() const { return last_; }
  double stored_heat();
  // [cell][node] of this rank's cells.
  std::vector<double> nodal_values();
  Buffer& temperature();
  DiscontinuousPoisson* interior_penalty() { return interior_penalty_.get(); }  // nullptr: continuous elements
  std::int32_t unknown(std::int64_t cell, int node) const;  // the place of a node in the temperature

  // A step of the case's own length whatever `until` is, or the whole of a steady problem. Throws NotConverged.
  bool step(double until) override;
  void read(const CellVisitor& visit) override;
  // Boundaries keep what they give. Throws InputError where cells that share a node have different values there, and for a
  // problem at rest.
  void write(int field, const std::vector<double>& values) override;
  Memory memory() override;
  // With another dt than there steps are counted from its time on, and the first one begins the scheme anew.
  void resume(const Memory& memory) override;
  // A continuous function is continuous at the nodes of another order too.
  Matrix conversion(int order, const Matrix& to_nodes) const override;
  Samplers& samplers() override { return *this; }
  std::unique_ptr<PointSampler> sampler(const std::vector<Locator::Hit>& points, std::int64_t rows) override;
  Introduction introduction() override;
  void describe(Summary& summary) override;

 private:
  DiffusionUpdates& updates();
  DiffusionProblem problem_on(const Case& c, const Mesh& mesh, Extent extent);
  void read_formulas(const Case& c);
  DiffusionProblem set_up_problem();
  void place_points(DiffusionProblem& problem, const Case& c);
  void set_elements(std::unique_ptr<ContinuousOperator> elements);
  void set_up_discontinuous(DiffusionProblem problem);
  bool multigrid() const { return case_.solver.preconditioner == "multigrid"; }
  // With other ranks, where a multigrid needs it.
  std::optional<SharedMesh> shared_mesh() const;
  std::optional<GridPart> share_grid();
  void set_up_continuous(DiffusionProblem problem);
  bool floating() const;  // steady, and known up to a constant only
  void remove_mean();
  void make_levels();
  void renew(const DiffusionProblem& problem);
  void begin();
  double initial_value(const Expression& initial, const double* x) const;
  std::vector<double> interpolated(const Expression& initial) const;
  std::vector<double> projected(const Expression& initial);
  const std::string& field() const { return fields().front(); }
  std::vector<double> of_cells(const Buffer& vector);  // [cell][node]
  std::vector<double> of_unknowns(const std::vector<double>& of_cells) const;

  // With several ranks, on the first rank only and there only for a multigrid: the whole mesh and the owners of its cells.
  std::unique_ptr<Mesh> whole_;
  std::vector<std::int32_t> owner_;
  Problem page_;  // as the case states it, and how its page is to be read
  DiffusionPage form_;
  std::unique_ptr<Vectors> vectors_;
  std::unique_ptr<HeatOperator> continuous_;
  ContinuousOperator* elements_form_ = nullptr;  // the same, where it works by elements and not on the fixed grid
  std::unique_ptr<HeatLevels> levels_;
  std::unique_ptr<HeatStepper> stepper_;
  std::unique_ptr<SteadySolver> solver_;
  std::unique_ptr<DiscontinuousPoisson> interior_penalty_;  // in place of all of these
  double prepare_seconds_ = 0, compiled_before_ = 0;
  std::int64_t predicted_ = 1, iterations_ = 0, first_iteration_ = 0;
  HaloTimes exchanged_before_;        // by earlier cases and by the set-up
  bool renewal_incomplete_ = false;   // a case was refused half-way
  SolveReport last_;
  std::string started_;  // what `start_` was made of
  std::vector<double> start_;
};

}  // namespace swell
