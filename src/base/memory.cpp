// SPDX-License-Identifier: Apache-2.0
#include "base/memory.hpp"

#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace swell {

namespace {

// The lines of these files read "VmRSS:     1234 kB".
std::int64_t kilobyte_entry(const char* file, std::string_view name) {
  std::ifstream input(file);
  std::string word;
  while (input >> word) {
    std::int64_t kilobytes = 0;
    if (word == name && input >> kilobytes) return kilobytes * 1024;
    input.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return 0;
}

}  // namespace

std::int64_t resident_memory() { return kilobyte_entry("/proc/self/status", "VmRSS:"); }
std::int64_t peak_resident_memory() { return kilobyte_entry("/proc/self/status", "VmHWM:"); }
std::int64_t total_memory() { return kilobyte_entry("/proc/meminfo", "MemTotal:"); }

}  // namespace swell
