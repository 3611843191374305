// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/exact_sum.hpp"
#include "case/problem_of_case.hpp"
#include "device/compile_error.hpp"
#include "dg/measures.hpp"
#include "model/model_probe.hpp"
#include "sim/rank_problem.hpp"
#include "sim/time_step.hpp"
#include "sim/whole_mesh.hpp"

namespace swell {

namespace {

// Steps between two looks at whether the state is finite: cheap, and soon enough.
constexpr std::int64_t watch_every = 10;
// The host waits for the device after about so long, that progress is true and a run that blew up or was interrupted ends
// soon; counted in steps, since the host is far ahead of the device. The count grows at most by this factor at once.
constexpr double seconds_between_checks = 0.2;
constexpr std::int64_t patience_growth = 4;

}  // namespace

Simulation::Simulation(Case c, Device& device, Ranks& ranks) : case_(std::move(c)), ranks_(ranks) {
  const Stopwatch clock;
  set_up_problem(device);
  const std::string name = case_.file.empty() ? "the case" : case_.file.filename().string();
  if (!case_.exact.empty()) exact_ = field_expressions(case_.exact, dg_->problem().model, "exact", name);
  for (const auto& field : dg_->problem().model.fields) exact_known_.push_back(case_.exact.contains(field));
  integrator_ = make_integrator(case_.scheme, *dg_);
  set_initial();
  set_steps();
  end_ = case_.end ? *case_.end : static_cast<double>(*case_.steps) * moment_.dt;
  dg_->observer().monitor();
  setup_seconds_ = clock.seconds();
}

// The case is checked against the whole mesh, of which several ranks keep their parts.
void Simulation::set_up_problem(Device& device) {
  Problem problem;
  if (ranks_.alone()) {
    mesh_ = mesh_of_case(case_);
    elements_ = mesh_.cell_count();
    mesh_fingerprint_ = fingerprint(mesh_);
    problem = problem_of_case(case_, mesh_);
  } else {
    RankProblem mine = problem_of_rank(case_, ranks_);
    mesh_ = std::move(mine.mesh);
    elements_ = mine.elements;
    mesh_fingerprint_ = mine.mesh_fingerprint;
    problem = std::move(mine.problem);
  }
  problem.mesh = &mesh_;
  problem.ranks = &ranks_;
  try {
    dg_ = make_operator(std::move(problem), device);
  } catch (const CompileError& refused) {
    if (case_.model_file.empty()) throw;
    throw InputError("The model file {} does not compile: {}.", case_.model_file.string(), refused.what());
  }
}

std::int64_t Simulation::predicted_steps() const {
  if (case_.steps) return *case_.steps;
  return static_cast<std::int64_t>(std::ceil(end_ / moment_.dt - step_tolerance));
}

// Linear problems have one stable step; where speeds depend on the state, the steps follow it.
void Simulation::set_steps() {
  Measures* measures = dg_->observer().measures();
  steady_length_ = case_.dt.has_value() || dg_->problem().model.linear || !measures;
  if (steady_length_) {
    moment_.dt = time_step(case_, mesh_.shape(), case_.dt ? Stiffness{} : dg_->stiffness(case_.end.value_or(0)));
    control_ = std::make_unique<EqualSteps>(case_.steps.has_value());
    return;
  }
  auto control = std::make_unique<StableSteps>(*measures, nonlinear_fraction(case_, mesh_.shape()));
  control->begin(state(), moment_);
  check_stable_step(case_, dg_->problem().model, moment_.dt);
  control_ = std::move(control);
}

void Simulation::set_initial() {
  const Model& model = dg_->problem().model;
  const auto [initial, in_variables] =
      state_expressions(case_.initial, model, "initial", case_.file.empty() ? "the case" : case_.file.filename().string());
  const auto& names = in_variables ? model.variables : model.fields;
  const ReferenceElement& element = dg_->element();
  const CellMap map(mesh_, element.nodes);
  const int dim = mesh_.dim, fields = dg_->fields(), nodes = element.node_count;
  std::vector<double> x(nodes * dim);
  Matrix given, material;  // of all nodes, where they are variables
  if (in_variables) given.resize(mesh_.own_count() * nodes, fields);
  if (in_variables) material = Matrix::Zero(given.rows(), std::max(1, dg_->material().parameters()));
  // A jump that lies on faces is seen by each cell from its own side, as in the material.
  const auto evaluate = [&](std::int64_t cell, double* values) {
    map.coordinates(cell, x.data());
    for (int n = 0; n < nodes; ++n) {
      double place[4] = {0, 0, 0, 0};
      dg_->material().inside(cell, x.data() + n * dim, place);
      for (int f = 0; f < fields; ++f) {
        values[n * fields + f] = initial[f](place);
        if (!std::isfinite(values[n * fields + f]))
          throw InputError("initial.{} = {} is {} at ({}, {}, {}).", names[f], initial[f].text(), values[n * fields + f], place[0],
                           place[1], place[2]);
      }
      if (in_variables) dg_->material().sample(cell, x.data() + n * dim, 0, material.row(cell * nodes + n).data());
    }
  };
  if (!in_variables) return dg_->states().write_state(state(), evaluate);
  for (std::int64_t cell = 0; cell < mesh_.own_count(); ++cell) evaluate(cell, given.row(cell * nodes).data());
  const Matrix states = ModelProbe(model, dg_->device()).fields_of(given, material);
  dg_->states().write_state(state(), [&](std::int64_t cell, double* values) {
    std::copy_n(states.row(cell * nodes).data(), nodes * fields, values);
  });
}

void Simulation::advance(double until, const std::function<bool()>& after_step) {
  march(until, after_step);
  settle();
}

void Simulation::march(double until, const std::function<bool()>& after_step) {
  const Stopwatch clock;
  if (unchecked_ == 0) since_check_ = {};
  bool going = true;
  while (going) {
    const double step = control_->next(moment_, until);
    if (step == 0) break;
    if (moment_.done == 0) integrator_->restart();
    if ((moment_.steps + 1) % watch_every == 0) dg_->observer().expect_watch();
    integrator_->step(moment_.time, step);
    control_->stepped(moment_, step);
    ++unchecked_;
    const bool last = case_.steps ? moment_.steps == *case_.steps : moment_.time == until && until >= end_;
    if (dg_->after_step(state(), moment_.steps, last)) integrator_->restart();
    control_->look(state(), moment_);
    if (moment_.steps % watch_every == 0) watch();
    if (after_step) going = after_step();
    if (unchecked_ >= patience_) check();
  }
  solve_seconds_ += clock.seconds();
}

void Simulation::resume(const Moment& moment) {
  const double dt = moment_.dt;
  moment_ = moment;
  control_->resume(moment);
  if (moment.dt == dt || !steady_length_) return;
  moment_.dt = dt;
  moment_.origin = moment.time;
  moment_.origin_step = moment.steps;
  moment_.done = 0;
  if (case_.steps) end_ = moment.time + static_cast<double>(*case_.steps - moment.steps) * dt;
}

void Simulation::set_field(int field, const std::vector<double>& values) {
  const std::int64_t nodes = dg_->element().node_count, fields = dg_->fields();
  const auto given = dg_->make_state("given field");
  dg_->states().write_state(*given, [&](std::int64_t cell, double* at) {
    for (std::int64_t n = 0; n < nodes; ++n) at[n * fields + field] = values[cell * nodes + n];
  });
  // Families keep other numbers than values at nodes: these go over as they are, so that nothing else is rounded.
  std::vector<double> numbers(mesh_.own_count() * nodes);
  dg_->states().read_numbers(*given, [&](std::int64_t cell, const double* of_cell) {
    for (std::int64_t n = 0; n < nodes; ++n) numbers[cell * nodes + n] = of_cell[n * fields + field];
  });
  std::vector<double> all(mesh_.own_count() * nodes * fields);
  dg_->states().read_numbers(state(), [&](std::int64_t cell, const double* of_cell) {
    std::copy_n(of_cell, nodes * fields, all.begin() + cell * nodes * fields);
  });
  dg_->states().write_numbers(state(), [&](std::int64_t cell, double* of_cell) {
    std::copy_n(all.begin() + cell * nodes * fields, nodes * fields, of_cell);
    for (std::int64_t n = 0; n < nodes; ++n) of_cell[n * fields + field] = numbers[cell * nodes + n];
  });
  moment_.done = 0;
}

void Simulation::settle() {
  const Stopwatch clock;
  if (moment_.steps % watch_every != 0) watch();
  check();
  solve_seconds_ += clock.seconds();
}

void Simulation::watch() {
  dg_->observer().watch(state(), moment_.steps, moment_.time);
  watched_.emplace_back(moment_.steps, moment_.time);
}

void Simulation::check() {
  const Finding finding = dg_->observer().finding();
  ++checks_;
  if (unchecked_ >= patience_) {
    const double seconds = ranks_.largest(since_check_.seconds());  // all ranks come back after the same steps
    const double wanted = static_cast<double>(unchecked_) * seconds_between_checks / std::max(1e-9, seconds);
    patience_ = std::clamp(static_cast<std::int64_t>(wanted), std::int64_t{1}, patience_growth * unchecked_);
  }
  unchecked_ = 0;
  since_check_ = {};
  blow_up(finding);
  watched_.clear();
}

// The first step that any rank saw a state which is no good, then the cell with the smallest number: on every rank the same
// sentence.
void Simulation::blow_up(const Finding& finding) {
  constexpr double never = std::numeric_limits<double>::infinity();
  double step = finding.good ? never : static_cast<double>(finding.step);
  ranks_.smallest(std::span(&step, 1));
  if (step == never) return;
  blew_up_ = true;
  std::array<double, 6> seen;  // cell, field, place, the element's name
  seen.fill(never);
  if (!finding.good && static_cast<double>(finding.step) == step) {
    const auto [cell, node, field] = finding.place;
    std::vector<double> x(dg_->element().node_count * mesh_.dim);
    CellMap(mesh_, dg_->element().nodes).coordinates(cell, x.data());
    const double* at = x.data() + node * mesh_.dim;
    const auto name = mesh_.cells().tag.empty() ? mesh_.number_of(cell) : mesh_.cells().tag[cell];
    seen = {static_cast<double>(mesh_.number_of(cell)), static_cast<double>(field),           at[0], at[1],
            mesh_.dim == 3 ? at[2] : 0,                 static_cast<double>(name)};
  }
  double first = seen[0];
  ranks_.smallest(std::span(&first, 1));
  if (seen[0] != first) seen.fill(never);
  ranks_.smallest(seen);
  moment_.steps = static_cast<std::int64_t>(step);
  for (const auto& [at_step, time] : watched_)
    if (at_step == moment_.steps) moment_.time = time;
  watched_.clear();
  dg_->observer().forget();
  const Model& model = dg_->problem().model;
  const auto field = static_cast<std::size_t>(seen[1]), fields = model.fields.size();
  throw RunError(
      "The run blew up at t = {:.6g} (step {}): {} in element {} at ({:.6g}, {:.6g}{}); try {}, or look at the material and the "
      "boundaries there.",
      moment_.time, moment_.steps,
      field < fields ? fmt::format("field {} is not finite", model.fields[field])
                     : fmt::format("{} is not positive", model.admissible[field - fields]),
      static_cast<std::int64_t>(seen[5]), seen[2], seen[3], mesh_.dim == 3 ? fmt::format(", {:.6g}", seen[4]) : "",
      case_.dt ? "a smaller time.dt" : "a smaller time.cfl");
}

ErrorNorms Simulation::errors() { return measure_errors(*dg_, state(), exact_, exact_known_, moment_.time); }

double Simulation::value_at(const std::string& field, const std::vector<double>& point) {
  const int f = dg_->problem().model.field_index(field);
  if (f < 0) throw InputError("There is no field '{}'.", field);
  const auto hit = locate(point, "A value");
  Matrix at(1, mesh_.dim);
  for (int d = 0; d < mesh_.dim; ++d) at(0, d) = hit.reference[d];
  const Matrix weights = dg_->element().interpolation(at);
  double value = 0;
  dg_->states().read_state(state(), [&](std::int64_t cell, const double* values) {
    if (cell != hit.cell) return;
    for (int n = 0; n < dg_->element().node_count; ++n) value += weights(0, n) * values[n * dg_->fields() + f];
  });
  // A sum of one term that is not zero, on the rank that has it.
  ExactSum all;
  all.add(value);
  ranks_.sum(all.digits());
  return all.value();
}

Locator::Hit Simulation::locate(const std::vector<double>& point, const std::string& place) {
  if (!locator_) locator_ = std::make_unique<Locator>(mesh_);
  return swell::locate(*locator_, mesh_, ranks_, point, place);
}

}  // namespace swell
