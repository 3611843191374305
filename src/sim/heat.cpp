// SPDX-License-Identifier: Apache-2.0
#include "sim/heat.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
  const SolverOptions options{case_.solver.tolerance, case_.solver.iterations};
  if (case_.family == "discontinuous") {
    dg_ = std::make_unique<DiscontinuousPoisson>(heat_of_case(case_, mesh_), *vectors_, options,
                                                 case_.solver.preconditioner == "multigrid", case_.box);
  } else {
    cg_ = std::make_unique<ContinuousOperator>(heat_of_case(case_, mesh_), *vectors_, steady());
    if (case_.solver.preconditioner == "multigrid") levels_ = std::make_unique<HeatLevels>(*cg_, case_.box, steady());
    if (steady())
      make_steady(options);
    else
      make_steps(options);
  }
  if (steady() && (dg_ ? dg_->of().floating() : solver_->floating()))
    log_warning("No boundary gives a temperature or a heat transfer: {} is known up to a constant only, and comes with "
                "the mean 0.",
                field_);
  setup_seconds_ = clock.seconds();
}

void HeatSimulation::make_steady(const SolverOptions& options) {
  solver_ = std::make_unique<SteadySolver>(*cg_, options);
  if (levels_) solver_->precondition(*levels_);
}

void HeatSimulation::make_steps(const SolverOptions& options) {
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

Buffer& HeatSimulation::temperature() {
  return dg_ ? dg_->values() : steady() ? solver_->temperature() : stepper_->temperature();
}

std::int32_t HeatSimulation::unknown(std::int64_t cell, int node) const {
  const std::int64_t place = cell * element().node_count + node;
  return dg_ ? static_cast<std::int32_t>(place) : cg_->numbering().of_node[place];
}

void HeatSimulation::sample(const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count,
                            std::int64_t offset) {
  if (dg_)
    dg_->of().sample(temperature(), unknown, weight, out, count, offset);
  else
    cg_->sample(temperature(), unknown, weight, out, count, offset);
}

void HeatSimulation::step() {
  const Stopwatch clock;
  try {
    last_ = dg_ ? dg_->solve() : steady() ? solver_->solve() : stepper_->step(time_, dt_);
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
  const auto values = vectors_->download(temperature(), unknowns());
  if (dg_) return values;
  const auto& of_node = cg_->numbering().of_node;
  std::vector<double> all(of_node.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = values[of_node[i]];
  return all;
}

void HeatSimulation::set_values(const std::vector<double>& values) {
  if (steady()) throw InputError("The model '{}' is solved from nothing, so its field cannot be set.", case_.model);
  // What rounding may set apart of values that are meant to be one.
  constexpr double rounding = 1e-9;
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  std::vector<double> all(unknowns(), std::numeric_limits<double>::quiet_NaN());
  const int nodes = element().node_count;
  for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell)
    for (int n = 0; n < nodes; ++n) {
      double& here = all[unknown(cell, n)];
      const double value = values[cell * nodes + n];
      if (std::isfinite(here) && std::abs(here - value) > rounding * largest)
        throw InputError("{} is continuous, but element {} gives {} where another one gives {} at the same node.", field_, cell,
                         value, here);
      here = value;
    }
  stepper_->begin(all, time_);
}

ErrorNorms HeatSimulation::errors() {
  const auto all = nodal_values();
  const Formula& formula = case_.exact.at(field_);
  const std::vector<Expression> exact{Expression::parse(formula.text, heat_variables, formula.key)};
  const auto read = [&](const auto& visit) {
    for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell) visit(cell, all.data() + cell * element().node_count);
  };
  return measure_errors(mesh_, element(), read, exact, {1}, time_);
}

double HeatSimulation::value_at(const std::vector<double>& point) {
  const auto hit = Locator(mesh_).find(point.data());
  if (hit.cell < 0) throw InputError("The point ({}) lies outside the mesh.", fmt::join(point, ", "));
  Matrix at(1, mesh_.dim);
  for (int d = 0; d < mesh_.dim; ++d) at(0, d) = hit.reference[d];
  const Matrix weights = element().interpolation(at);
  const auto values = vectors_->download(temperature(), unknowns());
  double value = 0;
  for (int n = 0; n < element().node_count; ++n) value += weights(0, n) * values[unknown(hit.cell, n)];
  return value;
}

}  // namespace swell
