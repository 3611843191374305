// SPDX-License-Identifier: Apache-2.0
// A compiled program: a shared library and the entries of its kernels.
#pragma once

#include "device/cpu/cpu_device.hpp"

#include <memory>
#include <string>
#include <vector>

namespace swell {

class CpuKernel final : public Kernel {
 public:
  using Entry = void (*)(void* const* places, std::int64_t begin, std::int64_t end);
  CpuKernel(std::string kernel_name, Entry compiled, std::string letters, Precision of_program, std::size_t of_profile)
      : name_(std::move(kernel_name)),
        kinds_(std::move(letters)),
        entry_(compiled),
        slot_(of_profile),
        precision_(of_program) {}
  const std::string& name() const override { return name_; }
  Entry entry() const { return entry_; }
  const std::string& kinds() const { return kinds_; }  // a letter for each parameter; see dictionary.h
  Precision precision() const { return precision_; }
  std::size_t slot() const { return slot_; }           // in CpuState::profile

 private:
  std::string name_, kinds_;
  Entry entry_;
  std::size_t slot_;
  Precision precision_;
};

class CpuProgram final : public Program {
 public:
  CpuProgram(std::shared_ptr<CpuState> state, const ProgramText& text, const std::string& library);
  const Kernel& kernel(std::string_view name) const override;

 private:
  void* symbol(const std::string& name) const;

  std::shared_ptr<CpuState> state_;
  std::string name_;
  std::shared_ptr<void> library_;
  std::vector<CpuKernel> kernels_;
};

}  // namespace swell
