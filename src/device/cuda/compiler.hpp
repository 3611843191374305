// SPDX-License-Identifier: Apache-2.0
// NVRTC, NVIDIA's compiler in a library: kernel source to machine code for a chip that need not be there.
#pragma once

#include "device/cuda/api.hpp"
#include "device/device.hpp"
#include "device/gpu/text.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace swell {

struct CudaCode {
  std::string image;                     // what the driver loads
  std::vector<KernelSignature> kernels;  // in the order of ProgramText::kernels
  std::string kept;  // path of the cache's file that it was read from; empty: just compiled
};

class CudaCompiler {
 public:
  // Throws RunError where there is no NVRTC or no private folder for its output.
  CudaCompiler();

  // For the chip `architecture`, 10 * major + minor. From the kernel cache where it is there; the text is kept beside
  // it (.cu), with the assembler's report on registers and spills (.txt). Adds NVRTC's runs to `compiles`. Throws CompileError.
  CudaCode compile(const ProgramText& text, int architecture, std::int64_t& compiles) const;

  // "NVRTC 13.0 for sm_90". Throws RunError where NVRTC knows neither the chip nor one before it.
  std::string describe(int architecture) const;
  // The architecture whose instructions kernels may use: the chip's, or the last that NVRTC knows before it.
  int level(int architecture) const { return target(architecture).level; }
  // Whether kernels may copy blocks in bulk: the chip's and the compiler's instructions.
  bool bulk_copies(int architecture) const { return major_ >= 12 && level(architecture) >= 90; }

 private:
  struct Target {
    std::string name;    // "sm_90", or "compute_90" where the driver must do the rest
    int level = 0;       // 90
    bool native = true;  // machine code
  };
  Target target(int architecture) const;

  std::shared_ptr<const cuda::Nvrtc> nvrtc_;
  std::string version_;
  int major_ = 0;
  std::vector<int> architectures_;
};

}  // namespace swell
