// SPDX-License-Identifier: Apache-2.0
#include "device/device.hpp"

#include "base/error.hpp"
#include "device/cpu/cpu_device.hpp"
#include "device/cpu/pool.hpp"

#include <charconv>
#include <cstdlib>

namespace swell {
namespace {

constexpr int most_threads = 4096;
constexpr const char* what_there_is = "this version has 'cpu' (all processors), 'cpu:THREADS' and 'auto'";

int parse_threads(const std::string& name, std::string_view digits) {
  int threads = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), threads);
  if (error != std::errc() || end != digits.data() + digits.size() || threads < 1 || threads > most_threads)
    throw InputError("the device '{}' needs a number of threads from 1 to {} behind 'cpu:'", name, most_threads);
  return threads;
}

bool names(const std::string& name, const std::string& backend) {
  return name == backend || name.starts_with(backend + ":");
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::unique_ptr<Device> open_device(const std::string& name) {
  if (name == "auto" || name == "cpu") return std::make_unique<CpuDevice>(available_processors());
  constexpr std::string_view with_threads = "cpu:";
  if (name.starts_with(with_threads))
    return std::make_unique<CpuDevice>(parse_threads(name, std::string_view(name).substr(with_threads.size())));
  for (const char* backend : {"opencl", "cuda"})
    if (names(name, backend))
      throw InputError("the device '{}' needs the {} backend, which is not in this version; {}", name, backend,
                       what_there_is);
  throw InputError("there is no device '{}'; {}", name, what_there_is);
}

std::vector<DeviceChoice> list_devices() {
  DeviceChoice cpu{"cpu", true, ""};
  try {
    const DeviceInfo info = open_device("cpu")->info();
    cpu.words = fmt::format("{}, {} threads, {}-bit vectors, {:.1f} GiB, kernels compiled by {}", info.name,
                            info.threads, 8 * info.vector_bytes, static_cast<double>(info.memory) / (1 << 30),
                            info.compiler);
  } catch (const RunError& error) {
    cpu.usable = false;
    cpu.words = error.what();
  }
  return {cpu,
          {"opencl", false, "this version has no opencl backend"},
          {"cuda", false, "this version has no cuda backend"}};
}

std::string cache_folder() {
  if (const std::string folder = environment("SWELL_CACHE"); !folder.empty()) return folder;
  if (const std::string folder = environment("XDG_CACHE_HOME"); !folder.empty()) return folder + "/swell";
  const std::string home = environment("HOME");
  if (home.empty()) throw RunError("there is no folder for compiled kernels: set SWELL_CACHE or HOME");
  return home + "/.cache/swell";
}

}  // namespace swell
