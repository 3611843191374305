// SPDX-License-Identifier: Apache-2.0
// Launches on an NVIDIA GPU: one stream, so that they run in order.
#pragma once

#include "device/cuda/state.hpp"

#include <array>
#include <memory>
#include <vector>

namespace swell {

class CudaQueue final : public Queue {
 public:
  // `resident_threads` is what the whole chip can hold at once.
  CudaQueue(std::shared_ptr<CudaState> state, std::int64_t resident_threads);
  ~CudaQueue() override;
  CudaQueue(const CudaQueue&) = delete;
  CudaQueue& operator=(const CudaQueue&) = delete;

  using Queue::launch;
  void launch(const Kernel& kernel, Items items, std::span<const Argument> arguments, const Work& work) override;
  void finish() override;
  bool busy() override;
  void set_meanwhile(std::function<void()>) override {}
  void set_profiling(bool on) override;
  std::vector<KernelProfile> profile() const override;

 private:
  // A launch whose time is not known yet.
  struct Pending {
    cuda::Event start = nullptr, end = nullptr;
    std::size_t slot = 0;
    Work work;
  };
  void add_pending_times() const;  // waits for the launches

  std::shared_ptr<CudaState> state_;
  std::int64_t resident_threads_;
  bool profiling_ = false;
  std::vector<Pending> pending_;         // made once, when profiling begins
  mutable std::size_t pending_count_ = 0;
};

}  // namespace swell
