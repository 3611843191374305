// SPDX-License-Identifier: Apache-2.0
// The message window of a buffer on an NVIDIA GPU: a copy in pinned host memory, or the GPU's memory itself.
#pragma once

#include "device/cuda/state.hpp"

namespace swell {

class CudaWindow final : public Window {
 public:
  CudaWindow(std::shared_ptr<CudaState> state, Buffer& buffer, bool direct);
  ~CudaWindow() override;
  CudaWindow(const CudaWindow&) = delete;
  CudaWindow& operator=(const CudaWindow&) = delete;

  std::span<std::byte> bytes() override { return bytes_; }
  void fetch() override;
  void wait() override;
  void store() override;

 private:
  std::shared_ptr<CudaState> state_;
  cuda::Address address_;
  bool direct_;
  std::span<std::byte> bytes_;
  cuda::Event fetched_ = nullptr;
};

}  // namespace swell
