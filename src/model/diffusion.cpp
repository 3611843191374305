// SPDX-License-Identifier: Apache-2.0
#include "model/diffusion.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "model/model_probe.hpp"

namespace swell {

namespace {

constexpr double rounding = 1e-12;

bool same(double a, double b) { return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b)); }

// The one of some numbers that a value is; -1 where it is none.
int index_of(double value, const Matrix& among) {
  for (Eigen::Index i = 0; i < among.cols(); ++i)
    if (same(value, among(0, i))) return static_cast<int>(i);
  return -1;
}

// Numbers that nothing singles out, so that equal values are no accident.
Matrix samples(std::size_t count, double first) {
  Matrix all(1, static_cast<Eigen::Index>(std::max<std::size_t>(1, count)));
  for (Eigen::Index i = 0; i < all.cols(); ++i) all(0, i) = first + 0.37 * static_cast<double>(i) + 0.11 * std::sin(1.0 + static_cast<double>(i));
  return all;
}

class Reader {
 public:
  Reader(const Model& model, Device& device) : model_(model), probe_(model, device), material_(samples(model.material.size(), 0.83)) {}

  DiffusionPage read() const {
    DiffusionPage page;
    if (model_.fields.size() != 1) fail("a page with viscous_flux and without flux has one field");
    page.conductivity = index_of(flux_along(0), material_);
    for (int d = 0; d < model_.dim; ++d)
      if (page.conductivity < 0 || !same(flux_along(d), material_(0, page.conductivity)))
        fail("its viscous_flux must be one of its materials times the derivative along n");
    if (model_.has("mass")) {
      page.capacity = index_of(probe_.mass(material_, Matrix::Ones(1, 1))(0, 0), material_);
      if (page.capacity < 0) fail("its mass must be one of its materials times the field");
    }
    for (const auto& kind : model_.boundaries) page.conditions.push_back(condition(kind));
    return page;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError("The model '{}' cannot be used: {}.", model_.name, what); }

  // For a gradient of 1 along an axis; 0 where any other component counts.
  double flux_along(int axis) const {
    Matrix n = Matrix::Zero(1, model_.dim), across = Matrix::Ones(1, model_.dim);
    n(0, axis) = 1;
    across(0, axis) = 0;
    const Matrix q = Matrix::Ones(1, 1);
    return probe_.viscous_flux(q, across, material_, n)(0, 0) == 0 ? probe_.viscous_flux(q, n, material_, n)(0, 0) : 0;
  }

  DiffusionPage::Condition condition(const BoundaryKind& kind) const {
    using Kind = DiffusionBoundary::Kind;
    const Matrix data = samples(kind.parameters.size(), 1.29);
    Matrix n = Matrix::Zero(1, model_.dim);
    n(0, 0) = 1;
    const auto at = [&](double q) { return probe_.boundary(kind.name, Matrix::Constant(1, 1, q), material_, n, data)(0, 0); };
    const double zero = at(0), one = at(1), two = at(2);
    DiffusionPage::Condition result;
    if (!same(two - one, one - zero) && !(two == one && one == zero)) fail("its boundary '" + kind.name + "' is not linear in the field");
    if (!kind.gradient) {
      result.kind = Kind::value;
      result.value = index_of(zero, data);
      if (zero != one || result.value < 0) fail("its state_" + kind.name + " must be one of the parameters");
    } else if (zero == one) {
      result.value = index_of(zero, data);
      if (result.value < 0) fail("its gradient_" + kind.name + " must be one of the parameters, or h (value - q)");
    } else {
      result.kind = Kind::robin;
      result.transfer = index_of(zero - one, data);
      result.value = index_of(zero / (zero - one), data);
      if (result.transfer < 0 || result.value < 0) fail("its gradient_" + kind.name + " must be h (value - q) with two of the parameters");
    }
    return result;
  }

  const Model& model_;
  ModelProbe probe_;
  Matrix material_;
};

}  // namespace

DiffusionPage read_diffusion_page(const Model& model, Device& device) { return Reader(model, device).read(); }

bool loads_in_time(const DiffusionProblem& problem) {
  const auto flux = [](const DiffusionBoundary& b) { return b.kind != DiffusionBoundary::Kind::value && b.value.uses("t"); };
  const auto point = [](const PointSourceSpec& p) { return p.signal.uses("t"); };
  return problem.source.uses("t") || std::any_of(problem.boundary.begin(), problem.boundary.end(), flux) ||
         std::any_of(problem.points.begin(), problem.points.end(), point);
}

DiffusionProblem diffusion_problem(const Problem& problem, const DiffusionPage& page) {
  DiffusionProblem result;
  result.mesh = problem.mesh;
  result.order = problem.order;
  result.precision = problem.precision;
  result.form = problem.form;
  for (const auto& region : problem.material) {
    DiffusionMaterial material;
    if (page.capacity >= 0) material.capacity = region[page.capacity];
    material.conductivity = region[page.conductivity];
    result.material.push_back(material);
  }
  for (const BoundarySpec& given : problem.boundary) {
    DiffusionBoundary boundary;
    if (given.kind == BoundarySpec::Kind::dirichlet) {
      boundary.kind = DiffusionBoundary::Kind::value;
      boundary.value = given.data.front();
    } else {
      const auto& kinds = problem.model.boundaries;
      const auto& condition = page.conditions[problem.model.boundary(given.name) - kinds.data()];
      boundary.kind = condition.kind;
      boundary.value = given.data[condition.value];
      if (condition.transfer >= 0) boundary.transfer = given.data[condition.transfer];
      if (boundary.transfer.uses("t"))
        throw InputError("The heat transfer {} of a boundary uses t; give it in x, y and z.", boundary.transfer.text());
    }
    result.boundary.push_back(boundary);
  }
  if (!problem.source.empty()) result.source = problem.source.front();
  result.points = problem.points;
  return result;
}

}  // namespace swell
