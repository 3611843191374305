// SPDX-License-Identifier: Apache-2.0
#include "device/machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace swell {
namespace {

// The value of the first line of /proc/cpuinfo that begins with `key`, or "".
std::string cpuinfo(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    return colon == line.npos ? "" : line.substr(colon + 2);
  }
  return "";
}

std::string architecture() {
  utsname names;
  return uname(&names) == 0 ? names.machine : "unknown processor";
}

}  // namespace

std::string processor_name() {
  const std::string name = cpuinfo("model name");
  return name.empty() ? architecture() : name;
}

std::string processor_identity() {
  return architecture() + "\n" + processor_name() + "\n" + cpuinfo("flags") + cpuinfo("Features");
}

std::int64_t machine_memory() {
  std::int64_t memory = std::int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  // "max" in the file, where there is no limit, is not a number.
  std::ifstream group("/sys/fs/cgroup/memory.max");
  if (std::int64_t limit = 0; group >> limit && limit > 0) memory = std::min(memory, limit);
  return memory;
}

std::int64_t last_cache_bytes() {
  return std::max<std::int64_t>({0, sysconf(_SC_LEVEL2_CACHE_SIZE), sysconf(_SC_LEVEL3_CACHE_SIZE)});
}

}  // namespace swell
