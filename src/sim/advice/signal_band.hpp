// SPDX-License-Identifier: Apache-2.0
// How high the frequencies of a signal go.
#pragma once

#include "base/expression.hpp"

namespace swell {

// The highest frequency at which the spectrum of signal(t), 0 <= t <= end, is within 20 dB of its largest value; 0 for a signal
// that is 0 or constant. Signals faster than 2^14 cycles in the whole time are taken to be as slow as that.
double highest_frequency(const Expression& signal, double end);

}  // namespace swell
