// SPDX-License-Identifier: Apache-2.0
#include "solve/point_loads.hpp"

#include <algorithm>

#include "base/timer.hpp"

namespace swell {

PointLoad load_of(const std::map<std::int32_t, double>& shares, const Expression& signal) {
  PointLoad load{{}, {}, signal};
  for (const auto& [place, share] : shares) {
    load.place.push_back(place);
    load.share.push_back(share);
  }
  return load;
}

// Nodes of an element that is its own neighbour across a period may have one place.
PointLoad point_load(const ReferenceElement& element, const std::array<double, 3>& reference, std::span<const std::int32_t> places,
                     double amplitude, const Expression& signal) {
  Matrix at(1, element.dim);
  for (int d = 0; d < element.dim; ++d) at(0, d) = reference[d];
  const Matrix values = element.interpolation(at);
  std::map<std::int32_t, double> shares;
  for (int n = 0; n < element.node_count; ++n) shares[places[n]] += amplitude * values(0, n);
  return load_of(shares, signal);
}

void PointLoads::set(std::vector<PointLoad> loads) {
  loads_ = std::move(loads);
  if (loads_.empty()) return;
  if (!program_) {
    const Stopwatch clock;
    program_ = vectors_.device().compile(
        {"point-loads", std::string(solve_texts("kernels/solve/point_loads.h")), {"add_point_load"}, vectors_.precision(), false});
    compile_seconds_ += clock.seconds();
  }
  std::vector<std::int32_t> place;
  std::vector<double> share;
  begin_.clear();
  for (const PointLoad& load : loads_) {
    begin_.push_back(static_cast<std::int64_t>(place.size()));
    place.insert(place.end(), load.place.begin(), load.place.end());
    share.insert(share.end(), load.share.begin(), load.share.end());
  }
  place_ = vectors_.upload(place, "places of point sources");
  share_ = vectors_.upload(share, "shares of point sources");
}

// One source after the other, so that the order of the sums is theirs.
void PointLoads::add(double t, Buffer& y, std::int64_t first, std::int64_t last) {
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const auto& place = loads_[i].place;
    const auto from = std::lower_bound(place.begin(), place.end(), first), to = std::lower_bound(from, place.end(), last);
    if (from == to) continue;
    const Items items(begin_[i] + (from - place.begin()), to - from);
    vectors_.device().queue().launch(program_->kernel("add_point_load"), items,
                                     {*place_, *share_, y, Argument::real(loads_[i].signal(&t))}, {});
  }
}

}  // namespace swell
