// SPDX-License-Identifier: Apache-2.0
#include "dg/near_points.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
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

TimeEnters where_time_enters(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device) {
  const bool other_points = !problem.points.empty() && problem.scheme != "ader";
  if (!problem.model.linear || !problem.source.empty() || other_points || material.in_time()) return TimeEnters::elsewhere;
  std::set<int> used;
  for (const auto& ghost : layout.ghosts) used.insert(ghost.spec);
  const ModelProbe probe(problem.model, device);
  double worst = problem.total_field ? 1 : 0;
  for (const int number : used) {
    if (number < 0) continue;  // the total field's
    const BoundarySpec& spec = problem.boundary[number];
    const bool of_model = spec.kind == BoundarySpec::Kind::model,
               in_time = std::any_of(spec.data.begin(), spec.data.end(), [](const Expression& e) { return e.uses("t"); });
    const auto is_zero = [](const Expression& e) { return e.is_constant() && e.constant() == 0; };
    bool zero = !in_time && spec.kind != BoundarySpec::Kind::incident;
    if (zero) zero = of_model ? keeps_zero(problem, spec, material, probe) : std::all_of(spec.data.begin(), spec.data.end(), is_zero);
    // Parameters of a model's kind may multiply the state.
    if (!zero) worst = std::max(worst, of_model && in_time ? 2.0 : 1.0);
  }
  worst = problem.ranks->largest(worst);
  return worst == 0 ? TimeEnters::nowhere : worst == 1 ? TimeEnters::through_faces : TimeEnters::elsewhere;
}

bool is_autonomous(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device) {
  return where_time_enters(problem, layout, material, device) == TimeEnters::nowhere;
}

BoundaryRule::BoundaryRule(int order) {
  const Cubature rule = gauss_jacobi(0, 0, order);
  for (int i = 0; i < order; ++i) {
    times.push_back((1 + rule.points(i, 0)) / 2);
    weights.push_back(rule.weights(i) / 2);
  }
}

BoundaryRule boundary_rule_of_clusters(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device) {
  const TimeEnters where = where_time_enters(problem, layout, material, device);
  if (where == TimeEnters::elsewhere)
    throw InputError(
        "time.local takes point sources, incident waves and the boundary kinds dirichlet and exact, but no [source] in the volume, no "
        "material and no other boundary data that depend on t: leave time.local out.");
  return where == TimeEnters::nowhere ? BoundaryRule() : BoundaryRule(problem.order);
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
