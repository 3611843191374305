// SPDX-License-Identifier: Apache-2.0
// The processor time of this process, whatever else the machine does: others make it wait, which only a wall clock counts.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace swell {

// The least of several, in seconds. Threads that wait for work would count too, so that devices are to have one.
template <class Work>
double least_processor_seconds(int times, const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int again = 0; again < times; ++again) {
    const std::clock_t begin = std::clock();
    work(again);
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

}  // namespace swell
