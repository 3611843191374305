// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/program.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace swell {
namespace {

// Bytes of dynamic shared memory that a function has without an attribute (CUDA Programming Guide, compute capabilities).
constexpr std::size_t shared_without_asking = 48 << 10;
// Shared memory of each block that the system reserves (1 KiB on compute capability 8.x and 9.0).
constexpr std::int64_t shared_of_system = 1024;

// Caches and shared memory divide one memory: enough of it for the groups that should be resident, the rest for caches.
int carveout_percent(const ProgramText& text, std::int64_t shared_of_processor) {
  const std::int64_t wanted = text.resident * (static_cast<std::int64_t>(text.shared) + shared_of_system);
  return static_cast<int>(std::min<std::int64_t>(100, (100 * wanted + shared_of_processor - 1) / shared_of_processor));
}

}  // namespace

CudaProgram::CudaProgram(std::shared_ptr<CudaState> state, const ProgramText& text, const CudaCode& code,
                         std::int64_t shared_of_processor)
    : state_(std::move(state)), name_(text.name) {
  const cuda::Driver& driver = *state_->driver;
  state_->make_current();
  cuda::Module module = nullptr;
  if (const cuda::Result result = driver.ModuleLoadDataEx(&module, code.image.data(), 0, nullptr, nullptr);
      result != cuda::success)
    throw RunError("the CUDA driver does not load the compiled kernels '{}': {}", name_, driver.words(result));
  module_.reset(module, [owner = state_](cuda::Module loaded) {
    owner->driver->CtxSetCurrent(owner->context);
    owner->driver->StreamSynchronize(owner->stream);
    owner->driver->ModuleUnload(loaded);
  });
  const CudaLayout layout{text.group, text.group > 0 ? text.group : plain_group, static_cast<unsigned>(text.shared),
                          text.precision};
  for (const KernelSignature& signature : code.kernels) {
    cuda::Function function = nullptr;
    driver.check(driver.ModuleGetFunction(&function, module, signature.name.c_str()), "cuModuleGetFunction");
    if (text.shared > shared_without_asking)
      driver.check(driver.FuncSetAttribute(function, cuda::FunctionAttribute::most_dynamic_shared_bytes,
                                           static_cast<int>(text.shared)), "cuFuncSetAttribute");
    if (text.resident > 0 && text.shared > 0)
      driver.check(driver.FuncSetAttribute(function, cuda::FunctionAttribute::shared_carveout,
                                           carveout_percent(text, shared_of_processor)), "cuFuncSetAttribute");
    kernels_.emplace_back(signature, function, layout, state_->profile.slot(signature.name));
  }
}

const Kernel& CudaProgram::kernel(std::string_view name) const {
  for (const CudaKernel& kernel : kernels_)
    if (kernel.name() == name) return kernel;
  throw std::logic_error(fmt::format("the program '{}' has no kernel '{}'", name_, name));
}

}  // namespace swell
