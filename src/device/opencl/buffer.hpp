// SPDX-License-Identifier: Apache-2.0
// Memory of an OpenCL device.
#pragma once

#include "device/opencl/opencl_device.hpp"

#include <string>

namespace swell {

class OpenclBuffer final : public Buffer {
 public:
  // Throws RunError where the device does not hold it.
  OpenclBuffer(std::shared_ptr<OpenclState> state, std::size_t bytes, std::string_view label);
  ~OpenclBuffer() override;
  OpenclBuffer(const OpenclBuffer&) = delete;
  OpenclBuffer& operator=(const OpenclBuffer&) = delete;

  std::size_t bytes() const override { return bytes_; }
  void write(const void* from, std::size_t bytes, std::size_t offset) override;
  void read(void* to, std::size_t bytes, std::size_t offset) const override;
  void fill_zero() override;

  static opencl::Memory memory_of(const Buffer& buffer) {
    return static_cast<const OpenclBuffer&>(buffer).memory_.get();
  }

 private:
  void check_range(std::size_t bytes, std::size_t offset) const;
  opencl::Result enqueue_zeros();

  std::shared_ptr<OpenclState> state_;
  std::string label_;
  std::size_t bytes_, whole_bytes_;
  opencl::Handle<opencl::Memory> memory_;
};

}  // namespace swell
