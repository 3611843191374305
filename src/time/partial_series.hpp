// SPDX-License-Identifier: Apache-2.0
// The Taylor series in time of a part of the elements, term after term, for those that ADER predicts together.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "device/device.hpp"

namespace swell {

// The first `words` of each buffer are of those elements: `integral` holds dt q, `term` two terms in turn.
struct PartialSeries {
  Buffer* q;
  std::array<Buffer*, 2> term;
  Buffer* integral;
  std::int64_t words, stride;  // scalars, of an item
  std::size_t scalar;          // bytes
};

// Adds to the integral what the series up to the order gives besides: e_0 = q, e_(k+1) = dt (A' e_k + dt^k s^(k) w), integral += dt e_k /
// (k + 1)!. rate(k, e_k, out) gives what stands in the parentheses, and `kernel` is series_term. By all ranks together, also where
// there are no words.
void add_series_terms(const PartialSeries& series, int order, double dt, Queue& queue, const Kernel& kernel,
                      const std::function<void(int k, Buffer& from, Buffer& to)>& rate);

}  // namespace swell
