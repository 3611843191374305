// SPDX-License-Identifier: Apache-2.0
#include "model/boundary_check.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace swell {

namespace {

// Admissible quantities that are given themselves must be positive.
void check_given_state(const Problem& problem, const BoundarySpec& boundary, const double* at) {
  double place[4] = {0, 0, 0, 0};
  std::copy_n(at, problem.mesh->dim, place);
  const auto& names = boundary.in_variables ? problem.model.variables : problem.model.fields;
  for (const auto& name : problem.model.admissible) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) continue;
    const Expression& given = boundary.data[static_cast<std::size_t>(found - names.begin())];
    if (const double value = given(place); !(value > 0))
      throw InputError("A boundary gives {} = {} with the value {} at ({}, {}, {}); it must be positive.", name, given.text(), value, place[0],
                       place[1], place[2]);
  }
}

}  // namespace

void check_boundary_data(const Problem& problem, int spec, const double* at) {
  const BoundarySpec& boundary = problem.boundary[spec];
  if (boundary.kind == BoundarySpec::Kind::dirichlet) return check_given_state(problem, boundary, at);
  if (boundary.kind != BoundarySpec::Kind::model) return;
  const auto& parameters = problem.model.boundary(boundary.name)->parameters;
  double place[4] = {0, 0, 0, 0};
  std::copy_n(at, problem.mesh->dim, place);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double value = boundary.data[i](place);
    if (in_range(parameters[i], value)) continue;
    throw InputError("The boundary kind '{}' has {} = {} with the value {} at ({}, {}, {}); it must be {}.",
                     boundary.name, parameters[i].name, boundary.data[i].text(), value, place[0], place[1], place[2],
                     range_words(parameters[i]));
  }
}

}  // namespace swell
