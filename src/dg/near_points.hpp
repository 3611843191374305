// SPDX-License-Identifier: Apache-2.0
// A step of ADER asks two things of a problem: whether one linear map serves for all times, and which elements are near a point source.
#pragma once

#include "dg/layout.hpp"

namespace swell {

// Times of a step at which signals are evaluated: the terms of the Taylor series need as many derivatives.
constexpr int series_times(int order) { return order; }

// Where time enters a linear problem's right-hand side besides its state: nowhere but at points for "ader", or through faces alone, as
// what boundary data and incident waves add there, or elsewhere.
enum class TimeEnters : unsigned char { nowhere, through_faces, elsewhere };
TimeEnters where_time_enters(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device);

// Whether a problem's right-hand side is one linear map for all times: no sources but points for "ader", no boundary data, nothing
// in time.
bool is_autonomous(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device);

// How boundaries act in a step of a cluster of elements: at the times of a rule the state behind the mean trace of the step counts with a
// weight. A rule of one time where no time enters: the map is linear, and does for integrals what it does for states.
struct BoundaryRule {
  BoundaryRule() = default;
  explicit BoundaryRule(int order);
  // use(time, factor of the integrals of traces, part of the state behind them, whether it is added to what was found before). A step
  // of length 0 has no boundary.
  template <class Use>
  void visit(double t, double dt, const Use& use) const {
    if (times.empty() || dt == 0) return use(t, 1.0, times.empty() ? 1.0 : 0.0, false);
    for (std::size_t i = 0; i < times.size(); ++i) use(t + times[i] * dt, 1 / dt, weights[i] * dt, i > 0);
  }
  std::vector<double> times, weights;  // parts of the step; empty: no time enters
};

// Lists of copies of traces between clusters: those that the next finer cluster sees, and those that the next coarser one sees.
inline std::size_t seen_by_finer(int cluster) { return 2 * static_cast<std::size_t>(cluster); }
inline std::size_t seen_by_coarser(int cluster) { return seen_by_finer(cluster) + 1; }

// Throws InputError for what local time stepping does not take.
BoundaryRule boundary_rule_of_clusters(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device);

// Elements near a point source. Its field is not smooth there, so an element cannot be predicted without its neighbours: these are
// predicted together, by the Taylor series of the right-hand side in which the faces between them count, and each face to an element
// that is not near lets pass what its own trace says (decision 0020).
class NearPoints {
 public:
  NearPoints(const Problem& problem, const Layout& layout);

  std::int64_t slots = 0;  // of near elements of this rank, the first of all
  bool ghosts = false;     // some lie on a boundary
  // On any rank there are near elements; some have near neighbours on another rank.
  bool any = false, across = false;
  std::vector<std::pair<std::int64_t, int>> cut;  // (slot, face) with an element behind that is not near

  // Rows: the times as parts of the step; weights of the signals at these times for dt^k times derivative k at the start of the step,
  // k < order; for their mean.
  std::vector<double> series;
  static int derivative_row(int k) { return k + 1; }
  int mean_row() const { return 1 + times_; }

 private:
  void find_series();
  int times_;
};

}  // namespace swell
