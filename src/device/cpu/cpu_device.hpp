// SPDX-License-Identifier: Apache-2.0
// The processor itself as a device: kernels compiled by the system compiler, items shared out to threads.
#pragma once

#include "device/cpu/cache.hpp"
#include "device/cpu/pool.hpp"
#include "device/device.hpp"

#include <memory>

namespace swell {

// The state that a CPU device shares with its buffers and programs, which may outlive it. For one host thread at a time.
struct CpuState {
  explicit CpuState(int threads) : pool(threads) {}
  Pool pool;
  DeviceCounters counters;
  std::vector<KernelProfile> profile;  // one slot for each name of a kernel
};

class CpuQueue final : public Queue {
 public:
  explicit CpuQueue(std::shared_ptr<CpuState> state) : state_(std::move(state)) {}
  using Queue::launch;
  void launch(const Kernel& kernel, Items items, std::span<const Argument> arguments, const Work& work) override;
  void finish() override { ++state_->counters.waits; }
  bool busy() override { return false; }
  void set_meanwhile(std::function<void()> look) override { state_->pool.set_meanwhile(std::move(look)); }
  void set_profiling(bool on) override;
  std::vector<KernelProfile> profile() const override;

 private:
  std::shared_ptr<CpuState> state_;
  bool profiling_ = false;
};

class CpuDevice final : public Device {
 public:
  // Throws RunError where there is no compiler or no private folder for its output.
  // `vector_bytes` narrows the vectors of `real` (16, 32, 64); 0 takes the widest that the compiler's code can use.
  explicit CpuDevice(int threads, int vector_bytes = 0);
  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, std::string_view label) override;
  std::unique_ptr<Window> window(Buffer& buffer, bool direct) override;
  std::unique_ptr<Program> compile(const ProgramText& text) override;
  void prepare(std::span<const ProgramText> texts) override;
  Queue& queue() override { return queue_; }
  const DeviceCounters& counters() const override { return state_->counters; }
  int lanes(Precision precision) const override;

 private:
  std::shared_ptr<CpuState> state_;
  KernelCache cache_;
  CpuQueue queue_;
  DeviceInfo info_;
};

}  // namespace swell
