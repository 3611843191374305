// SPDX-License-Identifier: Apache-2.0
#include "sim/heat.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "sim/problem_of_case.hpp"

namespace swell {

namespace {

// A step may be longer than asked by this part, so that rounding does not add one.
constexpr double step_tolerance = 1e-9;

}  // namespace

HeatSimulation::HeatSimulation(Case c, Device& device) : case_(std::move(c)) {
  const Stopwatch clock;
  mesh_ = mesh_of_case(case_);
  field_ = std::string(1, steady() ? 'u' : 'T');  // a literal makes g++ 12 warn of overlapping copies
  vectors_ = std::make_unique<Vectors>(device, case_.precision);
  cg_ = std::make_unique<ContinuousOperator>(heat_of_case(case_, mesh_), *vectors_, steady());
  const SolverOptions options{case_.solver.tolerance, case_.solver.iterations};
  if (case_.solver.preconditioner == "multigrid") levels_ = std::make_unique<HeatLevels>(*cg_, case_.box, steady());
  if (steady()) {
    solver_ = std::make_unique<SteadySolver>(*cg_, options);
    if (solver_->floating())
      log_warning("No boundary gives a temperature or a heat transfer: {} is known up to a constant only, and comes with "
                  "the mean 0.",
                  field_);
    if (levels_ && solver_->floating())
      throw InputError("solver.preconditioner = \"multigrid\" needs a boundary that gives {} or takes heat by transfer; "
                       "take \"jacobi\" here.",
                       field_);
    if (levels_) solver_->precondition(*levels_);
  } else {
    const bool bdf2 = case_.scheme == "bdf2";
    stepper_ = std::make_unique<HeatStepper>(
        *cg_, HeatScheme{bdf2 ? HeatScheme::Kind::bdf2 : HeatScheme::Kind::theta, case_.theta}, options);
    if (levels_) stepper_->precondition(*levels_);
    predicted_ = case_.steps ? *case_.steps
                             : static_cast<std::int64_t>(std::ceil(*case_.end / *case_.dt - step_tolerance));
    dt_ = case_.steps ? *case_.dt : *case_.end / static_cast<double>(predicted_);
    end_ = static_cast<double>(predicted_) * dt_;
    Expression initial;
    if (const auto given = case_.initial.find(field_); given != case_.initial.end())
      initial = Expression::parse(given->second.text, {"x", "y", "z"}, given->second.key);
    stepper_->begin(cg_->nodal_values([&](const double* x) {
      const double value = initial(x);
      if (!std::isfinite(value))
        throw InputError("initial.{} = {} is {} at ({}, {}, {}).", field_, initial.text(), value, x[0], x[1], x[2]);
      return value;
    }));
  }
  setup_seconds_ = clock.seconds();
}

void HeatSimulation::step() {
  const Stopwatch clock;
  try {
    last_ = steady() ? solver_->solve() : stepper_->step(time_, dt_);
  } catch (const NotConverged& failure) {
    last_ = failure.report();
    iterations_ += last_.iterations;
    solve_seconds_ += clock.seconds();
    throw;
  }
  iterations_ += last_.iterations;
  ++steps_;
  time_ = static_cast<double>(steps_) * dt_;
  solve_seconds_ += clock.seconds();
}

void HeatSimulation::finish() {
  while (!done()) step();
}

double HeatSimulation::stored_heat() { return steady() ? 0 : stepper_->stored_heat(); }

std::vector<double> HeatSimulation::nodal_values() {
  const auto values = vectors_->download(temperature(), cg_->length());
  const auto& of_node = cg_->numbering().of_node;
  std::vector<double> all(of_node.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = values[of_node[i]];
  return all;
}

ErrorNorms HeatSimulation::errors() {
  const auto all = nodal_values();
  const Formula& formula = case_.exact.at(field_);
  const std::vector<Expression> exact{Expression::parse(formula.text, heat_variables, formula.key)};
  const auto read = [&](const auto& visit) {
    for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell)
      visit(cell, all.data() + cell * cg_->element().node_count);
  };
  return measure_errors(mesh_, cg_->element(), read, exact, {1}, time_);
}

double HeatSimulation::value_at(const std::vector<double>& point) {
  const auto hit = Locator(mesh_).find(point.data());
  if (hit.cell < 0) throw InputError("The point ({}) lies outside the mesh.", fmt::join(point, ", "));
  Matrix at(1, mesh_.dim);
  for (int d = 0; d < mesh_.dim; ++d) at(0, d) = hit.reference[d];
  const Matrix weights = cg_->element().interpolation(at);
  const auto values = vectors_->download(temperature(), cg_->length());
  const int nodes = cg_->element().node_count;
  double value = 0;
  for (int n = 0; n < nodes; ++n) value += weights(0, n) * values[cg_->numbering().of_node[hit.cell * nodes + n]];
  return value;
}

}  // namespace swell
