// SPDX-License-Identifier: Apache-2.0
// The sum of a number of each element over all ranks, the same bits however elements are ordered and shared out.
#pragma once

#include <vector>

#include "dg/monitor.hpp"
#include "dg/operator.hpp"

namespace swell {

// Waits. `values` holds the numbers of this rank's elements in the ranges.
double element_sum(const Operator& dg, const Buffer& values, const std::vector<Range>& ranges);

}  // namespace swell
