// SPDX-License-Identifier: Apache-2.0
// Memory of an NVIDIA GPU; copies and fills stand in line with the launches.
#pragma once

#include "device/cuda/state.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace swell {

class CudaBuffer final : public Buffer {
 public:
  // Throws RunError where the GPU's memory does not hold it.
  CudaBuffer(std::shared_ptr<CudaState> state, std::size_t bytes, std::string_view label);
  ~CudaBuffer() override;
  CudaBuffer(const CudaBuffer&) = delete;
  CudaBuffer& operator=(const CudaBuffer&) = delete;

  std::size_t bytes() const override { return bytes_; }
  void write(const void* from, std::size_t bytes, std::size_t offset) override;
  void read(void* to, std::size_t bytes, std::size_t offset) const override;
  void fill_zero() override { fill_zero(bytes_); }

  static cuda::Address address_of(const Buffer& buffer) { return static_cast<const CudaBuffer&>(buffer).address_; }

 private:
  void check_range(std::size_t bytes, std::size_t offset) const;
  void fill_zero(std::size_t bytes);

  std::shared_ptr<CudaState> state_;
  std::string label_;
  std::size_t bytes_;
  cuda::Address address_ = 0;
};

}  // namespace swell
