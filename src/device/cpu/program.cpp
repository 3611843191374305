// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/program.hpp"

#include "base/error.hpp"

#include <dlfcn.h>

#include <algorithm>

namespace swell {
namespace {

std::size_t profile_slot(std::vector<KernelProfile>& profile, const std::string& name) {
  const auto found = std::find_if(profile.begin(), profile.end(), [&](const auto& slot) { return slot.name == name; });
  const std::size_t slot = static_cast<std::size_t>(found - profile.begin());
  if (found == profile.end()) profile.push_back({name, 0, 0, 0, 0});
  return slot;
}

}  // namespace

CpuProgram::CpuProgram(std::shared_ptr<CpuState> state, const ProgramText& text, const std::string& library)
    : state_(std::move(state)), name_(text.name) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw RunError("the compiled kernels '{}' cannot be loaded: {}", name_, dlerror());
  library_.reset(handle, dlclose);
  for (const std::string& kernel : text.kernels) {
    const auto entry = reinterpret_cast<CpuKernel::Entry>(symbol("swell_entry_" + kernel));
    const auto kinds = static_cast<const char* const*>(symbol("swell_kinds_" + kernel));
    kernels_.emplace_back(kernel, entry, *kinds, text.precision, profile_slot(state_->profile, kernel));
  }
}

void* CpuProgram::symbol(const std::string& name) const {
  void* address = dlsym(library_.get(), name.c_str());
  if (!address) throw RunError("the compiled kernels '{}' have no '{}': {}", name_, name, dlerror());
  return address;
}

const Kernel& CpuProgram::kernel(std::string_view name) const {
  for (const CpuKernel& kernel : kernels_)
    if (kernel.name() == name) return kernel;
  throw std::logic_error(fmt::format("the program '{}' has no kernel '{}'", name_, name));
}

}  // namespace swell
