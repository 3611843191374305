// SPDX-License-Identifier: Apache-2.0
// The sums of a profile, one slot for each name of a kernel.
#pragma once

#include "device/device.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace swell {

class ProfileSlots {
 public:
  // The slot of a name; kernels of the same name share it.
  std::size_t slot(const std::string& name) {
    const auto found = std::find_if(slots_.begin(), slots_.end(), [&](const auto& s) { return s.name == name; });
    const auto at = static_cast<std::size_t>(found - slots_.begin());
    if (found == slots_.end()) slots_.push_back({name, 0, 0, 0, 0});
    return at;
  }
  void add(std::size_t slot, double seconds, const Work& work) {
    KernelProfile& sum = slots_[slot];
    ++sum.calls;
    sum.seconds += seconds;
    sum.bytes += work.bytes;
    sum.flops += work.flops;
  }
  void clear() {
    for (KernelProfile& sum : slots_) sum = {sum.name, 0, 0, 0, 0};
  }
  std::vector<KernelProfile> used() const {
    std::vector<KernelProfile> all;
    std::copy_if(slots_.begin(), slots_.end(), std::back_inserter(all), [](const auto& sum) { return sum.calls > 0; });
    return all;
  }

 private:
  std::vector<KernelProfile> slots_;
};

}  // namespace swell
