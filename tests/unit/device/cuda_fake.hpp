// SPDX-License-Identifier: Apache-2.0
// A made-up CUDA driver and NVRTC in one library, compiled by the test: what the queue hands to a driver can then be
// seen without a GPU. Its memory is the host's and its kernel `mix` is a function here.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "environment.hpp"

namespace swell {

// "" where the system's compiler does not take the text.
inline std::string make_library(const std::filesystem::path& folder, const std::string& name, const std::string& text) {
  const std::filesystem::path source = folder / (name + ".cpp"), library = folder / (name + ".so");
  std::ofstream(source) << text;
  const std::string command = fmt::format("c++ -w -shared -fPIC -o '{}' '{}'", library.string(), source.string());
  return std::system(command.c_str()) == 0 ? library.string() : "";
}

constexpr const char* fake_driver_text = R"(
#include <stdlib.h>
#include <string.h>
extern "C" {
unsigned fake_grid, fake_block, fake_shared, fake_most_shared, fake_carveout;  // of the last launch and program
int fake_launch_result, fake_wait_result, fake_query_result;
static long clock_ticks;

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) { *version = 13020; return 0; }
int cuGetErrorName(int, const char** text) { *text = "CUDA_ERROR_MADE_UP"; return 0; }
int cuGetErrorString(int, const char** text) { *text = "the chip fell off"; return 0; }
int cuDeviceGetCount(int* count) { *count = 2; return 0; }
int cuDeviceGet(int* device, int number) { *device = number; return 0; }
int cuDeviceGetName(char* name, int, int device) { strcpy(name, device ? "Second Chip" : "Made Up 100"); return 0; }
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 16 ? 3 : attribute == 39 ? 2048 : attribute == 75 ? 9 : attribute == 76 ? 0
           : attribute == 81 ? 233472 : attribute == 97 ? 232448 : -1;
  return 0;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) { *bytes = (size_t)8 << 30; return 0; }
int cuDevicePrimaryCtxRetain(void** context, int) { *context = (void*)1; return 0; }
int cuCtxSetCurrent(void* context) { return context ? 0 : 201; }
int cuMemGetInfo_v2(size_t* available, size_t* total) { *total = (size_t)8 << 30; *available = *total / 2; return 0; }
int cuMemAlloc_v2(void** address, size_t bytes) {
  if (bytes > (size_t)1 << 30) return 2;
  *address = malloc(bytes);
  memset(*address, 77, bytes);
  return 0;
}
int cuMemFree_v2(void* address) { free(address); return 0; }
int cuMemcpyHtoDAsync_v2(void* to, const void* from, size_t bytes, void*) { memcpy(to, from, bytes); return 0; }
int cuMemcpyDtoHAsync_v2(void* to, const void* from, size_t bytes, void*) { memcpy(to, from, bytes); return 0; }
int cuMemsetD8Async(void* to, unsigned char value, size_t bytes, void*) { memset(to, value, bytes); return 0; }
int cuModuleLoadDataEx(void** module, const void* image, unsigned, int*, void**) {
  *module = (void*)2;
  return memcmp(image, "code", 4) ? 200 : 0;
}
int cuModuleUnload(void*) { return 0; }
int cuModuleGetFunction(void** function, void*, const char* name) { *function = (void*)5; return strcmp(name, "mix"); }
int cuFuncGetAttribute(int* value, int, void*) { *value = 0; return 0; }
int cuFuncSetAttribute(void*, int attribute, int value) {
  (attribute == 8 ? fake_most_shared : fake_carveout) = value;
  return attribute == 8 || attribute == 9 ? 0 : 1;
}
int cuLaunchKernel(void*, unsigned x, unsigned y, unsigned z, unsigned block, unsigned block_y, unsigned block_z,
                   unsigned shared, void*, void** from, void**) {
  fake_grid = x, fake_block = block, fake_shared = shared;
  if (y != 1 || z != 1 || block_y != 1 || block_z != 1) return 1;
  if (fake_launch_result) return fake_launch_result;
  const double* in = *(double**)from[0];
  double* out = *(double**)from[1];
  const double a = *(double*)from[2];
  const long shift = *(long*)from[3];
  const int stride = *(int*)from[4];
  const double t = *(double*)from[5];
  const long first = *(long*)from[6], items = *(long*)from[7];
  for (long i = first; i < items; ++i) out[i * stride + shift] = a * in[i] + t;
  return 0;
}
int cuStreamCreate(void** stream, unsigned flags) { *stream = (void*)3; return flags == 1 ? 0 : 1; }
int cuMemHostAlloc(void** address, size_t bytes, unsigned flags) { *address = malloc(bytes); return flags; }
int cuMemFreeHost(void* address) { free(address); return 0; }
int cuStreamQuery(void*) { return fake_query_result; }
int cuStreamSynchronize(void*) { return fake_wait_result; }
int cuStreamDestroy_v2(void*) { return 0; }
int cuEventCreate(long** event, unsigned) { *event = (long*)calloc(1, sizeof(long)); return 0; }
int cuEventRecord(long* event, void*) { *event = ++clock_ticks; return 0; }
int cuEventSynchronize(long*) { return 0; }
int cuEventElapsedTime(float* milliseconds, long* start, long* end) { *milliseconds = *end - *start; return 0; }
int cuEventDestroy_v2(long* event) { free(event); return 0; }

int nvrtcVersion(int* major, int* minor) { *major = 98, *minor = 7; return 0; }
const char* nvrtcGetErrorString(int) { return "made up"; }
int nvrtcGetNumSupportedArchs(int* count) { *count = 2; return 0; }
int nvrtcGetSupportedArchs(int* all) { all[0] = 80, all[1] = 90; return 0; }
int nvrtcCreateProgram(void** program, const char*, const char*, int, const char**, const char**) {
  *program = (void*)4;
  return 0;
}
int nvrtcDestroyProgram(void**) { return 0; }
int nvrtcCompileProgram(void*, int, const char**) { return 0; }
int nvrtcGetCUBINSize(void*, size_t* bytes) { *bytes = 4; return 0; }
int nvrtcGetCUBIN(void*, char* to) { memcpy(to, "code", 4); return 0; }
int nvrtcGetPTXSize(void*, size_t* bytes) { *bytes = 0; return 0; }
int nvrtcGetPTX(void*, char*) { return 0; }
int nvrtcGetProgramLogSize(void*, size_t* bytes) { *bytes = 1; return 0; }
int nvrtcGetProgramLog(void*, char* to) { *to = 0; return 0; }
}
)";

}  // namespace swell
