// SPDX-License-Identifier: Apache-2.0
// The one place where verification meets simulations.
#include "study/verify/solve.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "base/names.hpp"
#include "sim/heat/heat.hpp"
#include "sim/outputs/farfield.hpp"
#include "sim/outputs/levelset_interface.hpp"
#include "sim/simulation.hpp"

namespace swell {

struct VerifyRun::Solvers {
  std::optional<Simulation> wave;
  std::optional<HeatSimulation> heat;

  Simulation& of_wave() {
    if (!wave) throw InputError("This measure goes with waves, transport and level sets, not with the model '{}'.", heat->given().model);
    return *wave;
  }
  HeatSimulation& of_heat() {
    if (!heat) throw InputError("This measure goes with heat and poisson, not with the model '{}'.", wave->given().model);
    return *heat;
  }
  int field_index(const std::string& field) {
    const Model& model = of_wave().dg().problem().model;
    const int index = model.field_index(field);
    if (index < 0) throw InputError("The model '{}' has no field '{}'{}.", wave->given().model, field, name_hint(field, model.fields));
    return index;
  }
  LevelSetOperator& of_levelset() {
    auto* const found = dynamic_cast<LevelSetOperator*>(&of_wave().dg());
    if (found == nullptr) throw InputError("This measure goes with levelset, not with the model '{}'.", wave->given().model);
    return *found;
  }
};

VerifyRun::VerifyRun(const Case& c, Device& device) : solvers_(std::make_unique<Solvers>()) {
  if (is_diffusion(c))
    solvers_->heat.emplace(c, device);
  else
    solvers_->wave.emplace(c, device);
}

VerifyRun::~VerifyRun() = default;

double VerifyRun::time() const { return solvers_->heat ? solvers_->heat->time() : solvers_->wave->time(); }
double VerifyRun::dt() const { return solvers_->heat ? solvers_->heat->dt() : solvers_->wave->dt(); }
double VerifyRun::end() const { return solvers_->heat ? solvers_->heat->end() : solvers_->wave->end(); }

void VerifyRun::advance(double until, const std::function<void()>& after_step) {
  if (solvers_->heat) {
    if (until != end()) throw InputError("Heat and poisson are measured at the end of their run only.");
    while (!solvers_->heat->done()) {
      solvers_->heat->step();
      if (after_step) after_step();
    }
  } else if (after_step) {
    solvers_->wave->advance(until, [&] {
      after_step();
      return true;
    });
  } else {
    solvers_->wave->advance(until);
  }
}

double VerifyRun::error(const std::string& field) {
  if (!(solvers_->heat ? solvers_->heat->has_exact() : solvers_->wave->has_exact())) throw InputError("The measure \"l2\" needs an [exact].");
  if (solvers_->heat) return solvers_->heat->errors().relative();
  const ErrorNorms errors = solvers_->wave->errors();
  if (field.empty()) return errors.relative();
  const int index = solvers_->field_index(field);
  return errors.l2[index] / errors.size[index];
}

double VerifyRun::distance(const std::string& field, const std::function<double(double, double)>& exact) {
  Simulation& simulation = solvers_->of_wave();
  const Operator& dg = simulation.dg();
  const ReferenceElement& element = dg.element();
  const Cubature rule = cubature(element.shape, 2 * element.order + 2);
  const auto points = rule.points.rows();
  const Matrix values_from = element.interpolation(rule.points);
  const CellMap map(simulation.mesh(), rule.points);
  const int index = solvers_->field_index(field), fields = dg.fields();
  std::vector<double> x(points * 2), jacobians(points * 4);
  double error = 0, size = 0;
  dg.read_state(simulation.state(), [&](std::int64_t cell, const double* values) {
    map.coordinates(cell, x.data());
    map.jacobians(cell, jacobians.data());
    for (Eigen::Index i = 0; i < points; ++i) {
      double found = 0;
      for (int n = 0; n < element.node_count; ++n) found += values_from(i, n) * values[n * fields + index];
      const double* j = jacobians.data() + 4 * i;
      const double weight = rule.weights(i) * std::abs(j[0] * j[3] - j[1] * j[2]);
      const double known = exact(x[2 * i], x[2 * i + 1]);
      error += weight * (found - known) * (found - known);
      size += weight * known * known;
    }
  });
  return std::sqrt(error / size);
}

double VerifyRun::value_at(const std::string& field, std::vector<double> point) {
  // One point may serve meshes in the plane and in space.
  const int dim = solvers_->heat ? solvers_->heat->mesh().dim : solvers_->wave->mesh().dim;
  if (static_cast<int>(point.size()) > dim) point.resize(dim);
  if (solvers_->heat) return solvers_->heat->value_at(point);
  const auto& fields = solvers_->wave->dg().problem().model.fields;
  return solvers_->wave->value_at(field.empty() ? fields.front() : field, point);
}

double VerifyRun::energy() { return solvers_->of_wave().energy(); }
double VerifyRun::stored_heat() { return solvers_->of_heat().stored_heat(); }
double VerifyRun::iterations() const { return static_cast<double>(solvers_->of_heat().iterations()); }

EnclosedMeasures VerifyRun::enclosed() {
  const LevelSetOperator& dg = solvers_->of_levelset();
  Simulation& simulation = *solvers_->wave;
  const auto given = simulation.given().exact.find("G");
  if (given == simulation.given().exact.end()) throw InputError("This measure needs [exact] with G.");
  const Expression exact = Expression::parse(given->second.text, space_time_variables, given->second.key);
  const InterfaceMeasures found = measure_interface(dg, simulation.state(), &exact, simulation.time());
  return {found.enclosed, found.exact, found.misplaced};
}

double VerifyRun::mass() { return solvers_->of_levelset().measure(solvers_->wave->state())[LevelSet::mass]; }

double VerifyRun::rounding() const {
  const Case& c = solvers_->heat ? solvers_->heat->given() : solvers_->wave->given();
  return c.precision == Precision::single_ ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

std::vector<double> VerifyRun::far_field() {
  Simulation& simulation = solvers_->of_wave();
  if (!simulation.given().far_field) throw InputError("This measure needs a [farfield].");
  FarField far(simulation);
  far.sample();
  advance(end(), [&] { far.sample(); });
  std::vector<double> result;
  for (const FarFieldEntry& entry : far.entries()) result.push_back(entry.section);
  return result;
}

std::vector<double> VerifyRun::nodal_values() {
  if (solvers_->heat) return solvers_->heat->nodal_values();
  Simulation& simulation = *solvers_->wave;
  const std::size_t count = simulation.dg().element().node_count * simulation.dg().fields();
  std::vector<double> all(simulation.mesh().cell_count() * count);
  simulation.dg().read_state(simulation.state(), [&](std::int64_t cell, const double* of_cell) {
    std::copy_n(of_cell, count, all.begin() + cell * static_cast<std::ptrdiff_t>(count));
  });
  return all;
}

}  // namespace swell
