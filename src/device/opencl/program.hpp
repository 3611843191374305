// SPDX-License-Identifier: Apache-2.0
// A program that the OpenCL driver compiled, or took from a kept binary, and its kernels.
#pragma once

#include "device/gpu/text.hpp"
#include "device/opencl/opencl_device.hpp"

#include <string>
#include <vector>

namespace swell {

class OpenclKernel final : public Kernel {
 public:
  OpenclKernel(KernelSignature kernel_signature, opencl::Handle<opencl::KernelId> compiled, const ProgramText& text,
               std::size_t of_profile);
  const std::string& name() const override { return signature_.name; }
  const KernelSignature& signature() const { return signature_; }
  opencl::KernelId id() const { return id_.get(); }
  Precision precision() const { return precision_; }
  std::size_t slot() const { return slot_; }        // of the profile
  std::size_t threads() const { return threads_; }  // of a group
  // Groups for a launch: one for each item, or as many as the items fill.
  std::int64_t groups(std::int64_t items) const;

 private:
  KernelSignature signature_;
  opencl::Handle<opencl::KernelId> id_;
  Precision precision_;
  bool grouped_;
  std::size_t threads_, slot_;
};

class OpenclProgram final : public Program {
 public:
  OpenclProgram(std::shared_ptr<OpenclState> state, const ProgramText& text, const FoundKernels& whole,
                const std::string& options, const BinaryCache& cache);
  const Kernel& kernel(std::string_view name) const override;

 private:
  bool take_binary(const std::string& binary, const std::string& options);
  void build(const std::string& text, const std::string& options, const BinaryCache::Entry& entry);
  std::string binary() const;
  std::string log() const;
  void create_kernels(const ProgramText& text, const FoundKernels& whole);

  std::shared_ptr<OpenclState> state_;
  std::string name_;
  opencl::Handle<opencl::ProgramId> id_;
  std::vector<OpenclKernel> kernels_;
};

}  // namespace swell
