// SPDX-License-Identifier: Apache-2.0
// An OpenCL device, its queue and what both share with buffers and programs.
#pragma once

#include "device/device.hpp"
#include "device/gpu/cache.hpp"
#include "device/gpu/profile.hpp"
#include "device/opencl/platform.hpp"

#include <deque>
#include <memory>

namespace swell {

// The state that a device shares with its buffers and programs, which may outlive it. For one host thread at a time.
struct OpenclState {
  OpenclState(std::shared_ptr<const opencl::Api> driver, const opencl::FoundDevice& found);
  void make_queue(bool with_profiling);

  std::shared_ptr<const opencl::Api> api;
  opencl::DeviceId id;
  opencl::Handle<opencl::Context> context;
  opencl::Handle<opencl::CommandQueue> queue;
  std::int64_t memory, largest_allocation;  // bytes
  DeviceCounters counters;
  ProfileSlots profile;
};

class OpenclQueue final : public Queue {
 public:
  explicit OpenclQueue(std::shared_ptr<OpenclState> state) : state_(std::move(state)) {}
  using Queue::launch;
  void launch(const Kernel& kernel, Items items, std::span<const Argument> arguments, const Work& work) override;
  void finish() override;
  bool busy() override;
  void set_meanwhile(std::function<void()>) override {}
  void set_profiling(bool on) override;
  std::vector<KernelProfile> profile() const override;

 private:
  struct Pending {
    opencl::Handle<opencl::Event> event;
    std::size_t slot;
    Work work;
  };
  void collect(std::size_t keep) const;  // adds events up, the oldest first, until `keep` are left

  std::shared_ptr<OpenclState> state_;
  bool profiling_ = false;
  bool launched_ = false;                // something since the last finish()
  int unsent_ = 0;                       // launches since the driver was last told to begin
  mutable std::deque<Pending> pending_;
  opencl::Handle<opencl::Event> last_{nullptr, nullptr};  // behind all launches; none since the last of them
};

class OpenclDevice final : public Device {
 public:
  OpenclDevice(std::shared_ptr<const opencl::Api> api, const opencl::FoundDevice& found);
  const DeviceInfo& info() const override { return info_; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes, std::string_view label) override;
  std::unique_ptr<Window> window(Buffer& buffer, bool direct) override;
  std::unique_ptr<Program> compile(const ProgramText& text) override;
  Queue& queue() override { return queue_; }
  const DeviceCounters& counters() const override { return state_->counters; }
  int lanes(Precision) const override { return 1; }

 private:
  std::shared_ptr<OpenclState> state_;
  OpenclQueue queue_;
  DeviceInfo info_;
  bool limits_registers_;  // NVIDIA's compiler takes the number of registers as an option
  std::size_t largest_group_;
  BinaryCache cache_;
};

DeviceInfo describe(const opencl::Api& api, const opencl::FoundDevice& found);

}  // namespace swell
