// SPDX-License-Identifier: Apache-2.0
// The message window of a buffer on an OpenCL device: a copy in the host's memory.
#pragma once

#include "device/opencl/opencl_device.hpp"

#include <vector>

namespace swell {

class OpenclWindow final : public Window {
 public:
  OpenclWindow(std::shared_ptr<OpenclState> state, Buffer& buffer);
  ~OpenclWindow() override;
  OpenclWindow(const OpenclWindow&) = delete;
  OpenclWindow& operator=(const OpenclWindow&) = delete;

  std::span<std::byte> bytes() override { return bytes_; }
  void fetch() override;
  void wait() override;
  void store() override;

 private:
  std::shared_ptr<OpenclState> state_;
  opencl::Memory memory_;
  std::vector<std::byte> bytes_;
  opencl::Handle<opencl::Event> fetched_{nullptr, nullptr};
};

}  // namespace swell
