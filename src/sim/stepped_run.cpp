// SPDX-License-Identifier: Apache-2.0
#include "sim/stepped_run.hpp"

#include <fmt/ranges.h>

#include <cmath>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/log_capture.hpp"
#include "base/names.hpp"
#include "case/case.hpp"
#include "element/lattice.hpp"

namespace swell {

namespace {

// Outputs of a run that cannot be read from memory.
void tell_left_out(const Case& c) {
  std::vector<std::string> keys;
  for (const auto& [asked, key] : {std::pair{c.fields_every.has_value(), "output.fields"}, {c.picture.has_value(), "output.picture"},
                                   {c.energy_every > 0, "output.energy_every"}, {c.averages.has_value(), "output.averages"}, {c.estimate, "output.estimate"},
                                   {c.checkpoint.has_value(), "output.checkpoint"}, {c.far_field.has_value(), "farfield"}})
    if (asked) keys.emplace_back(key);
  if (!keys.empty()) log_warning("A run that a program steps writes no files: {} of the case is left out; `swell run` has it.", fmt::join(keys, ", "));
}

}  // namespace

SteppedRun::SteppedRun(const Case& c) : device_(open_device(c.backend)), evolution_(make_evolution(c, *device_)) {
  if (evolution_->reference().mixed())
    throw InputError("The mesh has cells of several shapes ({}), whose fields are no rectangular arrays; run it with `swell run`.",
                     evolution_->mesh().shapes_in_words());
  receivers_.emplace(*evolution_);
  receivers_->keep();
  if (!c.surfaces.empty()) series_.push_back(make_surfaces(*evolution_));
  if (!c.probes.empty()) series_.push_back(make_line_probes(*evolution_));
  for (const auto& series : series_) series->keep();
  if (!evolution_->steady()) sample();
  for (const auto& warning : evolution_->introduction().warnings) log_warning("{}", warning);
  tell_left_out(c);
}

void SteppedRun::sample() {
  receivers_->sample();
  for (const auto& series : series_) series->sample();
}

bool SteppedRun::after(const AfterStep& after_step) {
  sample();
  if (evolution_->finished() && !ended_) {
    for (const auto& series : series_) series->finish();
    ended_ = true;
  }
  return !after_step || after_step();
}

// A step that asks for another one would find the state half done.
template <class Way>
bool SteppedRun::moved(const Way& way) {
  if (moving_) throw InputError("The run is being advanced already; go on after the step that called back.");
  struct Mark {
    bool& on;
    explicit Mark(bool& flag) : on(flag) { on = true; }
    ~Mark() { on = false; }
  } const mark(moving_);
  const LogCapture capture(said_);
  return way();
}

bool SteppedRun::advance(double until, const AfterStep& after_step) {
  if (!std::isfinite(until)) throw InputError("A run advances to a finite time, not to {}.", until);
  if (until < time() - 1e-9 * dt()) throw InputError("The run is at t = {:.9g} and cannot go back to {:.9g}.", time(), until);
  return moved([&] {
    bool going = true;
    evolution_->advance(until, [&] { return going = after(after_step); });
    return going;
  });
}

bool SteppedRun::step(std::int64_t count, const AfterStep& after_step) {
  if (count < 0) throw InputError("A run makes 0 steps or more, not {}.", count);
  return moved([&] {
    bool going = true;
    double behind = end();  // the end of the steps behind the end of the run
    for (std::int64_t left = count; left > 0 && going; --left) {
      if (evolution_->finished() && !(behind > time() + evolution_->nearly())) behind = time() + static_cast<double>(left) * dt();
      if (!evolution_->step(evolution_->finished() ? behind : end())) break;
      going = after(after_step);
    }
    evolution_->settle();
    return going;
  });
}

void SteppedRun::set_field(std::size_t index, const std::vector<double>& values) {
  if (moving_) throw InputError("A field cannot be set while a step calls back; set it between calls of step() or advance().");
  const auto expected = static_cast<std::size_t>(elements() * nodes_per_element());
  if (values.size() != expected)
    throw InputError("The field {} has {} values, {} elements by {} nodes, not {}.", fields()[index], expected, elements(),
                     nodes_per_element(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InputError("The field {} cannot be set to {} (at place {}).", fields()[index], values[i], i);
  evolution_->write(static_cast<int>(index), values);
}

std::vector<std::int64_t> SteppedRun::triangles() const {
  const ReferenceElement& of = evolution_->element();
  if (of.dim != 2) throw InputError("Triangles cover a mesh in the plane, not one of {} dimensions.", of.dim);
  std::vector<std::int64_t> of_one;
  const auto add = [&](LatticeIndex a, LatticeIndex b, LatticeIndex c) {
    for (const LatticeIndex& corner : {a, b, c}) of_one.push_back(lattice_number(of.shape, of.order, corner));
  };
  for (int j = 0; j < of.order; ++j)
    for (int i = 0; i < of.order - (is_simplex(of.shape) ? j : 0); ++i) {
      add({i, j, 0}, {i + 1, j, 0}, {i, j + 1, 0});
      if (!is_simplex(of.shape) || i + j + 1 < of.order) add({i + 1, j, 0}, {i + 1, j + 1, 0}, {i, j + 1, 0});
    }
  std::vector<std::int64_t> all;
  all.reserve(of_one.size() * static_cast<std::size_t>(elements()));
  for (std::int64_t cell = 0; cell < elements(); ++cell)
    for (const std::int64_t node : of_one) all.push_back(cell * of.node_count + node);
  return all;
}

double SteppedRun::value_at(std::size_t field, const std::vector<double>& point) {
  if (point.size() != static_cast<std::size_t>(dim()))
    throw InputError("A point has {} numbers here, not {}.", dim(), point.size());
  return evolution_->value_at(fields()[field], point);
}

std::size_t SteppedRun::field_index(const std::string& name) const {
  for (std::size_t i = 0; i < fields().size(); ++i)
    if (fields()[i] == name) return i;
  throw InputError("The model '{}' has no field '{}'{}.", model(), shown(name), name_hint(name, fields()));
}

std::vector<double> SteppedRun::nodes() const {
  const Mesh& mesh = evolution_->mesh();
  const CellMap map(mesh, evolution_->element().nodes);
  const std::int64_t each = nodes_per_element() * mesh.dim;
  std::vector<double> x(mesh.own_count() * each);
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell) map.coordinates(cell, x.data() + cell * each);
  return x;
}

std::vector<double> SteppedRun::field(std::size_t index) {
  const auto nodes = static_cast<std::int64_t>(nodes_per_element()), width = static_cast<std::int64_t>(fields().size());
  std::vector<double> values(elements() * nodes);
  evolution_->read([&](std::int64_t cell, const double* of_cell) {
    for (std::int64_t n = 0; n < nodes; ++n) values[cell * nodes + n] = of_cell[n * width + static_cast<std::int64_t>(index)];
  });
  return values;
}

std::vector<std::string> SteppedRun::receivers() const {
  std::vector<std::string> names;
  for (const auto& r : evolution_->given().receivers) names.push_back(r.name);
  for (const auto& series : series_)
    for (std::string& name : series->names()) names.push_back(std::move(name));
  return names;
}

SignalTable SteppedRun::signal(std::size_t receiver) {
  const std::size_t receivers = evolution_->given().receivers.size();
  if (receiver < receivers) {
    receivers_->flush();
    return receivers_->table(receiver);
  }
  std::size_t number = receiver - receivers;
  auto series = series_.begin();
  for (; number >= (*series)->names().size(); ++series) number -= (*series)->names().size();
  (*series)->flush();
  return (*series)->table(number);
}

std::vector<FieldErrors> SteppedRun::errors(double* total_l2) {
  if (!evolution_->has_exact()) throw InputError("The case has no [exact] to measure errors against.");
  const ErrorNorms norms = evolution_->errors();
  std::vector<FieldErrors> errors;
  const auto& names = evolution_->exact_names();
  for (std::size_t f = 0; f < names.size(); ++f)
    if (evolution_->exact_known()[f]) errors.push_back({names[f], norms.l1[f], norms.l2[f], norms.linf[f]});
  if (total_l2 != nullptr) *total_l2 = norms.total_l2;
  return errors;
}

std::unique_ptr<SteppedRun> make_stepped_run(const GivenCase& given) {
  std::vector<std::string> said;
  const LogCapture capture(said);
  const Case c = read_given(given);
  auto run = std::make_unique<SteppedRun>(c);
  run->said_ = std::move(said);
  return run;
}

}  // namespace swell
