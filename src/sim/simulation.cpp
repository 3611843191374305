// SPDX-License-Identifier: Apache-2.0
#include "sim/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "device/compile_error.hpp"
#include "sim/problem_of_case.hpp"
#include "sim/time_step.hpp"

namespace swell {

namespace {

// Steps between two looks at whether the state is finite: cheap, and soon enough.
constexpr std::int64_t watch_every = 10;
// The host waits for the device after about so long, that progress is true and a run that blew up or was interrupted ends
// soon; counted in steps, since the host is far ahead of the device. The count grows at most by this factor at once.
constexpr double seconds_between_checks = 0.2;
constexpr std::int64_t patience_growth = 4;

}  // namespace

Simulation::Simulation(Case c, Device& device) : case_(std::move(c)) {
  const Stopwatch clock;
  mesh_ = mesh_of_case(case_);
  try {
    dg_ = make_operator(problem_of_case(case_, mesh_), device);
  } catch (const CompileError& refused) {
    if (case_.model_file.empty()) throw;
    throw InputError("The model file {} does not compile: {}.", case_.model_file.string(), refused.what());
  }
  const std::string name = case_.file.empty() ? "the case" : case_.file.filename().string();
  if (!case_.exact.empty()) exact_ = field_expressions(case_.exact, dg_->problem().model, "exact", name);
  for (const auto& field : dg_->problem().model.fields) exact_known_.push_back(case_.exact.contains(field));
  integrator_ = make_integrator(case_.scheme, *dg_);
  moment_.dt = time_step(case_, mesh_.shape(), case_.dt ? Stiffness{} : dg_->stiffness(case_.end.value_or(0)));
  end_ = case_.end ? *case_.end : static_cast<double>(*case_.steps) * moment_.dt;
  set_initial();
  dg_->monitor();
  setup_seconds_ = clock.seconds();
}

std::int64_t Simulation::predicted_steps() const {
  if (case_.steps) return *case_.steps;
  return static_cast<std::int64_t>(std::ceil(end_ / moment_.dt - step_tolerance));
}

void Simulation::set_initial() {
  const Model& model = dg_->problem().model;
  const auto initial = field_expressions(case_.initial, model, "initial",
                                         case_.file.empty() ? "the case" : case_.file.filename().string());
  const ReferenceElement& element = dg_->element();
  const CellMap map(mesh_, element.nodes);
  const int dim = mesh_.dim, fields = dg_->fields();
  std::vector<double> x(element.node_count * dim);
  // A jump that lies on faces is seen by each cell from its own side, as in the material.
  dg_->write_state(state(), [&](std::int64_t cell, double* values) {
    map.coordinates(cell, x.data());
    for (int n = 0; n < element.node_count; ++n) {
      double place[4] = {0, 0, 0, 0};
      dg_->material().inside(cell, x.data() + n * dim, place);
      for (int f = 0; f < fields; ++f) {
        values[n * fields + f] = initial[f](place);
        if (!std::isfinite(values[n * fields + f]))
          throw InputError("initial.{} = {} is {} at ({}, {}, {}).", model.fields[f], initial[f].text(),
                           values[n * fields + f], place[0], place[1], place[2]);
      }
    }
  });
}

void Simulation::advance(double until, const std::function<bool()>& after_step) {
  march(until, after_step);
  settle();
}

void Simulation::march(double until, const std::function<bool()>& after_step) {
  const Stopwatch clock;
  const bool fixed = case_.steps.has_value(), goes_on = moment_.done > 0 && moment_.until == until;
  if (!goes_on) {
    moment_.start = moment_.time;
    moment_.until = until;
    moment_.done = 0;
    integrator_->restart();
  }
  const double length = until - moment_.start;
  const auto count = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(length / moment_.dt - step_tolerance)));
  const double step = fixed || count == 0 ? moment_.dt : length / static_cast<double>(count);
  if (unchecked_ == 0) since_check_ = {};
  bool going = true;
  while (moment_.done < count && going) {
    integrator_->step(moment_.time, step);
    ++moment_.steps;
    ++moment_.done;
    ++unchecked_;
    const bool complete = moment_.done == count;
    moment_.time = fixed      ? moment_.origin + static_cast<double>(moment_.steps - moment_.origin_step) * moment_.dt
                   : complete ? until
                              : moment_.start + static_cast<double>(moment_.done) * step;
    const bool last = fixed ? moment_.steps == *case_.steps : complete && until >= end_;
    if (dg_->after_step(state(), moment_.steps, last)) integrator_->restart();
    if (moment_.steps % watch_every == 0) watch();
    if (after_step) going = after_step();
    if (unchecked_ >= patience_) check();
  }
  if (moment_.done >= count) moment_.done = 0;
  solve_seconds_ += clock.seconds();
}

