// SPDX-License-Identifier: Apache-2.0
// The widths of vectors, in bytes, that this machine's compiler can use.
#pragma once

#include "device/cpu/cpu_device.hpp"

#include <vector>

namespace swell {

inline std::vector<int> usable_widths() {
  const int widest = CpuDevice(1).info().vector_bytes;
  std::vector<int> all;
  for (int bytes = 16; bytes <= widest; bytes *= 2) all.push_back(bytes);
  return all;
}

}  // namespace swell
