// SPDX-License-Identifier: Apache-2.0
#include "model/boundary_check.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace swell {

namespace {

const std::vector<std::string>& given_names(const Problem& problem, const BoundarySpec& boundary) {
  return boundary.in_variables ? problem.model.variables : problem.model.fields;
}

// Admissible quantities that are given themselves must be positive.
std::optional<BoundaryFault> fault_of_state(const Problem& problem, const BoundarySpec& boundary, const double* at) {
  const auto& names = given_names(problem, boundary);
  for (const auto& name : problem.model.admissible) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) continue;
    const auto datum = static_cast<std::size_t>(found - names.begin());
    if (const double value = boundary.data[datum](at); !(value > 0)) return BoundaryFault{datum, value};
  }
  return std::nullopt;
}

}  // namespace

std::optional<BoundaryFault> boundary_fault(const Problem& problem, const BoundarySpec& boundary, const double* at) {
  if (boundary.kind == BoundarySpec::Kind::dirichlet) return fault_of_state(problem, boundary, at);
  if (boundary.kind != BoundarySpec::Kind::model) return std::nullopt;
  const auto& parameters = problem.model.boundary(boundary.name)->parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (const double value = boundary.data[i](at); !in_range(parameters[i], value)) return BoundaryFault{i, value};
  return std::nullopt;
}

std::string fault_words(const Problem& problem, const BoundarySpec& boundary, const BoundaryFault& fault) {
  const bool state = boundary.kind == BoundarySpec::Kind::dirichlet;
  const std::string& name =
      state ? given_names(problem, boundary)[fault.datum] : problem.model.boundary(boundary.name)->parameters[fault.datum].name;
  return fmt::format("{} = {} with the value {:.6g}", name, boundary.data[fault.datum].text(), fault.value);
}

std::string range_words(const Problem& problem, const BoundarySpec& boundary, const BoundaryFault& fault) {
  if (boundary.kind == BoundarySpec::Kind::dirichlet) return "positive";
  return range_words(problem.model.boundary(boundary.name)->parameters[fault.datum]);
}

void check_boundary_data(const Problem& problem, int spec, const double* at) {
  const BoundarySpec& boundary = problem.boundary[spec];
  double place[4] = {0, 0, 0, 0};
  std::copy_n(at, problem.mesh->dim, place);
  const auto fault = boundary_fault(problem, boundary, place);
  if (!fault) return;
  const std::string gives = boundary.kind == BoundarySpec::Kind::dirichlet ? "A boundary gives"
                                                                           : fmt::format("The boundary kind '{}' has", boundary.name);
  throw InputError("{} {} at ({}, {}, {}); it must be {}.", gives, fault_words(problem, boundary, *fault), place[0], place[1], place[2],
                   range_words(problem, boundary, *fault));
}

}  // namespace swell
