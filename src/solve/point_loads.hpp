// SPDX-License-Identifier: Apache-2.0
// Sources at points in a right-hand side: each adds a few fixed numbers times its signal.
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "base/expression.hpp"
#include "element/element.hpp"
#include "solve/vectors.hpp"

namespace swell {

struct PointLoad {
  std::vector<std::int32_t> place;  // in the vector, ascending, each once
  std::vector<double> share;        // of the signal
  Expression signal;                // in the one variable t
};

// A comparison of shares by place.
PointLoad load_of(const std::map<std::int32_t, double>& shares, const Expression& signal);

// amplitude signal(t) delta(x - x_0) in an element whose nodes have these places in the vector: its test functions at x_0.
PointLoad point_load(const ReferenceElement& element, const std::array<double, 3>& reference, std::span<const std::int32_t> places,
                     double amplitude, const Expression& signal);

class PointLoads {
 public:
  explicit PointLoads(Vectors& vectors) : vectors_(vectors) {}
  // In place of earlier ones; none of those that another rank has. Waits.
  void set(std::vector<PointLoad> loads);
  // y += what they give at time t, at the places from `first` on and before `last`. Queued only.
  void add(double t, Buffer& y, std::int64_t first, std::int64_t last);
  double compile_seconds() const { return compile_seconds_; }

 private:
  Vectors& vectors_;
  std::vector<PointLoad> loads_;
  std::vector<std::int64_t> begin_;  // of each load's numbers
  std::unique_ptr<Program> program_;
  std::unique_ptr<Buffer> place_, share_;
  double compile_seconds_ = 0;
};

}  // namespace swell
