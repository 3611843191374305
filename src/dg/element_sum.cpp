// SPDX-License-Identifier: Apache-2.0
#include "dg/element_sum.hpp"

#include "base/exact_sum.hpp"

namespace swell {

double element_sum(const Operator& dg, const Buffer& values, const std::vector<Range>& ranges) {
  std::int64_t last = 0;
  for (const Range& range : ranges) last = std::max(last, range.first + range.count);
  const std::vector<double> all = dg.download(values, static_cast<std::size_t>(last));
  ExactSum sum;
  for (const Range& range : ranges)
    for (std::int64_t i = range.first; i < range.first + range.count; ++i) sum.add(all[i]);
  dg.problem().ranks->sum(sum.digits());
  return sum.value();
}

}  // namespace swell
