// SPDX-License-Identifier: Apache-2.0
#include "view/series.hpp"

#include <algorithm>

namespace swell {

void Series::add(double time, std::span<const double> values) {
  if (came_++ % stride_ != 0) return;
  times_.push_back(time);
  values_.insert(values_.end(), values.begin(), values.end());
  if (times_.size() == most_points) thin_out();
}

void Series::thin_out() {
  const std::size_t width = columns_.size(), kept = times_.size() / 2;
  for (std::size_t i = 0; i < kept; ++i) {
    times_[i] = times_[2 * i];
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(2 * i * width), width,
                values_.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  times_.resize(kept);
  values_.resize(kept * width);
  stride_ *= 2;
  ++generation_;
}

}  // namespace swell
