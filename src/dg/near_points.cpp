// SPDX-License-Identifier: Apache-2.0
#include "dg/near_points.hpp"

#include "element/basis.hpp"
#include "element/dense.hpp"

namespace swell {

NearPoints::NearPoints(const Problem& problem, const Layout& layout) : times_(series_times(problem.order)) {
  const Mesh& mesh = *problem.mesh;
  for (const Group& group : layout.groups)
    if (group.near) slots = std::max(slots, group.first + group.padded);
  bool meets_another_rank = false;
  for (std::int64_t slot = 0; slot < slots; ++slot) {
    const auto cell = layout.cell_of_slot[slot];
    for (int f = 0; cell >= 0 && f < face_count(mesh.shape()); ++f) {
      const auto other = mesh.neighbour(cell, f).cell;
      if (other < 0) ghosts = true;
      else if (!problem.near_points[other]) cut.emplace_back(slot, f);
      else meets_another_rank = meets_another_rank || other >= mesh.own_count();
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
