// SPDX-License-Identifier: Apache-2.0
// The one place where verification meets simulations.
#include "study/verify/solve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/exact_sum.hpp"
#include "base/names.hpp"
#include "dg/levelset/interface.hpp"
#include "sim/outputs/farfield.hpp"

namespace swell {

VerifyRun::VerifyRun(const Case& c, Device& device) : evolution_(make_evolution(c, device)) {}

void VerifyRun::advance(double until, const std::function<void()>& after_step) {
  evolution_->advance(until, [&] {
    if (after_step) after_step();
    return true;
  });
  if (!evolution_->steady() && std::abs(evolution_->time() - until) > evolution_->nearly())
    throw InputError("The steps of the model '{}' do not end at t = {:.6g}, where a row is measured: choose a time.dt that divides it.",
                     evolution_->model(), until);
}

std::size_t VerifyRun::field_index(const std::string& field) const {
  const auto& fields = evolution_->fields();
  const auto found = field.empty() ? fields.begin() : std::find(fields.begin(), fields.end(), field);
  if (found == fields.end()) throw InputError("The model '{}' has no field '{}'{}.", evolution_->model(), field, name_hint(field, fields));
  return static_cast<std::size_t>(found - fields.begin());
}

double VerifyRun::error(const std::string& field, const Expression* where) {
  if (!evolution_->has_exact()) throw InputError("The measure \"l2\" needs an [exact].");
  const ErrorNorms errors = evolution_->errors(where);
  if (field.empty()) return errors.relative();
  const std::size_t index = exact_index(field);
  return errors.l2[index] / errors.size[index];
}

double VerifyRun::error_l1(const std::string& field) {
  if (!evolution_->has_exact()) throw InputError("The measure \"l1\" needs an [exact].");
  return evolution_->errors().l1[exact_index(field)];
}

std::size_t VerifyRun::exact_index(const std::string& field) const {
  const auto& names = evolution_->exact_names();
  const auto found = field.empty() ? names.begin() : std::find(names.begin(), names.end(), field);
  if (found == names.end()) throw InputError("[exact] of the model '{}' has no '{}'{}.", evolution_->model(), field, name_hint(field, names));
  return static_cast<std::size_t>(found - names.begin());
}

double VerifyRun::distance(const std::string& field, const std::function<double(double, double)>& exact) {
  if (evolution_->reference().mixed()) throw InputError("This measure goes with meshes of one shape.");
  const ReferenceElement& element = evolution_->element();
  const Cubature rule = cubature(element.shape, 2 * element.order + 2);
  const auto points = rule.points.rows();
  const Matrix values_from = element.interpolation(rule.points);
  const CellMap map(evolution_->mesh(), rule.points);
  const std::size_t index = field_index(field), fields = evolution_->fields().size();
  std::vector<double> x(points * 2), jacobians(points * 4);
  double error = 0, size = 0;
  evolution_->read([&](std::int64_t cell, const double* values) {
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
  const auto dim = static_cast<std::size_t>(evolution_->mesh().dim);
  if (point.size() > dim) point.resize(dim);
  return evolution_->value_at(field.empty() ? evolution_->fields().front() : field, point);
}

double VerifyRun::integral(const std::string& name) {
  if (name.empty()) return evolution_->energy();
  for (const auto& quantity : evolution_->quantities())
    if (quantity->name() == name) return quantity->value();
  const auto index = static_cast<Eigen::Index>(field_index(name)), fields = static_cast<Eigen::Index>(evolution_->fields().size());
  const int dim = evolution_->mesh().dim;
  ExactSum sum;
  evolution_->read([&](std::int64_t cell, const double* values) {
    const ReferenceElement& element = evolution_->reference().of_cell(cell);
    const Cubature rule = cubature(element.shape, 2 * element.order);
    const Matrix found = element.interpolation(rule.points) * Eigen::Map<const Matrix>(values, element.node_count, fields).col(index);
    std::vector<double> jacobians(static_cast<std::size_t>(rule.points.rows() * dim * dim));
    CellMap(evolution_->mesh(), element.shape, rule.points).jacobians(cell, jacobians.data());
    for (Eigen::Index i = 0; i < rule.points.rows(); ++i)
      sum.add(rule.weights(i) * std::abs(Eigen::Map<const Matrix>(jacobians.data() + i * dim * dim, dim, dim).determinant()) * found(i, 0));
  });
  return sum.value();
}

double VerifyRun::iterations() const {
  Summary summary;
  evolution_->describe(summary);
  if (!summary.solver) throw InputError("This measure goes with heat and poisson, not with the model '{}'.", evolution_->model());
  return static_cast<double>(summary.solver->iterations);
}

EnclosedMeasures VerifyRun::enclosed() {
  const auto given = evolution_->given().exact.find(evolution_->fields().front());
  if (given == evolution_->given().exact.end())
    throw InputError("This measure needs [exact] with {}.", evolution_->fields().front());
  const Expression exact = Expression::parse(given->second.text, space_time_variables, given->second.key);
  const InterfaceMeasures found = measure_interface(
      evolution_->mesh(), evolution_->element(), [&](const auto& visit) { evolution_->read(visit); }, evolution_->ranks(), &exact, time());
  return {found.enclosed, found.exact, found.misplaced};
}

double VerifyRun::mass() {
  for (const auto& quantity : evolution_->quantities())
    if (quantity->name() == "mass") return quantity->value();
  for (const ExtraTable& table : evolution_->tables())
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (table.columns[i] == "mass") return table.row()[i];
  throw InputError("This measure goes with levelset and with models that have quantity_mass, not with the model '{}'.", evolution_->model());
}

double VerifyRun::rounding() const {
  return evolution_->given().precision == Precision::single_ ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

std::vector<double> VerifyRun::far_field() {
  if (!evolution_->given().far_field) throw InputError("This measure needs a [farfield].");
  FarField far(*evolution_);
  far.sample();
  advance(end(), [&] { far.sample(); });
  std::vector<double> result;
  for (const FarFieldEntry& entry : far.entries()) result.push_back(entry.section);
  return result;
}

std::vector<double> VerifyRun::nodal_values() {
  const Elements& elements = evolution_->reference();
  const auto fields = static_cast<std::int64_t>(evolution_->fields().size());
  std::vector<double> all(elements.first_node(evolution_->mesh().own_count()) * fields);
  evolution_->read([&](std::int64_t cell, const double* of_cell) {
    std::copy_n(of_cell, elements.node_count(cell) * fields, all.begin() + elements.first_node(cell) * fields);
  });
  return all;
}

}  // namespace swell
