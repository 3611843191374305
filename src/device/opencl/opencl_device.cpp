// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/opencl_device.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "device/opencl/buffer.hpp"
#include "device/opencl/opencl.hpp"
#include "device/opencl/program.hpp"
#include "device/opencl/window.hpp"
#include "device/texts.hpp"

#include <algorithm>

namespace swell {
namespace {

using opencl::Api;
using opencl::DeviceQuery;
using opencl::FoundDevice;

opencl::Handle<opencl::Context> make_context(const Api& api, const FoundDevice& found) {
  const std::intptr_t properties[] = {opencl::context_platform, reinterpret_cast<std::intptr_t>(found.platform_id), 0};
  opencl::Result result = opencl::success;
  opencl::Handle<opencl::Context> context(api.CreateContext(properties, 1, &found.id, nullptr, nullptr, &result),
                                          api.ReleaseContext);
  opencl::check(result, "clCreateContext");
  return context;
}

bool has_extension(const Api& api, const FoundDevice& found, const std::string& name) {
  const std::string all = fmt::format(" {} ", opencl::text_of(api, found.id, DeviceQuery::extensions));
  return all.find(fmt::format(" {} ", name)) != all.npos;
}

// Everything that a binary depends on beside its source and the options.
std::string compiler_identity(const Api& api, const FoundDevice& found, const DeviceInfo& info) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", info.name, info.compiler, info.driver,
                     opencl::text_of(api, found.platform_id, opencl::PlatformInfo::version),
                     opencl::text_of(api, found.id, DeviceQuery::version));
}

// The registers that NVIDIA's compiler may use among a processor's 64 Ki so that `resident` groups fit; in steps of 8, at most
// 255 a thread (CUDA C++ Programming Guide, technical specifications).
int registers_of_thread(int group, int resident) {
  constexpr int registers = 65536, step = 8, least = 24, most = 255;
  return std::clamp(registers / (group * resident) / step * step, least, most);
}

const FoundDevice* find_device(const opencl::Survey& survey, const std::string& name) {
  const auto first = [&](auto wanted) -> const FoundDevice* {
    const auto found = std::find_if(survey.devices.begin(), survey.devices.end(), wanted);
    return found == survey.devices.end() ? nullptr : &*found;
  };
  if (name != "opencl") return first([&](const FoundDevice& device) { return device.name() == name; });
  const FoundDevice* gpu = first([](const FoundDevice& device) { return device.gpu && device.problem.empty(); });
  const FoundDevice* usable = gpu ? gpu : first([](const FoundDevice& device) { return device.problem.empty(); });
  return usable ? usable : first([](const FoundDevice&) { return true; });
}

}  // namespace

DeviceInfo describe(const Api& api, const FoundDevice& found) {
  DeviceInfo info;
  info.backend = "opencl";
  info.name = opencl::text_of(api, found.id, DeviceQuery::name);
  info.compiler = fmt::format("{}, {}", opencl::text_of(api, found.id, DeviceQuery::language_version),
                              opencl::text_of(api, found.platform_id, opencl::PlatformInfo::name));
  info.driver = opencl::text_of(api, found.id, DeviceQuery::driver_version);
  info.processors = static_cast<int>(opencl::value_of<opencl::Count>(api, found.id, DeviceQuery::compute_units));
  info.threads = info.processors;
  info.memory = static_cast<std::int64_t>(opencl::value_of<std::uint64_t>(api, found.id, DeviceQuery::memory));
  info.simt = true;
  info.asynchronous = true;
  info.shared_bytes =
      static_cast<std::int64_t>(opencl::value_of<std::uint64_t>(api, found.id, DeviceQuery::local_memory));
  info.cache_bytes = static_cast<std::int64_t>(opencl::value_of<std::uint64_t>(api, found.id, DeviceQuery::cache_size));
  info.doubles = opencl::value_of<opencl::Flags>(api, found.id, DeviceQuery::double_config) != 0;
  return info;
}

OpenclState::OpenclState(std::shared_ptr<const Api> driver, const FoundDevice& found)
    : api(std::move(driver)),
      id(found.id),
      context(make_context(*api, found)),
      queue(nullptr, nullptr),
      memory(static_cast<std::int64_t>(opencl::value_of<std::uint64_t>(*api, id, DeviceQuery::memory))),
      largest_allocation(
          static_cast<std::int64_t>(opencl::value_of<std::uint64_t>(*api, id, DeviceQuery::largest_allocation))) {
  make_queue(false);
}

