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
#include "sim/errors.hpp"
#include "sim/heat/discontinuous.hpp"

namespace swell {

// Names checked against the mesh, expressions parsed. `mesh` must outlive the problem.
HeatProblem heat_of_case(const Case& c, const Mesh& mesh, Extent extent = Extent::whole);

// Whether a case is solved on the fixed grid: as it says, or where it leaves the choice, wherever it is possible. Throws InputError
// where it asks for what is not.
bool on_fixed_grid(const Case& c, const HeatProblem& problem, int ranks);

class HeatSimulation {
 public:
  // With other ranks each keeps its part of the mesh, and whatever is asked of a simulation is asked on all of them.
  HeatSimulation(Case c, Device& device, Ranks& ranks = lone_rank());

  // Takes another case in place of this one, from its beginning, where it has the same mesh, order, precision and kinds of
  // boundaries: then mesh, numbering, kernels and memory stay. False, and nothing has changed, where they cannot.
  bool take(const Case& c);
  // Compiles and loads what take() would have to for materials of such cases, as a part of this one's set-up. By all ranks together.
  void expect(std::span<const Case> cases);

  const Case& given() const { return case_; }
  const Mesh& mesh() const { return mesh_; }  // this rank's part
  Ranks& ranks() const { return ranks_; }
  std::int64_t elements() const { return elements_; }  // of all ranks
  const std::string& mesh_fingerprint() const { return mesh_fingerprint_; }  // of the whole mesh
  HeatOperator& cg() { return *cg_; }  // of the continuous family
  const ReferenceElement& element() const { return dg_ ? dg_->of().element() : cg_->element(); }
  Vectors& vectors() { return *vectors_; }
  std::string form() const { return dg_ ? "elements" : cg_->form(); }  // how the operator is applied
  // Of all ranks.
  std::int64_t unknowns() const { return dg_ ? elements_ * element().node_count : cg_->all_nodes(); }
  std::int64_t given_values() const { return dg_ ? 0 : cg_->all_given(); }  // of the unknowns
  const HaloExchange* exchange() const { return dg_ ? dg_->of().exchange() : cg_->exchange(); }
  std::int32_t unknown(std::int64_t cell, int node) const;
  // out[offset + i] = the field at receiver i; unknown and weight hold [receiver][node of its element]. Queued only.
  void sample(const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count, std::int64_t offset);
  // Of this case, where it took over from another one.
  double compile_seconds() const {
    return (dg_ ? dg_->of().compile_seconds() : cg_->compile_seconds()) - compiled_before_ + prepare_seconds_;
  }
  bool steady() const { return case_.model == "poisson"; }
  const std::string& field() const { return field_; }  // "T"; poisson "u"
  Buffer& temperature();

  double time() const { return time_; }
  double dt() const { return dt_; }
  double end() const { return end_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t predicted_steps() const { return predicted_; }

  // One step, or the whole of a steady problem. Throws NotConverged.
  void step();
  bool done() const { return steps_ >= predicted_; }
  // All steps that are left.
  void finish();

  std::int64_t iterations() const { return iterations_; }  // of all solves together
  const SolveReport& last_solve() const { return last_; }
  double stored_heat();
  bool has_exact() const { return !case_.exact.empty(); }
  ErrorNorms errors();
  // [cell][node] of this rank's cells.
  std::vector<double> nodal_values();
  // The same of the temperatures before, the last one first, which the next step depends on.
  std::vector<std::vector<double>> earlier_values();
  // Where in time it is, with all that the next step depends on besides these.
  struct Moment {
    std::int64_t steps = 0, origin_step = 0, iterations = 0;
    double time = 0, dt = 0;
    double origin = 0;  // steps are counted from there
    double last_dt = 0, load_time = 0;
  };
  Moment moment() const;
  // Goes on from a moment of another run, with temperatures as above. With another dt than there steps are counted from its time
  // on, and the first one begins the scheme anew.
  void resume(const Moment& moment, const std::vector<double>& values, const std::vector<std::vector<double>>& earlier);
  // Takes the same in place of the temperature, but where a boundary gives it. Throws InputError where cells that share a node
  // have different values there, and for a problem at rest.
  void set_values(const std::vector<double>& values);
  double value_at(const std::vector<double>& point);
  // As of a Simulation.
  Locator::Hit locate(const std::vector<double>& point, const std::string& place);

  double setup_seconds() const { return setup_seconds_; }
  double solve_seconds() const { return solve_seconds_; }

 private:
  HeatProblem set_up_problem();
  void set_up_discontinuous(HeatProblem problem);
  bool multigrid() const { return case_.solver.preconditioner == "multigrid"; }
  // With other ranks, where a multigrid needs it.
  std::optional<SharedMesh> shared_mesh() const;
  std::optional<GridPart> share_grid();
  void set_up_continuous(HeatProblem problem);
  bool floating() const;  // steady, and known up to a constant only
  void remove_mean();
  void make_levels();
  void renew(const HeatProblem& problem);
  void begin();
  std::vector<double> of_cells(const Buffer& vector);  // [cell][node]
  std::vector<double> of_unknowns(const std::vector<double>& of_cells) const;

  Case case_;
  Ranks& ranks_;
  Mesh mesh_;
  // Of several ranks on the first alone, and there only for a multigrid: the whole mesh and the owners of its cells.
  std::unique_ptr<Mesh> whole_;
  std::vector<std::int32_t> owner_;
  std::int64_t elements_ = 0;
  std::string mesh_fingerprint_;
  std::unique_ptr<Locator> locator_;  // once it was needed
  std::string field_;
  std::unique_ptr<Vectors> vectors_;
  std::unique_ptr<HeatOperator> cg_;
  std::unique_ptr<HeatLevels> levels_;
  std::unique_ptr<HeatStepper> stepper_;
  std::unique_ptr<SteadySolver> solver_;
  std::unique_ptr<DiscontinuousPoisson> dg_;  // in place of all of these
  double prepare_seconds_ = 0, compiled_before_ = 0, time_ = 0, dt_ = 0, origin_ = 0, end_ = 0, setup_seconds_ = 0, solve_seconds_ = 0;
  std::int64_t steps_ = 0, origin_step_ = 0, predicted_ = 1, iterations_ = 0;
  bool half_taken_ = false;  // a case that was refused
  SolveReport last_;
  std::string started_;                   // the initial expression behind `start_`
  std::vector<double> start_;
};

}  // namespace swell
