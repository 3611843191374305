// SPDX-License-Identifier: Apache-2.0
#include "device/opencl/api.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <map>
#include <vector>

namespace swell::opencl {
namespace {

// OpenCL 1.2, section 5 and its header: from 0 downwards, then from -30 downwards.
constexpr std::array<const char*, 20> runtime_errors = {
    "CL_SUCCESS", "CL_DEVICE_NOT_FOUND", "CL_DEVICE_NOT_AVAILABLE", "CL_COMPILER_NOT_AVAILABLE",
    "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES", "CL_OUT_OF_HOST_MEMORY",
    "CL_PROFILING_INFO_NOT_AVAILABLE", "CL_MEM_COPY_OVERLAP", "CL_IMAGE_FORMAT_MISMATCH",
    "CL_IMAGE_FORMAT_NOT_SUPPORTED", "CL_BUILD_PROGRAM_FAILURE", "CL_MAP_FAILURE", "CL_MISALIGNED_SUB_BUFFER_OFFSET",
    "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "CL_COMPILE_PROGRAM_FAILURE", "CL_LINKER_NOT_AVAILABLE",
    "CL_LINK_PROGRAM_FAILURE", "CL_DEVICE_PARTITION_FAILED", "CL_KERNEL_ARG_INFO_NOT_AVAILABLE"};
constexpr int first_invalid = 30;
constexpr std::array<const char*, 39> invalid_things = {
    "VALUE", "DEVICE_TYPE", "PLATFORM", "DEVICE", "CONTEXT", "QUEUE_PROPERTIES", "COMMAND_QUEUE", "HOST_PTR",
    "MEM_OBJECT", "IMAGE_FORMAT_DESCRIPTOR", "IMAGE_SIZE", "SAMPLER", "BINARY", "BUILD_OPTIONS", "PROGRAM",
    "PROGRAM_EXECUTABLE", "KERNEL_NAME", "KERNEL_DEFINITION", "KERNEL", "ARG_INDEX", "ARG_VALUE", "ARG_SIZE",
    "KERNEL_ARGS", "WORK_DIMENSION", "WORK_GROUP_SIZE", "WORK_ITEM_SIZE", "GLOBAL_OFFSET", "EVENT_WAIT_LIST", "EVENT",
    "OPERATION", "GL_OBJECT", "BUFFER_SIZE", "MIP_LEVEL", "GLOBAL_WORK_SIZE", "PROPERTY", "IMAGE_DESCRIPTOR",
    "COMPILER_OPTIONS", "LINKER_OPTIONS", "DEVICE_PARTITION_COUNT"};

void* open_library(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  throw RunError("no OpenCL loader was found (looked for {}); install ocl-icd-libopencl1 or the driver of the GPU",
                 fmt::join(names, ", "));
}

template <class F>
void find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  if (!function) throw RunError("the OpenCL loader has no {}: version 1.2 is needed", name);
}

std::shared_ptr<const Api> load(const std::vector<std::string>& names) {
  void* library = open_library(names);
  auto api = std::make_shared<Api>();
  find(library, "clGetPlatformIDs", api->GetPlatformIDs);
  find(library, "clGetPlatformInfo", api->GetPlatformInfo);
  find(library, "clGetDeviceIDs", api->GetDeviceIDs);
  find(library, "clGetDeviceInfo", api->GetDeviceInfo);
  find(library, "clCreateContext", api->CreateContext);
  find(library, "clReleaseContext", api->ReleaseContext);
  find(library, "clCreateCommandQueue", api->CreateCommandQueue);
  find(library, "clReleaseCommandQueue", api->ReleaseCommandQueue);
  find(library, "clFlush", api->Flush);
  find(library, "clFinish", api->Finish);
  find(library, "clCreateBuffer", api->CreateBuffer);
  find(library, "clReleaseMemObject", api->ReleaseMemObject);
  find(library, "clEnqueueReadBuffer", api->EnqueueReadBuffer);
  find(library, "clEnqueueWriteBuffer", api->EnqueueWriteBuffer);
  find(library, "clEnqueueFillBuffer", api->EnqueueFillBuffer);
  find(library, "clCreateProgramWithSource", api->CreateProgramWithSource);
  find(library, "clCreateProgramWithBinary", api->CreateProgramWithBinary);
  find(library, "clBuildProgram", api->BuildProgram);
  find(library, "clGetProgramInfo", api->GetProgramInfo);
  find(library, "clGetProgramBuildInfo", api->GetProgramBuildInfo);
  find(library, "clReleaseProgram", api->ReleaseProgram);
  find(library, "clCreateKernel", api->CreateKernel);
  find(library, "clReleaseKernel", api->ReleaseKernel);
  find(library, "clSetKernelArg", api->SetKernelArg);
  find(library, "clEnqueueNDRangeKernel", api->EnqueueNDRangeKernel);
  find(library, "clEnqueueMarkerWithWaitList", api->EnqueueMarkerWithWaitList);
  find(library, "clGetEventInfo", api->GetEventInfo);
  find(library, "clWaitForEvents", api->WaitForEvents);
  find(library, "clGetEventProfilingInfo", api->GetEventProfilingInfo);
  find(library, "clReleaseEvent", api->ReleaseEvent);
  return api;
}

}  // namespace

std::shared_ptr<const Api> load_api() {
  static std::map<std::string, std::shared_ptr<const Api>> loaded;
  const char* given = std::getenv("SWELL_OPENCL");
  const std::string name = given ? given : "";
  auto& api = loaded[name];
  if (!api) api = load(name.empty() ? std::vector<std::string>{"libOpenCL.so.1", "libOpenCL.so"} : std::vector{name});
  return api;
}

std::string error_word(Result error) {
  const auto at = static_cast<std::size_t>(-error);
  if (error <= 0 && at < runtime_errors.size()) return runtime_errors[at];
  if (at >= first_invalid && at - first_invalid < invalid_things.size())
    return fmt::format("CL_INVALID_{}", invalid_things[at - first_invalid]);
  return fmt::format("error {}", error);
}

void check(Result result, const char* call) {
  if (result != success) throw RunError("OpenCL's {} failed with {}", call, error_word(result));
}

}  // namespace swell::opencl