void OpenclState::make_queue(bool with_profiling) {
  opencl::Result result = opencl::success;
  queue = {api->CreateCommandQueue(context.get(), id, with_profiling ? opencl::queue_profiling : 0, &result),
           api->ReleaseCommandQueue};
  opencl::check(result, "clCreateCommandQueue");
}

OpenclDevice::OpenclDevice(std::shared_ptr<const Api> api, const FoundDevice& found)
    : state_(std::make_shared<OpenclState>(api, found)),
      queue_(state_),
      info_(describe(*api, found)),
      limits_registers_(has_extension(*api, found, "cl_nv_compiler_options")),
      largest_group_(opencl::value_of<std::size_t>(*api, found.id, DeviceQuery::group_size)),
      cache_(compiler_identity(*api, found, info_), ".cl", ".clbin") {}

std::unique_ptr<Buffer> OpenclDevice::allocate(std::size_t bytes, std::string_view label) {
  return std::make_unique<OpenclBuffer>(state_, bytes, label);
}

std::unique_ptr<Window> OpenclDevice::window(Buffer& buffer, bool) { return std::make_unique<OpenclWindow>(state_, buffer); }

std::unique_ptr<Program> OpenclDevice::compile(const ProgramText& text) {
  if (text.precision == Precision::double_ && !info_.doubles)
    throw InputError("the device {} has no double precision; choose single precision or another device", info_.name);
  const auto threads = static_cast<std::size_t>(text.group > 0 ? text.group : plain_group);
  if (threads > largest_group_)
    throw RunError("the kernels '{}' want groups of {} threads, and the device {} has groups of at most {}", text.name,
                   threads, info_.name, largest_group_);
  if (text.shared > static_cast<std::size_t>(info_.shared_bytes))
    throw RunError("the kernels '{}' want {} bytes of shared memory for a group, and the device {} has {}", text.name,
                   text.shared, info_.name, info_.shared_bytes);
  FoundKernels whole =
      whole_text(text, fmt::format("#define DOUBLES {}\n", info_.doubles ? 1 : 0),
                 {device_texts("device/opencl/dictionary.h"), device_texts("device/opencl/names.h"),
                  device_texts("device/opencl/matrix.h")});
  // A device without doubles takes times as floats.
  if (!info_.doubles)
    for (KernelSignature& kernel : whole.kernels)
      for (std::size_t i = 0; i < kernel.kinds.size(); ++i)
        if (kernel.kinds[i] == 'd') kernel.bytes[i] = sizeof(float);
  std::string options = "-cl-std=CL1.2 -cl-mad-enable -w";
  // With optimisation PoCL 3.1 gives wrong numbers for viscous terms at low orders, whichever way it makes loops of a group; its
  // POCL_WORK_GROUP_METHOD=repl, Oclgrind, which finds no race, and this option agree with the CPU to rounding.
  if (info_.compiler.find("Portable Computing Language") != std::string::npos) options += " -cl-opt-disable";
  if (limits_registers_ && text.group > 0 && text.resident > 0)
    options += fmt::format(" -cl-nv-maxrregcount={}", registers_of_thread(text.group, text.resident));
  return std::make_unique<OpenclProgram>(state_, text, whole, options, cache_);
}

std::vector<DeviceChoice> opencl_choices() {
  const opencl::Survey& survey = opencl::survey();
  if (!survey.problem.empty()) return {{"opencl", false, survey.problem}};
  std::vector<DeviceChoice> all;
  for (const FoundDevice& found : survey.devices) {
    const DeviceInfo info = describe(*survey.api, found);
    const std::string words = fmt::format("{}, {} compute units, {:.1f} GiB, kernels compiled by {}, driver {}{}",
                                          info.name, info.processors, static_cast<double>(info.memory) / (1 << 30),
                                          info.compiler, info.driver, info.doubles ? "" : ", single precision only");
    all.push_back({found.name(), found.problem.empty(), found.problem.empty() ? words : found.problem});
  }
  return all;
}

std::unique_ptr<Device> open_opencl(const std::string& name) {
  const opencl::Survey& survey = opencl::survey();
  if (!survey.problem.empty()) throw InputError("the device '{}' cannot be used: {}", name, survey.problem);
  const FoundDevice* found = find_device(survey, name);
  if (!found) {
    std::vector<std::string> names{"opencl"};
    for (const FoundDevice& device : survey.devices) names.push_back(device.name());
    throw InputError("there is no device '{}'; OpenCL has {}", name, fmt::join(names, ", "));
  }
  if (!found->problem.empty()) throw InputError("the device '{}': {}", name, found->problem);
  return std::make_unique<OpenclDevice>(survey.api, *found);
}

}  // namespace swell
