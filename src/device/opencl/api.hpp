// SPDX-License-Identifier: Apache-2.0
// The few functions of OpenCL 1.2 that Swell calls, found at run time through the system's loader. Types and numbers follow
// the OpenCL 1.2 specification (Khronos 2012); functions are named as there, without their prefix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace swell::opencl {

using Result = std::int32_t;
using Count = std::uint32_t;
using Flags = std::uint64_t;
using Platform = struct PlatformOfDriver*;
using DeviceId = struct DeviceOfDriver*;
using Context = struct ContextOfDriver*;
using CommandQueue = struct QueueOfDriver*;
using Memory = struct MemoryOfDriver*;
using ProgramId = struct ProgramOfDriver*;
using KernelId = struct KernelOfDriver*;
using Event = struct EventOfDriver*;

constexpr Result success = 0;
constexpr Result memory_allocation_failure = -4;
constexpr Result out_of_resources = -5;
constexpr Result out_of_host_memory = -6;
constexpr Result invalid_kernel_name = -46;
constexpr Result platform_not_found = -1001;  // cl_khr_icd

constexpr Flags device_type_gpu = 1 << 2;
constexpr Flags device_type_all = 0xFFFFFFFF;
constexpr Flags queue_profiling = 1 << 1;
constexpr Flags memory_read_write = 1 << 0;
constexpr std::intptr_t context_platform = 0x1084;
constexpr Count no = 0, yes = 1;

enum class PlatformInfo : Count { version = 0x0901, name = 0x0902 };
enum class DeviceQuery : Count {
  type = 0x1000,
  compute_units = 0x1002,
  group_size = 0x1004,
  largest_allocation = 0x1010,
  cache_size = 0x101E,
  memory = 0x101F,
  local_memory = 0x1023,
  available = 0x1027,
  compiler_available = 0x1028,
  name = 0x102B,
  driver_version = 0x102D,
  version = 0x102F,
  extensions = 0x1030,
  double_config = 0x1032,
  language_version = 0x103D,
};
enum class ProgramQuery : Count { binary_sizes = 0x1165, binaries = 0x1166 };
enum class BuildQuery : Count { log = 0x1183 };
enum class EventQuery : Count { status = 0x11D3 };
constexpr std::int32_t event_complete = 0;
enum class ProfilingQuery : Count { start = 0x1282, end = 0x1283 };

struct Api {
  Result (*GetPlatformIDs)(Count entries, Platform* platforms, Count* count);
  Result (*GetPlatformInfo)(Platform, PlatformInfo, std::size_t bytes, void* value, std::size_t* needed);
  Result (*GetDeviceIDs)(Platform, Flags type, Count entries, DeviceId* devices, Count* count);
  Result (*GetDeviceInfo)(DeviceId, DeviceQuery, std::size_t bytes, void* value, std::size_t* needed);
  Context (*CreateContext)(const std::intptr_t* properties, Count devices, const DeviceId*,
                           void (*notify)(const char*, const void*, std::size_t, void*), void* user, Result*);
  Result (*ReleaseContext)(Context);
  CommandQueue (*CreateCommandQueue)(Context, DeviceId, Flags properties, Result*);
  Result (*ReleaseCommandQueue)(CommandQueue);
  Result (*Flush)(CommandQueue);
  Result (*Finish)(CommandQueue);
  Memory (*CreateBuffer)(Context, Flags, std::size_t bytes, void* host, Result*);
  Result (*ReleaseMemObject)(Memory);
  Result (*EnqueueReadBuffer)(CommandQueue, Memory, Count blocking, std::size_t offset, std::size_t bytes, void* to,
                              Count waits, const Event*, Event*);
  Result (*EnqueueWriteBuffer)(CommandQueue, Memory, Count blocking, std::size_t offset, std::size_t bytes,
                               const void* from, Count waits, const Event*, Event*);
  Result (*EnqueueFillBuffer)(CommandQueue, Memory, const void* pattern, std::size_t pattern_bytes, std::size_t offset,
                              std::size_t bytes, Count waits, const Event*, Event*);
  ProgramId (*CreateProgramWithSource)(Context, Count texts, const char** text, const std::size_t* lengths, Result*);
  ProgramId (*CreateProgramWithBinary)(Context, Count devices, const DeviceId*, const std::size_t* lengths,
                                       const unsigned char** binaries, Result* status, Result*);
  Result (*BuildProgram)(ProgramId, Count devices, const DeviceId*, const char* options, void (*notify)(ProgramId, void*),
                         void* user);
  Result (*GetProgramInfo)(ProgramId, ProgramQuery, std::size_t bytes, void* value, std::size_t* needed);
  Result (*GetProgramBuildInfo)(ProgramId, DeviceId, BuildQuery, std::size_t bytes, void* value, std::size_t* needed);
  Result (*ReleaseProgram)(ProgramId);
  KernelId (*CreateKernel)(ProgramId, const char* name, Result*);
  Result (*ReleaseKernel)(KernelId);
  Result (*SetKernelArg)(KernelId, Count index, std::size_t bytes, const void* value);
  Result (*EnqueueNDRangeKernel)(CommandQueue, KernelId, Count dimensions, const std::size_t* offset,
                                 const std::size_t* global, const std::size_t* local, Count waits, const Event*, Event*);
  Result (*EnqueueMarkerWithWaitList)(CommandQueue, Count waits, const Event*, Event*);
  Result (*GetEventInfo)(Event, EventQuery, std::size_t bytes, void* value, std::size_t* needed);
  Result (*WaitForEvents)(Count count, const Event*);
  Result (*GetEventProfilingInfo)(Event, ProfilingQuery, std::size_t bytes, void* value, std::size_t* needed);
  Result (*ReleaseEvent)(Event);
};

// The functions of $SWELL_OPENCL, else of libOpenCL.so.1, else of libOpenCL.so; the library stays loaded. Throws RunError where there is none.
std::shared_ptr<const Api> load_api();

// "CL_OUT_OF_RESOURCES", or the number where the specification has no word for it.
std::string error_word(Result error);

// Throws RunError that names the call and the error.
void check(Result result, const char* call);

// Owns an object whose references the driver counts.
template <class T>
using Handle = std::unique_ptr<std::remove_pointer_t<T>, Result (*)(T)>;

}  // namespace swell::opencl
