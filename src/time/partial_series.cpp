// SPDX-License-Identifier: Apache-2.0
#include "time/partial_series.hpp"

namespace swell {

void add_series_terms(const PartialSeries& series, int order, double dt, Queue& queue, const Kernel& kernel,
                      const std::function<void(int k, Buffer& from, Buffer& to)>& rate) {
  Buffer* from = series.q;
  double factor = dt;
  for (int k = 0; k < order; ++k) {
    Buffer& to = *series.term[k % 2];
    rate(k, *from, to);
    from = &to;
    factor /= k + 2;
    if (series.words == 0) continue;
    const auto words = static_cast<double>(series.words), bytes = words * static_cast<double>(series.scalar);
    queue.launch(kernel, series.words / series.stride,
                 {to, *series.integral, Argument::real(dt), Argument::real(factor), series.stride},
                 {4 * bytes, 3 * words});
  }
}

}  // namespace swell
