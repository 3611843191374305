// SPDX-License-Identifier: Apache-2.0
#include "comm/sums.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace swell {

// Each rank has entries of its own, -infinity on the others, so that a maximum gathers them and all ranks add in one order:
// MPI's own sum may take another order every time.
void add_up(Ranks& ranks, std::span<double> values) {
  if (ranks.single()) return;
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  std::vector<double> all(values.size() * static_cast<std::size_t>(ranks.count()), nothing);
  std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(values.size()) * ranks.rank());
  ranks.largest(all);
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t i = 0; i < all.size(); ++i) values[i % values.size()] += all[i];
}

double added_up(Ranks& ranks, double value) {
  add_up(ranks, std::span(&value, 1));
  return value;
}

}  // namespace swell
