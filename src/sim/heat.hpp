// SPDX-License-Identifier: Apache-2.0
// A case of heat in motion or at rest, with continuous or discontinuous elements: set up once, advanced in time, asked for
// temperatures, errors and heat. Knows nothing of files.
#pragma once

#include "cg/heat.hpp"
#include "cg/operator.hpp"
#include "mesh/geometry.hpp"
#include "sim/case.hpp"
#include "sim/discontinuous.hpp"
#include "sim/errors.hpp"

namespace swell {

// Names checked against the mesh, expressions parsed. `mesh` must outlive the problem.
HeatProblem heat_of_case(const Case& c, const Mesh& mesh);

class HeatSimulation {
 public:
  HeatSimulation(Case c, Device& device);

  // Takes another case in place of this one, from its beginning, where it has the same mesh, order, precision and kinds of
  // boundaries: then mesh, numbering, kernels and memory stay. False, and nothing has changed, where they cannot.
  bool take(const Case& c);

  const Case& given() const { return case_; }
  const Mesh& mesh() const { return mesh_; }
  HeatOperator& cg() { return *cg_; }  // of the continuous family
  const ReferenceElement& element() const { return dg_ ? dg_->of().element() : cg_->element(); }
  Vectors& vectors() { return *vectors_; }
  std::string form() const { return dg_ ? "elements" : cg_->form(); }  // how the operator is applied
  std::int64_t unknowns() const { return dg_ ? dg_->of().size() : cg_->nodes(); }
  std::int64_t given_values() const { return dg_ ? 0 : cg_->given(); }  // of the unknowns
  std::int32_t unknown(std::int64_t cell, int node) const;
  // out[offset + i] = the field at receiver i; unknown and weight hold [receiver][node of its element]. Queued only.
  void sample(const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count, std::int64_t offset);
  // Of this case, where it took over from another one.
  double compile_seconds() const {
    return (dg_ ? dg_->of().compile_seconds() : cg_->compile_seconds()) - compiled_before_;
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
  // [cell][node]
  std::vector<double> nodal_values();
  // Takes the same in place of the temperature, but where a boundary gives it. Throws InputError where cells that share a node
  // have different values there, and for a problem at rest.
  void set_values(const std::vector<double>& values);
  double value_at(const std::vector<double>& point);

  double setup_seconds() const { return setup_seconds_; }
  double solve_seconds() const { return solve_seconds_; }

 private:
  void warn_of_floating() const;
  void make_levels();
  void begin();
  std::vector<double> entries();  // of the temperature's vector, as numbering() counts them

  Case case_;
  Mesh mesh_;
  std::string field_;
  std::unique_ptr<Vectors> vectors_;
  std::unique_ptr<HeatOperator> cg_;
  std::unique_ptr<HeatLevels> levels_;
  std::unique_ptr<HeatStepper> stepper_;
  std::unique_ptr<SteadySolver> solver_;
  std::unique_ptr<DiscontinuousPoisson> dg_;  // in place of all of these
  double compiled_before_ = 0, time_ = 0, dt_ = 0, end_ = 0, setup_seconds_ = 0, solve_seconds_ = 0;
  std::int64_t steps_ = 0, predicted_ = 1, iterations_ = 0;
  SolveReport last_;
  std::string started_;                   // the initial expression behind `start_`
  std::vector<double> start_;
};

}  // namespace swell
