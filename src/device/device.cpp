// SPDX-License-Identifier: Apache-2.0
#include "device/device.hpp"

#include "base/error.hpp"
#include "base/host_threads.hpp"
#include "device/cpu/cpu_device.hpp"
#include "device/cuda/cuda.hpp"
#include "device/opencl/opencl.hpp"

#include <charconv>
#include <cstdlib>
#include <ranges>

namespace swell {
namespace {

constexpr int most_threads = 4096;

// A whole number behind `name`'s colon. Throws InputError.
int parse_number(const std::string& name, std::string_view digits, int least, int most, const char* what) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number < least || number > most)
    throw InputError("the device '{}' needs {} from {} to {} behind its colon", name, what, least, most);
  return number;
}

bool names(const std::string& name, const std::string& backend) {
  return name == backend || name.starts_with(backend + ":");
}

std::unique_ptr<Device> open_cpu(const std::string& name) {
  constexpr std::string_view with_threads = "cpu:";
  if (!name.starts_with(with_threads)) return std::make_unique<CpuDevice>(available_processors());
  const std::string_view digits = std::string_view(name).substr(with_threads.size());
  return std::make_unique<CpuDevice>(parse_number(name, digits, 1, most_threads, "a number of threads"));
}

std::vector<DeviceChoice> cpu_choices() {
  try {
    const DeviceInfo info = open_cpu("cpu")->info();
    return {{"cpu", true,
             fmt::format("{}, {} threads, {}-bit vectors, {:.1f} GiB, kernels compiled by {}", info.name, info.threads,
                         8 * info.vector_bytes, static_cast<double>(info.memory) / (1 << 30), info.compiler)}};
  } catch (const RunError& error) {
    return {{"cpu", false, error.what()}};
  }
}

std::unique_ptr<Device> open_cuda_named(const std::string& name) {
  constexpr std::string_view with_number = "cuda:";
  if (!name.starts_with(with_number)) return open_cuda(0);
  constexpr int most_devices = 1024;
  return open_cuda(parse_number(name, std::string_view(name).substr(with_number.size()), 0, most_devices - 1,
                                "the number of a device"));
}

// One line a backend: its name, its devices, the function that opens one.
struct Backend {
  const char* name;
  std::vector<DeviceChoice> (*choices)();
  std::unique_ptr<Device> (*open)(const std::string& name);
};
constexpr Backend backends[] = {
    {"cpu", cpu_choices, open_cpu},
    {"opencl", opencl_choices, open_opencl},
    {"cuda", cuda_choices, open_cuda_named},
};

// Every name that open_device accepts on this machine, in words.
std::string what_there_is() {
  std::string all = "'auto', 'cpu:THREADS'";
  for (const DeviceChoice& choice : list_devices())
    if (choice.usable) all += fmt::format(", '{}'", choice.name);
  return all;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

void Device::prepare(std::span<const ProgramText> texts) {
  for (const ProgramText& text : texts) {
    try {
      compile(text);
    } catch (const std::exception&) {
    }
  }
}

std::unique_ptr<Device> open_device(const std::string& name) {
  for (const Backend& backend : backends) {
    if (!names(name, backend.name)) continue;
    try {
      return backend.open(name);
    } catch (const InputError& error) {
      throw InputError("{}; this machine has {}", error.what(), what_there_is());
    }
  }
  // "auto" is never OpenCL: where it is not a GPU's, the processor itself is faster without it.
  if (name == "auto") {
    for (const DeviceChoice& choice : cuda_choices())
      if (choice.usable) return open_device(choice.name);
    return open_cpu("cpu");
  }
  throw InputError("there is no device '{}'; this machine has {}", name, what_there_is());
}

std::vector<DeviceChoice> list_devices() {
  // The last backend is asked first: OpenCL starts its drivers in this process, and CUDA forks to ask, which a driver of
  // the same chip should not have to survive.
  std::vector<DeviceChoice> all;
  for (const Backend& backend : std::views::reverse(backends)) {
    std::vector<DeviceChoice> choices = backend.choices();
    all.insert(all.begin(), choices.begin(), choices.end());
  }
  return all;
}

std::string cache_folder() {
  if (const std::string folder = environment("SWELL_CACHE"); !folder.empty()) return folder;
  if (const std::string folder = environment("XDG_CACHE_HOME"); !folder.empty()) return folder + "/swell";
  const std::string home = environment("HOME");
  if (home.empty()) throw RunError("there is no folder for compiled kernels: set SWELL_CACHE or HOME");
  return home + "/.cache/swell";
}

}  // namespace swell
