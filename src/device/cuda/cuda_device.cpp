// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/cuda_device.hpp"

#include "base/error.hpp"
#include "device/cuda/buffer.hpp"
#include "device/cuda/chips.hpp"
#include "device/cuda/program.hpp"
#include "device/cuda/window.hpp"
#include "device/prepare.hpp"

#include <filesystem>

namespace swell {
namespace {

cuda::DeviceNumber device_of(const cuda::Driver& driver, int number) {
  cuda::DeviceNumber device = 0;
  driver.check(driver.DeviceGet(&device, number), "cuDeviceGet");
  return device;
}

DeviceInfo describe(const cuda::Driver& driver, cuda::DeviceNumber device, const CudaCompiler& compiler) {
  const CudaChip chip = ask_chip(driver, device);
  DeviceInfo info;
  info.backend = "cuda";
  info.name = chip.name;
  info.compiler = compiler.describe(chip.architecture);
  info.driver = driver_words(driver);
  info.processors = chip.processors;
  info.threads = chip.processors * ask_chip(driver, device, cuda::DeviceAttribute::threads_of_processor);
  info.shared_bytes = ask_chip(driver, device, cuda::DeviceAttribute::shared_bytes_of_block);
  info.cache_bytes = ask_chip(driver, device, cuda::DeviceAttribute::cache_bytes);
  std::size_t available = 0, total = 0;
  driver.check(driver.MemGetInfo(&available, &total), "cuMemGetInfo");
  info.memory = static_cast<std::int64_t>(available);
  info.simt = true;
  info.asynchronous = true;
  const int level = compiler.level(chip.architecture);
  info.tensor_cores = level >= first_tensor_cores ? level : 0;
  info.bulk_copies = compiler.bulk_copies(chip.architecture);
  return info;
}

}  // namespace

CudaDevice::CudaDevice(std::shared_ptr<const cuda::Driver> driver, int number)
    : device_(device_of(*driver, number)),
      architecture_(ask_chip(*driver, device_).architecture),
      shared_of_processor_(ask_chip(*driver, device_, cuda::DeviceAttribute::shared_bytes_of_processor)),
      state_(std::make_shared<CudaState>(driver, device_)),
      info_(describe(*driver, device_, compiler_)),
      queue_(state_, info_.threads) {}

std::unique_ptr<Buffer> CudaDevice::allocate(std::size_t bytes, std::string_view label) {
  return std::make_unique<CudaBuffer>(state_, bytes, label);
}

std::unique_ptr<Window> CudaDevice::window(Buffer& buffer, bool direct) {
  return std::make_unique<CudaWindow>(state_, buffer, direct);
}

std::unique_ptr<Program> CudaDevice::compile(const ProgramText& text) {
  if (static_cast<std::int64_t>(text.shared) > info_.shared_bytes)
    throw RunError("the kernels '{}' want {} bytes of shared memory for a group, and the device {} has {}", text.name,
                   text.shared, info_.name, info_.shared_bytes);
  const CudaCode code = compiler_.compile(text, architecture_, state_->counters.compiles);
  try {
    return std::make_unique<CudaProgram>(state_, text, code, shared_of_processor_);
  } catch (const RunError&) {
    // A kept binary may be stale; one that was just compiled must load.
    if (code.kept.empty()) throw;
    std::filesystem::remove(code.kept);
  }
  return std::make_unique<CudaProgram>(
      state_, text, compiler_.compile(text, architecture_, state_->counters.compiles), shared_of_processor_);
}

void CudaDevice::prepare(std::span<const ProgramText> texts) {
  state_->counters.compiles += prepare_at_once(
      texts, [&](const ProgramText& text, std::int64_t& compiles) { compiler_.compile(text, architecture_, compiles); });
}

}  // namespace swell
