// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/program.hpp"

#include "base/log.hpp"
#include "device/compile_error.hpp"
#include "device/entry_lock.hpp"
#include "device/files.hpp"

#include <unistd.h>

#include <algorithm>

namespace swell {
namespace {

// 2^30 threads: some drivers count them in 32 bits. Items beyond are taken by the loop of ITEMS.
constexpr std::int64_t most_plain_groups = (std::int64_t(1) << 30) / plain_group;

}  // namespace

OpenclKernel::OpenclKernel(KernelSignature kernel_signature, opencl::Handle<opencl::KernelId> compiled,
                           const ProgramText& text, std::size_t of_profile)
    : signature_(std::move(kernel_signature)),
      id_(std::move(compiled)),
      precision_(text.precision),
      grouped_(text.group > 0),
      threads_(static_cast<std::size_t>(grouped_ ? text.group : plain_group)),
      slot_(of_profile) {}

std::int64_t OpenclKernel::groups(std::int64_t items) const {
  return grouped_ ? items : std::min(most_plain_groups, (items + plain_group - 1) / plain_group);
}

OpenclProgram::OpenclProgram(std::shared_ptr<OpenclState> state, const ProgramText& text, const FoundKernels& whole,
                             const std::string& options, const BinaryCache& cache)
    : state_(std::move(state)), name_(text.name), id_(nullptr, nullptr) {
  const BinaryCache::Entry entry = cache.entry(text.name, whole.text, options);
  const auto take_kept = [&] {
    const auto kept = BinaryCache::read(entry);
    return kept && take_binary(*kept, options);
  };
  if (!take_kept()) {
    const EntryLock lock(entry.binary);
    if (!take_kept()) {  // another process may have made it meanwhile
      build(whole.text, options, entry);
      BinaryCache::write(entry, binary());
    }
  }
  create_kernels(text, whole);
}

bool OpenclProgram::take_binary(const std::string& binary, const std::string& options) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  const std::size_t length = binary.size();
  opencl::Result status = opencl::success, result = opencl::success;
  id_ = {state_->api->CreateProgramWithBinary(state_->context.get(), 1, &state_->id, &length, &bytes, &status, &result),
         state_->api->ReleaseProgram};
  return result == opencl::success && status == opencl::success &&
         state_->api->BuildProgram(id_.get(), 1, &state_->id, options.c_str(), nullptr, nullptr) == opencl::success;
}

void OpenclProgram::build(const std::string& text, const std::string& options, const BinaryCache::Entry& entry) {
  write_file(entry.text, text);
  const char* begin = text.data();
  const std::size_t length = text.size();
  opencl::Result result = opencl::success;
  id_ = {state_->api->CreateProgramWithSource(state_->context.get(), 1, &begin, &length, &result),
         state_->api->ReleaseProgram};
  opencl::check(result, "clCreateProgramWithSource");
  ++state_->counters.compiles;
  log_info("Compiling kernels: {} (OpenCL)", name_);
  result = state_->api->BuildProgram(id_.get(), 1, &state_->id, options.c_str(), nullptr, nullptr);
  if (result != opencl::success) {
    write_file(entry.log, log());
    throw CompileError("OpenCL could not compile the kernels '{}' ({}): what it said is in {}, the text is {}", name_,
                       opencl::error_word(result), entry.log, entry.text)
        .with_log(log());
  }
  unlink(entry.log.c_str());
}

std::string OpenclProgram::log() const {
  const opencl::Api& api = *state_->api;
  std::size_t bytes = 0;
  if (api.GetProgramBuildInfo(id_.get(), state_->id, opencl::BuildQuery::log, 0, nullptr, &bytes) != opencl::success)
    return "";
  std::string text(bytes, '\0');
  if (api.GetProgramBuildInfo(id_.get(), state_->id, opencl::BuildQuery::log, bytes, text.data(), nullptr) !=
      opencl::success)
    return "";
  return text.c_str();
}

std::string OpenclProgram::binary() const {
  const opencl::Api& api = *state_->api;
  std::size_t bytes = 0;
  opencl::check(api.GetProgramInfo(id_.get(), opencl::ProgramQuery::binary_sizes, sizeof bytes, &bytes, nullptr),
                "clGetProgramInfo");
  std::string content(bytes, '\0');
  char* to = content.data();
  opencl::check(api.GetProgramInfo(id_.get(), opencl::ProgramQuery::binaries, sizeof to, &to, nullptr),
                "clGetProgramInfo");
  return content;
}

void OpenclProgram::create_kernels(const ProgramText& text, const FoundKernels& whole) {
  for (const KernelSignature& signature : whole.kernels) {
    opencl::Result result = opencl::success;
    const auto create = [&](const std::string& name) {
      return opencl::Handle<opencl::KernelId>(state_->api->CreateKernel(id_.get(), name.c_str(), &result),
                                              state_->api->ReleaseKernel);
    };
    auto id = create(signature.name);
    if (result == opencl::invalid_kernel_name) id = create("swell_" + signature.name);  // see names.h
    if (result != opencl::success)
      throw RunError("OpenCL's clCreateKernel failed with {} for the kernel '{}' of '{}'", opencl::error_word(result),
                     signature.name, name_);
    kernels_.emplace_back(signature, std::move(id), text, state_->profile.slot(signature.name));
  }
}

const Kernel& OpenclProgram::kernel(std::string_view name) const {
  for (const OpenclKernel& kernel : kernels_)
    if (kernel.name() == name) return kernel;
  throw std::logic_error(fmt::format("the program '{}' has no kernel '{}'", name_, name));
}

}  // namespace swell
