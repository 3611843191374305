// SPDX-License-Identifier: Apache-2.0
// Counts a copy between host and device: its bytes, and its time until it leaves the scope.
#pragma once

#include "base/timer.hpp"
#include "device/device.hpp"

namespace swell {

class TimedCopy {
 public:
  TimedCopy(std::int64_t& copies, CopyTotal& total, std::size_t bytes) : total_(total) {
    ++copies;
    total_.bytes += static_cast<std::int64_t>(bytes);
  }
  ~TimedCopy() { total_.seconds += clock_.seconds(); }
  TimedCopy(const TimedCopy&) = delete;
  TimedCopy& operator=(const TimedCopy&) = delete;

 private:
  CopyTotal& total_;
  Stopwatch clock_;
};

}  // namespace swell