void Simulation::resume(const Moment& moment) {
  const double dt = moment_.dt;
  moment_ = moment;
  if (moment.dt == dt) return;
  moment_.dt = dt;
  moment_.origin = moment.time;
  moment_.origin_step = moment.steps;
  moment_.done = 0;
  if (case_.steps) end_ = moment.time + static_cast<double>(*case_.steps - moment.steps) * dt;
}

void Simulation::settle() {
  const Stopwatch clock;
  if (moment_.steps % watch_every != 0) watch();
  check();
  solve_seconds_ += clock.seconds();
}

void Simulation::watch() {
  dg_->watch(state(), moment_.steps);
  watched_.emplace_back(moment_.steps, moment_.time);
}

void Simulation::check() {
  const Verdict verdict = dg_->monitor().verdict();
  ++checks_;
  if (unchecked_ >= patience_) {
    const double wanted =
        static_cast<double>(unchecked_) * seconds_between_checks / std::max(1e-9, since_check_.seconds());
    patience_ = std::clamp(static_cast<std::int64_t>(wanted), std::int64_t{1}, patience_growth * unchecked_);
  }
  unchecked_ = 0;
  since_check_ = {};
  if (!verdict.finite) blow_up(verdict);
  watched_.clear();
}

void Simulation::blow_up(const Verdict& verdict) {
  moment_.steps = verdict.step;
  for (const auto& [step, time] : watched_)
    if (step == verdict.step) moment_.time = time;
  watched_.clear();
  dg_->monitor().forget();
  const auto [cell, node, field] = dg_->place(verdict.index);
  std::vector<double> x(dg_->element().node_count * mesh_.dim);
  CellMap(mesh_, dg_->element().nodes).coordinates(cell, x.data());
  const double* at = x.data() + node * mesh_.dim;
  throw RunError(
      "The run blew up at t = {:.6g} (step {}): field {} is not finite in element {} at ({:.6g}, {:.6g}{}); try a "
      "smaller "
      "time.cfl, or look at the material and the boundaries there.",
      moment_.time, moment_.steps, dg_->problem().model.fields[field], mesh_.cells().tag.empty() ? cell : mesh_.cells().tag[cell],
      at[0], at[1], mesh_.dim == 3 ? fmt::format(", {:.6g}", at[2]) : "");
}

ErrorNorms Simulation::errors() { return measure_errors(*dg_, state(), exact_, exact_known_, moment_.time); }

double Simulation::value_at(const std::string& field, const std::vector<double>& point) {
  const int f = dg_->problem().model.field_index(field);
  if (f < 0) throw InputError("There is no field '{}'.", field);
  const auto hit = Locator(mesh_).find(point.data());
  if (hit.cell < 0) throw InputError("The point ({}) lies outside the mesh.", fmt::join(point, ", "));
  Matrix at(1, mesh_.dim);
  for (int d = 0; d < mesh_.dim; ++d) at(0, d) = hit.reference[d];
  const Matrix weights = dg_->element().interpolation(at);
  double value = 0;
  dg_->read_state(state(), [&](std::int64_t cell, const double* values) {
    if (cell != hit.cell) return;
    for (int n = 0; n < dg_->element().node_count; ++n) value += weights(0, n) * values[n * dg_->fields() + f];
  });
  return value;
}

}  // namespace swell
