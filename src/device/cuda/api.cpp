// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/api.hpp"

#include "base/error.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

namespace swell::cuda {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

struct Library {
  void* handle;  // never closed: a driver leaves threads and exit handlers behind
  std::string name;
};

// The first of `names` that opens. `wish` is the environment's variable that names it instead.
Library open_library(const char* what, const char* wish, std::vector<std::string> names, const char* advice) {
  if (const std::string wanted = environment(wish); !wanted.empty()) names = {wanted};
  std::string reason;
  for (const std::string& name : names) {
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return {handle, name};
    // Where a library is there but does not load, that is the reason; where none is there, the first name's.
    const char* problem = dlerror();
    if (reason.empty() || (name.front() == '/' && access(name.c_str(), F_OK) == 0)) reason = problem ? problem : name;
  }
  throw RunError("{} was not found ({}); {}, or set {} to the library's path", what, reason, advice, wish);
}

class Symbols {
 public:
  explicit Symbols(const Library& library) : library_(library) {}

  // The first of the names that the library has.
  template <class Pointer>
  void take(Pointer& pointer, const char* name, const char* older_name = nullptr) const {
    void* address = dlsym(library_.handle, name);
    if (!address && older_name) address = dlsym(library_.handle, older_name);
    if (!address) throw RunError("the library '{}' is too old or damaged: it has no '{}'", library_.name, name);
    pointer = reinterpret_cast<Pointer>(address);
  }

 private:
  const Library& library_;
};

// Folders of CUDA toolkits whose installer does not change the loader's path: named by the environment, then the default one,
// then those of single versions, the newest first.
std::vector<std::string> toolkit_folders() {
  std::vector<std::string> folders, versions;
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
    if (std::string folder = environment(name); !folder.empty()) folders.push_back(std::move(folder));
  folders.push_back("/usr/local/cuda");
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/local", ignored))
    if (entry.path().filename().string().starts_with("cuda-")) versions.push_back(entry.path().string());
  std::sort(versions.rbegin(), versions.rend(), [](const std::string& a, const std::string& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  });
  folders.insert(folders.end(), versions.begin(), versions.end());
  return folders;
}

std::vector<std::string> nvrtc_names() {
  const std::vector<std::string> sonames = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
  std::vector<std::string> names = sonames;
  for (const std::string& folder : toolkit_folders())
    for (const char* below : {"/lib64/", "/lib/", "/targets/x86_64-linux/lib/", "/targets/sbsa-linux/lib/"})
      for (const std::string& name : sonames) names.push_back(folder + below + name);
  return names;
}

}  // namespace

std::shared_ptr<const Driver> load_driver() {
  const Library library = open_library("the CUDA driver", "SWELL_CUDA", {"libcuda.so.1", "libcuda.so"},
                                       "install NVIDIA's driver");
  const Symbols symbols(library);
  auto driver = std::make_shared<Driver>();
  driver->library = library.name;
  symbols.take(driver->Init, "cuInit");
  symbols.take(driver->DriverGetVersion, "cuDriverGetVersion");
  symbols.take(driver->GetErrorName, "cuGetErrorName");
  symbols.take(driver->GetErrorString, "cuGetErrorString");
  symbols.take(driver->DeviceGetCount, "cuDeviceGetCount");
  symbols.take(driver->DeviceGet, "cuDeviceGet");
  symbols.take(driver->DeviceGetName, "cuDeviceGetName");
  symbols.take(driver->DeviceGetAttribute, "cuDeviceGetAttribute");
  symbols.take(driver->DeviceTotalMem, "cuDeviceTotalMem_v2");
  symbols.take(driver->DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  symbols.take(driver->CtxSetCurrent, "cuCtxSetCurrent");
  symbols.take(driver->MemGetInfo, "cuMemGetInfo_v2");
  symbols.take(driver->MemAlloc, "cuMemAlloc_v2");
  symbols.take(driver->MemFree, "cuMemFree_v2");
  symbols.take(driver->MemHostAlloc, "cuMemHostAlloc");
  symbols.take(driver->MemFreeHost, "cuMemFreeHost");
  symbols.take(driver->MemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2");
  symbols.take(driver->MemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2");
  symbols.take(driver->MemsetD8Async, "cuMemsetD8Async");
  symbols.take(driver->ModuleLoadDataEx, "cuModuleLoadDataEx");
  symbols.take(driver->ModuleUnload, "cuModuleUnload");
  symbols.take(driver->ModuleGetFunction, "cuModuleGetFunction");
  symbols.take(driver->FuncGetAttribute, "cuFuncGetAttribute");
  symbols.take(driver->FuncSetAttribute, "cuFuncSetAttribute");
  symbols.take(driver->LaunchKernel, "cuLaunchKernel");
  symbols.take(driver->StreamCreate, "cuStreamCreate");
  symbols.take(driver->StreamSynchronize, "cuStreamSynchronize");
  symbols.take(driver->StreamQuery, "cuStreamQuery");
  symbols.take(driver->StreamDestroy, "cuStreamDestroy_v2", "cuStreamDestroy");
  symbols.take(driver->EventCreate, "cuEventCreate");
  symbols.take(driver->EventRecord, "cuEventRecord");
  symbols.take(driver->EventSynchronize, "cuEventSynchronize");
  symbols.take(driver->EventElapsedTime, "cuEventElapsedTime");
  symbols.take(driver->EventDestroy, "cuEventDestroy_v2", "cuEventDestroy");
  return driver;
}

std::shared_ptr<const Nvrtc> load_nvrtc() {
  const Library library = open_library("NVRTC, which compiles CUDA kernels,", "SWELL_NVRTC", nvrtc_names(),
                                       "install the CUDA toolkit's libnvrtc");
  const Symbols symbols(library);
  auto nvrtc = std::make_shared<Nvrtc>();
  nvrtc->library = library.name;
  symbols.take(nvrtc->Version, "nvrtcVersion");
  symbols.take(nvrtc->GetErrorString, "nvrtcGetErrorString");
  symbols.take(nvrtc->GetNumSupportedArchs, "nvrtcGetNumSupportedArchs");
  symbols.take(nvrtc->GetSupportedArchs, "nvrtcGetSupportedArchs");
  symbols.take(nvrtc->CreateProgram, "nvrtcCreateProgram");
  symbols.take(nvrtc->DestroyProgram, "nvrtcDestroyProgram");
  symbols.take(nvrtc->CompileProgram, "nvrtcCompileProgram");
  symbols.take(nvrtc->GetCUBINSize, "nvrtcGetCUBINSize");
  symbols.take(nvrtc->GetCUBIN, "nvrtcGetCUBIN");
  symbols.take(nvrtc->GetPTXSize, "nvrtcGetPTXSize");
  symbols.take(nvrtc->GetPTX, "nvrtcGetPTX");
  symbols.take(nvrtc->GetProgramLogSize, "nvrtcGetProgramLogSize");
  symbols.take(nvrtc->GetProgramLog, "nvrtcGetProgramLog");
  return nvrtc;
}

std::string Driver::words(Result error) const {
  const char *name = nullptr, *sentence = nullptr;
  GetErrorName(error, &name);
  GetErrorString(error, &sentence);
  return fmt::format("{} ({})", sentence ? sentence : "unknown error", name ? name : fmt::format("error {}", error));
}

void Driver::fail(Result error, const char* call) const {
  throw RunError("the CUDA driver failed in {}: {}", call, words(error));
}

void Nvrtc::check(Result result, const char* call) const {
  if (result != success) throw RunError("NVRTC ('{}') failed in {}: {}", library, call, GetErrorString(result));
}

}  // namespace swell::cuda
