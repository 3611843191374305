// SPDX-License-Identifier: Apache-2.0
#include "comm/sums.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace swell {

// A place for each rank, in which only its own number is larger than nothing: MPI's own sum may take another order every time.
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
