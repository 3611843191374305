// SPDX-License-Identifier: Apache-2.0
#include "dg/autonomous.hpp"

#include <algorithm>
#include <set>

#include "model/model_probe.hpp"

namespace swell {

namespace {

// Whether a boundary kind leaves a zero state at zero, tested at the middle of the first cell.
bool keeps_zero(const Problem& problem, const BoundarySpec& spec, const MaterialField& material,
                const ModelProbe& probe) {
  const int data_width = std::max(1, static_cast<int>(spec.data.size()));
  Matrix m = Matrix::Zero(1, probe.parameters()), n = Matrix::Zero(1, problem.model.dim),
         data = Matrix::Zero(1, data_width);
  std::copy_n(material.constant(0), material.parameters(), m.data());
  n(0, 0) = 1;
  const double origin[4] = {0, 0, 0, 0};
  for (std::size_t i = 0; i < spec.data.size(); ++i) data(0, static_cast<Eigen::Index>(i)) = spec.data[i](origin);
  // Both ways through the face: a velocity may point in or out.
  for (const double side : {1.0, -1.0})
    if (probe.boundary(spec.name, Matrix::Zero(1, probe.fields()), m, side * n, data).cwiseAbs().maxCoeff() > 0)
      return false;
  return true;
}

}  // namespace

bool is_autonomous(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device) {
  const bool other_points = !problem.points.empty() && problem.scheme != "ader";
  if (!problem.model.linear || !problem.source.empty() || other_points || problem.total_field || material.in_time()) return false;
  std::set<int> used;
  for (const auto& ghost : layout.ghosts) used.insert(ghost.spec);
  const ModelProbe probe(problem.model, device);
  const bool here = std::all_of(used.begin(), used.end(), [&](int number) {
    const BoundarySpec& spec = problem.boundary[number];
    if (spec.kind == BoundarySpec::Kind::incident) return false;
    if (std::any_of(spec.data.begin(), spec.data.end(), [](const Expression& e) { return e.uses("t"); })) return false;
    if (spec.kind == BoundarySpec::Kind::dirichlet)
      return std::all_of(spec.data.begin(), spec.data.end(),
                         [](const Expression& e) { return e.is_constant() && e.constant() == 0; });
    return keeps_zero(problem, spec, material, probe);
  });
  return problem.ranks->all(here);
}

}  // namespace swell
