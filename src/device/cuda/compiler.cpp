// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/compiler.hpp"

#include "base/error.hpp"
#include "base/log.hpp"
#include "device/compile_error.hpp"
#include "device/entry_lock.hpp"
#include "device/files.hpp"
#include "device/gpu/cache.hpp"
#include "device/texts.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace swell {
namespace {

constexpr cuda::Result refused_text = 6;  // NVRTC_ERROR_COMPILATION

std::string resident_define(const ProgramText& text) {
  return text.resident > 0 ? fmt::format("#define RESIDENT {}\n", text.resident) : "";
}

// No fast mathematics: division and square root round as on the CPU, and nothing is reassociated.
std::vector<std::string> compile_options(const std::string& target, bool native) {
  std::vector<std::string> options = {"--gpu-architecture=" + target, "--std=c++17", "--disable-warnings"};
  if (native) options.push_back("--ptxas-options=-v");
  return options;
}

std::string without_extension(const std::string& path) { return path.substr(0, path.rfind('.')); }

class Compilation {
 public:
  Compilation(const cuda::Nvrtc& nvrtc, const std::string& text, const std::string& name) : nvrtc_(nvrtc) {
    nvrtc_.check(nvrtc_.CreateProgram(&program_, text.c_str(), name.c_str(), 0, nullptr, nullptr),
                 "nvrtcCreateProgram");
  }
  ~Compilation() { nvrtc_.DestroyProgram(&program_); }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  cuda::Result run(const std::vector<std::string>& options) const {
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvrtc_.CompileProgram(program_, static_cast<int>(pointers.size()), pointers.data());
  }

  std::string log() const {
    std::string text = take(nvrtc_.GetProgramLogSize, nvrtc_.GetProgramLog, "nvrtcGetProgramLog");
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }
  // The driver expects PTX with its terminating zero, which is counted.
  std::string image(bool native) const {
    return native ? take(nvrtc_.GetCUBINSize, nvrtc_.GetCUBIN, "nvrtcGetCUBIN")
                  : take(nvrtc_.GetPTXSize, nvrtc_.GetPTX, "nvrtcGetPTX");
  }

 private:
  std::string take(cuda::Result (*size)(cuda::NvrtcProgram, std::size_t*),
                   cuda::Result (*content)(cuda::NvrtcProgram, char*), const char* call) const {
    std::size_t bytes = 0;
    nvrtc_.check(size(program_, &bytes), call);
    std::string result(bytes, '\0');
    if (bytes > 0) nvrtc_.check(content(program_, result.data()), call);
    return result;
  }

  const cuda::Nvrtc& nvrtc_;
  cuda::NvrtcProgram program_ = nullptr;
};

}  // namespace

CudaCompiler::CudaCompiler() : nvrtc_(cuda::load_nvrtc()) {
  secure_folder(cache_folder());
  int minor = 0, count = 0;
  nvrtc_->check(nvrtc_->Version(&major_, &minor), "nvrtcVersion");
  version_ = fmt::format("NVRTC {}.{}", major_, minor);
  nvrtc_->check(nvrtc_->GetNumSupportedArchs(&count), "nvrtcGetNumSupportedArchs");
  architectures_.resize(static_cast<std::size_t>(count));
  nvrtc_->check(nvrtc_->GetSupportedArchs(architectures_.data()), "nvrtcGetSupportedArchs");
}

CudaCompiler::Target CudaCompiler::target(int architecture) const {
  int before = 0;
  for (const int known : architectures_) {
    if (known == architecture) return {fmt::format("sm_{}", known), known, true};
    if (known < architecture) before = std::max(before, known);
  }
  if (before == 0)
    throw RunError("{} ('{}') does not compile for this GPU's architecture sm_{}; install an older one, or set "
                   "SWELL_NVRTC to its path", version_, nvrtc_->library, architecture);
  return {fmt::format("compute_{}", before), before, false};
}

std::string CudaCompiler::describe(int architecture) const {
  const Target goal = target(architecture);
  return fmt::format("{} for {}{}", version_, goal.name,
                     goal.native ? "" : fmt::format(", older than sm_{}: the driver compiles the rest", architecture));
}

CudaCode CudaCompiler::compile(const ProgramText& text, int architecture, std::int64_t& compiles) const {
  FoundKernels found = whole_text(text, resident_define(text), {device_texts("device/cuda/dictionary.h"),
                                                                 device_texts("device/cuda/matrix.h")});
  const Target goal = target(architecture);
  const std::vector<std::string> options = compile_options(goal.name, goal.native);
  const BinaryCache cache(version_, ".cu", goal.native ? ".cubin" : ".ptx");
  const BinaryCache::Entry entry = cache.entry(text.name, found.text, fmt::format("{}", fmt::join(options, " ")));
  if (auto image = BinaryCache::read(entry)) return {std::move(*image), std::move(found.kernels), entry.binary};
  const EntryLock lock(entry.binary);
  // Another process may have made it meanwhile.
  if (auto image = BinaryCache::read(entry)) return {std::move(*image), std::move(found.kernels), entry.binary};

  write_file(entry.text, found.text);
  ++compiles;
  log_info("Compiling kernels: {} ({})", text.name, version_);
  const Compilation compilation(*nvrtc_, found.text, entry.text);
  const cuda::Result result = compilation.run(options);
  const std::string log = compilation.log();
  if (result == refused_text) {
    write_file(entry.log, log);
    throw CompileError("{} could not compile the kernels '{}' for {}: what it said is in {}, the text is {}", version_,
                       text.name, goal.name, entry.log, entry.text)
        .with_log(log);
  }
  if (result != cuda::success)
    throw RunError("{} ('{}') failed on the kernels '{}' for {}: {}: {}", version_, nvrtc_->library, text.name,
                   goal.name, nvrtc_->GetErrorString(result), log.substr(0, log.find('\n')));
  if (!log.empty()) write_file(without_extension(entry.binary) + ".txt", log);
  std::string image = compilation.image(goal.native);
  BinaryCache::write(entry, image);
  return {std::move(image), std::move(found.kernels), ""};
}

}  // namespace swell
