// SPDX-License-Identifier: Apache-2.0
// Memory of a CPU device: aligned for the widest vectors, touched first by the threads that will use it.
#pragma once

#include "device/cpu/cpu_device.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace swell {

class CpuBuffer final : public Buffer {
 public:
  // Throws RunError where `memory`, the machine's, does not hold it beside what the device has allocated.
  CpuBuffer(std::shared_ptr<CpuState> state, std::size_t bytes, std::string_view label, std::int64_t memory);
  ~CpuBuffer() override;
  CpuBuffer(const CpuBuffer&) = delete;
  CpuBuffer& operator=(const CpuBuffer&) = delete;

  std::size_t bytes() const override { return bytes_; }
  void write(const void* from, std::size_t bytes, std::size_t offset) override;
  void read(void* to, std::size_t bytes, std::size_t offset) const override;
  void fill_zero() override;

  static std::byte* data_of(const Buffer& buffer) { return static_cast<const CpuBuffer&>(buffer).data_; }

 private:
  void check_range(std::size_t bytes, std::size_t offset) const;

  std::shared_ptr<CpuState> state_;
  std::string label_;
  std::size_t bytes_;
  std::byte* data_;
};

}  // namespace swell
