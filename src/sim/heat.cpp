// SPDX-License-Identifier: Apache-2.0
#include "sim/heat.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "cg/grid_heat.hpp"
#include "sim/problem_of_case.hpp"

namespace swell {

namespace {

// A step may be longer than asked by this part, so that rounding does not add one.
constexpr double step_tolerance = 1e-9;

SolverOptions options_of(const Case& c) { return {c.solver.tolerance, c.solver.iterations}; }

HeatScheme scheme_of(const Case& c) {
  return {c.scheme == "bdf2" ? HeatScheme::Kind::bdf2 : HeatScheme::Kind::theta, c.theta};
}

bool same(const Expression& a, const Expression& b) { return a.text() == b.text(); }

bool same_box(const std::optional<BoxOptions>& a, const std::optional<BoxOptions>& b) {
  if (!a || !b) return !a && !b;
  return a->low == b->low && a->high == b->high && a->cells == b->cells && a->shape == b->shape &&
         a->periodic == b->periodic;
}

bool same_disc(const std::optional<DiscOptions>& a, const std::optional<DiscOptions>& b) {
  if (!a || !b) return !a && !b;
  return a->center == b->center && a->radius == b->radius && a->cells == b->cells &&
         a->geometry_order == b->geometry_order && a->shape == b->shape;
}

bool same_discretisation(const Case& a, const Case& b) {
  return same_box(a.box, b.box) && same_disc(a.disc, b.disc) && a.mesh_file == b.mesh_file && a.model == b.model && a.family == b.family &&
         a.order == b.order && a.precision == b.precision && a.solver.form == b.solver.form &&
         a.solver.preconditioner == b.solver.preconditioner;
}

bool same_kinds(const HeatProblem& a, const HeatProblem& b) {
  return std::equal(a.boundary.begin(), a.boundary.end(), b.boundary.begin(), b.boundary.end(),
                    [](const HeatBoundary& one, const HeatBoundary& other) { return one.kind == other.kind; });
}

bool same_loads(const HeatProblem& a, const HeatProblem& b) {
  return same(a.source, b.source) &&
         std::equal(a.boundary.begin(), a.boundary.end(), b.boundary.begin(), b.boundary.end(),
                    [](const HeatBoundary& one, const HeatBoundary& other) {
                      return same(one.value, other.value) && same(one.transfer, other.transfer);
                    });
}

bool same_materials(const HeatProblem& a, const HeatProblem& b) {
  return std::equal(a.material.begin(), a.material.end(), b.material.begin(), b.material.end(),
                    [](const HeatMaterial& one, const HeatMaterial& other) {
                      return same(one.capacity, other.capacity) && same(one.conductivity, other.conductivity);
                    });
}

// As the case says, or where it leaves the choice: wherever it is possible.
bool on_fixed_grid(const Case& c, const HeatProblem& problem) {
  const bool asked = c.solver.form == "grid", multigrid = c.solver.preconditioner == "multigrid";
  if (c.solver.form != "auto" && !asked) return false;
  auto obstacle = GridHeat::obstacle(problem, c.box, c.model == "poisson");
  if (!obstacle && multigrid) obstacle = "solver.preconditioner is \"multigrid\", which works on elements";
  if (asked && obstacle) throw InputError("solver.form is \"grid\", but {}; take \"elements\".", *obstacle);
  return !obstacle;
}

}  // namespace

HeatSimulation::HeatSimulation(Case c, Device& device) : case_(std::move(c)) {
  const Stopwatch clock;
  mesh_ = mesh_of_case(case_);
  field_ = std::string(1, steady() ? 'u' : 'T');  // a literal makes g++ 12 warn of overlapping copies
  vectors_ = std::make_unique<Vectors>(device, case_.precision);
  HeatProblem problem = heat_of_case(case_, mesh_);
  if (case_.family == "discontinuous") {
    if (case_.solver.form == "grid")
      throw InputError("solver.form is \"grid\", but model.family is \"discontinuous\"; take \"elements\".");
    dg_ = std::make_unique<DiscontinuousPoisson>(std::move(problem), *vectors_, options_of(case_),
                                                 case_.solver.preconditioner == "multigrid", case_.box);
    warn_of_floating();
    setup_seconds_ = clock.seconds();
    return;
  }
  if (on_fixed_grid(case_, problem))
    cg_ = std::make_unique<GridHeat>(std::move(problem), *case_.box, *vectors_, steady());
  else
    cg_ = std::make_unique<ContinuousOperator>(std::move(problem), *vectors_, steady());
  if (steady())
    solver_ = std::make_unique<SteadySolver>(*cg_, options_of(case_));
  else
    stepper_ = std::make_unique<HeatStepper>(*cg_, scheme_of(case_), options_of(case_));
  make_levels();
  begin();
  setup_seconds_ = clock.seconds();
}

void HeatSimulation::warn_of_floating() const {
  if (steady() && (dg_ ? dg_->of().floating() : solver_->floating()))
    log_warning("No boundary gives a temperature or a heat transfer: {} is known up to a constant only, and comes with "
                "the mean 0.",
                field_);
}

void HeatSimulation::make_levels() {
  warn_of_floating();
  if (case_.solver.preconditioner != "multigrid") return;
  levels_ = std::make_unique<HeatLevels>(dynamic_cast<ContinuousOperator&>(*cg_), case_.box, steady());
  if (solver_) solver_->precondition(*levels_);
  if (stepper_) stepper_->precondition(*levels_);
}

void HeatSimulation::begin() {
  time_ = solve_seconds_ = 0;
  steps_ = iterations_ = 0;
  predicted_ = 1;
  last_ = {};
  if (steady()) return;
  predicted_ = case_.steps ? *case_.steps
                           : static_cast<std::int64_t>(std::ceil(*case_.end / *case_.dt - step_tolerance));
  dt_ = case_.steps ? *case_.dt : *case_.end / static_cast<double>(predicted_);
  end_ = static_cast<double>(predicted_) * dt_;
  Expression initial;
  if (const auto given = case_.initial.find(field_); given != case_.initial.end())
    initial = Expression::parse(given->second.text, {"x", "y", "z"}, given->second.key);
  if (start_.empty() || started_ != initial.text())
    start_ = cg_->nodal_values([&](const double* x) {
      const double value = initial(x);
      if (!std::isfinite(value))
        throw InputError("initial.{} = {} is {} at ({}, {}, {}).", field_, initial.text(), value, x[0], x[1], x[2]);
      return value;
    });
  started_ = initial.text();
  stepper_->begin(start_);
}

bool HeatSimulation::take(const Case& c) {
  const Stopwatch clock;
  if (dg_ || !same_discretisation(case_, c)) return false;
  HeatProblem problem = heat_of_case(c, mesh_);
  const HeatProblem& now = cg_->problem();
  if (!same_kinds(problem, now) || on_fixed_grid(c, problem) != (dynamic_cast<GridHeat*>(cg_.get()) != nullptr))
    return false;
  case_ = c;
  compiled_before_ = cg_->compile_seconds();
  if (!same_loads(problem, now)) cg_->set_loads(problem.boundary, problem.source);
  if (!same_materials(problem, now)) cg_->set_material(problem.material);
  if (solver_)
    solver_->renew(options_of(case_));
  else
    stepper_->renew(scheme_of(case_), options_of(case_));
  make_levels();
  begin();
  setup_seconds_ = clock.seconds();
  return true;
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

// The fixed grid keeps zeros around and between its unknowns.
std::vector<double> HeatSimulation::entries() {
  return vectors_->download(temperature(), dg_ ? dg_->of().size() : cg_->length());
}

std::vector<double> HeatSimulation::nodal_values() {
  auto values = entries();
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
  std::vector<double> all(cg_->length(), std::numeric_limits<double>::quiet_NaN());
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
  // Between the planes of the fixed grid there are no nodes.
  for (double& value : all)
    if (std::isnan(value)) value = 0;
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
  const auto values = entries();
  double value = 0;
  for (int n = 0; n < element().node_count; ++n) value += weights(0, n) * values[unknown(hit.cell, n)];
  return value;
}

}  // namespace swell
