// SPDX-License-Identifier: Apache-2.0
// A step of ADER asks two things of a problem: whether one linear map serves for all times, and which elements are near a point source.
#pragma once

#include "dg/layout.hpp"

namespace swell {

// Times of a step at which signals are evaluated: the terms of the Taylor series need as many derivatives.
constexpr int series_times(int order) { return order; }

// Whether a problem's right-hand side is one linear map for all times: no sources but points for "ader", no boundary data, nothing
// in time.
bool is_autonomous(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device);

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
