// SPDX-License-Identifier: Apache-2.0
// One NVIDIA GPU as a device.
#pragma once

#include "device/cuda/compiler.hpp"
#include "device/cuda/queue.hpp"
#include "device/cuda/state.hpp"

namespace swell {

// Kernels may use tensor cores from this generation on: the first with double precision in them.
constexpr int first_tensor_cores = 80;

class CudaDevice final : public Device {
 public:
  // `driver` is initialised in this process. Throws RunError.
  CudaDevice(std::shared_ptr<const cuda::Driver> driver, int number);
  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, std::string_view label) override;
  std::unique_ptr<Window> window(Buffer& buffer, bool direct) override;
  std::unique_ptr<Program> compile(const ProgramText& text) override;
  void prepare(std::span<const ProgramText> texts) override;
  Queue& queue() override { return queue_; }
  const DeviceCounters& counters() const override { return state_->counters; }
  int lanes(Precision) const override { return 1; }

 private:
  CudaCompiler compiler_;
  cuda::DeviceNumber device_;
  int architecture_;
  std::int64_t shared_of_processor_;
  std::shared_ptr<CudaState> state_;
  DeviceInfo info_;
  CudaQueue queue_;
};

}  // namespace swell
