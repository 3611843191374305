// SPDX-License-Identifier: Apache-2.0
#include "dg/near_points.hpp"

#include <algorithm>
#include <set>

#include "element/basis.hpp"
#include "element/dense.hpp"
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
  if (!problem.model.linear || !problem.source.empty() || other_points || problem.total_field || material.in_time())
    return false;
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

NearPoints::NearPoints(const Problem& problem, const Layout& layout) : times_(series_times(problem.order)) {
  const Mesh& mesh = *problem.mesh;
  for (const Group& group : layout.groups)
    if (group.near) slots = std::max(slots, group.first + group.padded);
  bool meets_another_rank = false;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    const auto cell = layout.cell_of_slot[slot];
    for (int f = 0; cell >= 0 && f < face_count(mesh.shape_of(cell)); ++f) {
      const auto other = mesh.neighbour(cell, f).cell;
      if (other < 0)
        ghosts = true;
      else if (!problem.near_points[other])
        cut.emplace_back(slot, f);
      else
        meets_another_rank = meets_another_rank || other >= mesh.own_count();
    }
  }
  for (const GhostFace& ghost : layout.ghosts) ghosts = ghosts || ghost.slot < slots;
  any = problem.ranks->any(slots > 0);
  across = problem.ranks->any(meets_another_rank);
  find_series();
}

// From the polynomial through the values at Gauss points, of which the integral is that of their rule.
void NearPoints::find_series() {
  const Cubature rule = gauss_jacobi(0, 0, times_);
  Matrix powers(times_, times_);
  for (int i = 0; i < times_; ++i) {
    series.push_back((1 + rule.points(i, 0)) / 2);
    for (int k = 0; k < times_; ++k) powers(i, k) = k == 0 ? 1 : powers(i, k - 1) * series[i];
  }
  const Matrix coefficients = inverse(powers);
  double factorial = 1;
  for (int k = 0; k < times_; factorial *= ++k)
    for (int i = 0; i < times_; ++i) series.push_back(factorial * coefficients(k, i));
  for (int i = 0; i < times_; ++i) series.push_back(rule.weights(i) / 2);
}

}  // namespace swell
