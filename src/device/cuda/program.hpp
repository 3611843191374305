// SPDX-License-Identifier: Apache-2.0
// A compiled program on an NVIDIA GPU: a module and its functions.
#pragma once

#include "device/cuda/compiler.hpp"
#include "device/cuda/state.hpp"

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace swell {

// How the threads of a launch are laid out; the same for all kernels of a program.
struct CudaLayout {
  int group = 0;      // threads of a group that share an item; 0: each item has a thread
  int threads = 0;    // of a block
  unsigned shared = 0;  // bytes of a block
  Precision precision = Precision::double_;
};

class CudaKernel final : public Kernel {
 public:
  CudaKernel(KernelSignature of_text, cuda::Function of_module, const CudaLayout& of_program, std::size_t of_profile)
      : signature_(std::move(of_text)), function_(of_module), layout_(of_program), slot_(of_profile) {}
  const std::string& name() const override { return signature_.name; }
  const KernelSignature& signature() const { return signature_; }
  cuda::Function function() const { return function_; }
  const CudaLayout& layout() const { return layout_; }
  std::size_t slot() const { return slot_; }  // in CudaState::profile

 private:
  KernelSignature signature_;
  cuda::Function function_;
  CudaLayout layout_;
  std::size_t slot_;
};

class CudaProgram final : public Program {
 public:
  // Throws RunError where the driver does not accept the code.
  CudaProgram(std::shared_ptr<CudaState> state, const ProgramText& text, const CudaCode& code,
              std::int64_t shared_of_processor);
  const Kernel& kernel(std::string_view name) const override;

 private:
  std::shared_ptr<CudaState> state_;
  std::string name_;
  std::shared_ptr<std::remove_pointer_t<cuda::Module>> module_;
  std::vector<CudaKernel> kernels_;
};

}  // namespace swell
