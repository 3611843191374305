// SPDX-License-Identifier: Apache-2.0
// The few functions of NVIDIA's driver and of NVRTC that Swell calls, found at run time. Types and numbers follow the
// CUDA Driver API and NVRTC reference manuals; functions are named as there, without their prefix and version.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace swell::cuda {

using Result = int;
using DeviceNumber = int;
using Address = unsigned long long;
using Context = struct ContextOfDriver*;
using Module = struct ModuleOfDriver*;
using Function = struct FunctionOfDriver*;
using Stream = struct StreamOfDriver*;
using Event = struct EventOfDriver*;

constexpr Result success = 0;
constexpr Result out_of_memory = 2;
constexpr Result not_ready = 600;
constexpr unsigned stream_non_blocking = 1;
constexpr unsigned event_default = 0;
constexpr unsigned event_without_times = 2;

enum class DeviceAttribute : int {
  processors = 16,
  cache_bytes = 38,
  threads_of_processor = 39,
  capability_major = 75,
  capability_minor = 76,
  shared_bytes_of_processor = 81,
  shared_bytes_of_block = 97,  // with the function's attribute below
};

enum class FunctionAttribute : int {
  local_bytes = 3,  // of a thread: spilled registers and local arrays
  registers = 4,
  most_dynamic_shared_bytes = 8,
  shared_carveout = 9,  // percent of the memory that caches and shared memory divide
};

struct Driver {
  std::string library;  // as it was opened

  Result (*Init)(unsigned flags);
  Result (*DriverGetVersion)(int* version);
  Result (*GetErrorName)(Result error, const char** text);
  Result (*GetErrorString)(Result error, const char** text);
  Result (*DeviceGetCount)(int* count);
  Result (*DeviceGet)(DeviceNumber* device, int ordinal);
  Result (*DeviceGetName)(char* name, int length, DeviceNumber device);
  Result (*DeviceGetAttribute)(int* value, DeviceAttribute attribute, DeviceNumber device);
  Result (*DeviceTotalMem)(std::size_t* bytes, DeviceNumber device);
  Result (*DevicePrimaryCtxRetain)(Context* context, DeviceNumber device);
  Result (*CtxSetCurrent)(Context context);
  Result (*MemGetInfo)(std::size_t* available, std::size_t* total);
  Result (*MemAlloc)(Address* address, std::size_t bytes);
  Result (*MemFree)(Address address);
  Result (*MemHostAlloc)(void** address, std::size_t bytes, unsigned flags);
  Result (*MemFreeHost)(void* address);
  Result (*MemcpyHtoDAsync)(Address to, const void* from, std::size_t bytes, Stream stream);
  Result (*MemcpyDtoHAsync)(void* to, Address from, std::size_t bytes, Stream stream);
  Result (*MemsetD8Async)(Address to, unsigned char value, std::size_t bytes, Stream stream);
  Result (*ModuleLoadDataEx)(Module* module, const void* image, unsigned options, int* names, void** values);
  Result (*ModuleUnload)(Module module);
  Result (*ModuleGetFunction)(Function* function, Module module, const char* name);
  Result (*FuncGetAttribute)(int* value, FunctionAttribute attribute, Function function);
  Result (*FuncSetAttribute)(Function function, FunctionAttribute attribute, int value);
  Result (*LaunchKernel)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                         unsigned block_y, unsigned block_z, unsigned shared_bytes, Stream stream, void** parameters,
                         void** extra);
  Result (*StreamCreate)(Stream* stream, unsigned flags);
  Result (*StreamSynchronize)(Stream stream);
  Result (*StreamQuery)(Stream stream);
  Result (*StreamDestroy)(Stream stream);
  Result (*EventCreate)(Event* event, unsigned flags);
  Result (*EventRecord)(Event event, Stream stream);
  Result (*EventSynchronize)(Event event);
  Result (*EventElapsedTime)(float* milliseconds, Event start, Event end);
  Result (*EventDestroy)(Event event);

  // Throws RunError that names the call and says what the driver says.
  void check(Result result, const char* call) const {
    if (result != success) fail(result, call);
  }
  std::string words(Result error) const;

 private:
  [[noreturn]] void fail(Result error, const char* call) const;
};

using NvrtcProgram = struct ProgramOfNvrtc*;

struct Nvrtc {
  std::string library;

  Result (*Version)(int* major, int* minor);
  const char* (*GetErrorString)(Result error);
  Result (*GetNumSupportedArchs)(int* count);
  Result (*GetSupportedArchs)(int* architectures);
  Result (*CreateProgram)(NvrtcProgram* program, const char* text, const char* name, int headers,
                          const char* const* header_texts, const char* const* header_names);
  Result (*DestroyProgram)(NvrtcProgram* program);
  Result (*CompileProgram)(NvrtcProgram program, int options, const char* const* option_texts);
  Result (*GetCUBINSize)(NvrtcProgram program, std::size_t* bytes);
  Result (*GetCUBIN)(NvrtcProgram program, char* cubin);
  Result (*GetPTXSize)(NvrtcProgram program, std::size_t* bytes);
  Result (*GetPTX)(NvrtcProgram program, char* ptx);
  Result (*GetProgramLogSize)(NvrtcProgram program, std::size_t* bytes);
  Result (*GetProgramLog)(NvrtcProgram program, char* log);

  void check(Result result, const char* call) const;
};

// $SWELL_CUDA, else the driver's usual names. Calls none of its functions. Throws RunError where there is none.
std::shared_ptr<const Driver> load_driver();
// $SWELL_NVRTC, else NVRTC's usual names, on the loader's path and in the toolkit's folder.
std::shared_ptr<const Nvrtc> load_nvrtc();

}  // namespace swell::cuda
