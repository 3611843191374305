// SPDX-License-Identifier: Apache-2.0
// Faults that a real OpenCL driver does not show on demand: tested against a made-up one, compiled by the test.
#include "base/error.hpp"
#include "device/device.hpp"

#include "cuda_fake.hpp"
#include "folder.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace swell {
namespace {

// A GPU without doubles. Handles are addresses that nobody reads; FAKE_... numbers are what a test changes.
constexpr const char* fake_text = R"(
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef size_t Z;
typedef void *P;
extern "C" {
int fake_finish, fake_launch, fake_create = 0;
Z fake_global, fake_local, fake_bytes[8];
char fake_options[1000];
static int thing;
static int give(const void *from, Z size, Z bytes, P to, Z *needed) {
  if (needed) *needed = size;
  if (to) memcpy(to, from, size < bytes ? size : bytes);
  return 0;
}
int clGetPlatformIDs(unsigned, P *to, unsigned *count) {
#ifdef ABORTS
  abort();
#endif
  if (count) *count = 1;
  if (to) *to = &thing;
  return 0;
}
int clGetPlatformInfo(P, unsigned, Z bytes, P to, Z *needed) { return give("Made Up", 8, bytes, to, needed); }
int clGetDeviceIDs(P, uint64_t, unsigned, P *to, unsigned *count) {
  if (count) *count = 2;
  if (to) to[0] = &thing, to[1] = &thing + 1;
  return 0;
}
int clGetDeviceInfo(P device, unsigned what, Z bytes, P to, Z *needed) {
  const char *text = what == 0x102F ? "OpenCL 1.2 made up" : what == 0x1030 ? "cl_a cl_nv_compiler_options" : "Chip ";
  if (what >= 0x102B && what <= 0x103D && what != 0x1032) return give(text, strlen(text) + 1, bytes, to, needed);
  uint64_t value = 1;
  if (what == 0x1000) value = device == &thing ? 2 : 4;
  if (what == 0x1004) value = 256;
  if (what == 0x101F) value = 1 << 30;
  if (what == 0x1010) value = 1 << 28;
  if (what == 0x1023) value = 48 << 10;
  if (what == 0x1032) value = 0;
  return give(&value, 8, bytes, to, needed);
}
P clCreateContext(const intptr_t *, unsigned, const P *, P, P, int *result) { *result = 0; return &thing; }
int clReleaseContext(P) { return 0; }
P clCreateCommandQueue(P, P, uint64_t, int *result) { *result = 0; return &thing; }
int clReleaseCommandQueue(P) { return 0; }
int clFlush(P) { return 0; }
int clFinish(P) { return fake_finish; }
P clCreateBuffer(P, uint64_t, Z, P, int *result) { *result = fake_create; return fake_create ? 0 : &thing; }
int clReleaseMemObject(P) { return 0; }
int clEnqueueReadBuffer(P, P, unsigned, Z, Z bytes, P to, unsigned, const P *, P *) {
  const int answers[2] = {42, 43};
  return give(answers, sizeof answers, bytes, to, 0);
}
int clEnqueueWriteBuffer(P, P, unsigned, Z, Z, const P, unsigned, const P *, P *) { return 0; }
int clEnqueueFillBuffer(P, P, const P, Z, Z, Z, unsigned, const P *, P *) { return 0; }
P clCreateProgramWithSource(P, unsigned, const char **, const Z *, int *result) { *result = 0; return &thing; }
P clCreateProgramWithBinary(P, unsigned, const P *, const Z *, const unsigned char **, int *status, int *result) {
  *status = *result = 0;
  return &thing;
}
int clBuildProgram(P, unsigned, const P *device, const char *options, P, P) {
#ifdef SECOND_ABORTS
  if (*device != &thing) abort();
#endif
  strcpy(fake_options, options);
  return 0;
}
int clGetProgramInfo(P, unsigned what, Z bytes, P to, Z *needed) {
  const Z size = 4;
  if (what == 0x1165) return give(&size, sizeof size, bytes, to, needed);
  memcpy(*(P *)to, "code", 4);
  return 0;
}
int clGetProgramBuildInfo(P, P, unsigned, Z bytes, P to, Z *needed) { return give("", 1, bytes, to, needed); }
int clReleaseProgram(P) { return 0; }
P clCreateKernel(P, const char *, int *result) { *result = 0; return &thing; }
int clReleaseKernel(P) { return 0; }
int clSetKernelArg(P, unsigned index, Z bytes, const void *) { fake_bytes[index] = bytes; return 0; }
int clEnqueueNDRangeKernel(P, P, unsigned, const Z *, const Z *global, const Z *local, unsigned, const P *, P *event) {
  fake_global = *global;
  fake_local = *local;
  if (event) *event = &thing;
  return fake_launch;
}
int clEnqueueMarkerWithWaitList(P, unsigned, const P *, P *event) { *event = &thing; return 0; }
int clGetEventInfo(P, unsigned, Z bytes, P to, Z *needed) { const int done = 0; return give(&done, 4, bytes, to, needed); }
int clWaitForEvents(unsigned, const P *) { return 0; }
int clGetEventProfilingInfo(P, unsigned what, Z bytes, P to, Z *needed) {
  const uint64_t nanoseconds = what == 0x1282 ? 1000 : 3000;
  return give(&nanoseconds, 8, bytes, to, needed);
}
int clReleaseEvent(P) { return 0; }
}
)";

constexpr const char* kernels_text = R"(
KERNEL void one(GLOBAL scalar *x, const scalar a, const INDEX n, const double t) { ITEMS(i) x[i] = a; })";

class FakeOpencl : public testing::Test {
 protected:
  TemporaryCache cache;
  std::string library;

  // Under a name of its own: what a process knows of a library it remembers.
  void load(const std::string& name, const std::string& defines = "") {
    library = make_library(cache.folder(), name, defines + fake_text);
    ASSERT_FALSE(library.empty());
    setenv("SWELL_OPENCL", library.c_str(), 1);
  }
  ~FakeOpencl() override { unsetenv("SWELL_OPENCL"); }

  template <class T>
  T& variable(const char* name) const {
    return *static_cast<T*>(dlsym(dlopen(library.c_str(), RTLD_NOW), name));
  }
  static std::vector<DeviceChoice> choices() {
    auto all = list_devices();
    std::erase_if(all, [](const DeviceChoice& choice) { return !choice.name.starts_with("opencl"); });
    return all;
  }
  template <class Action>
  static std::string sentence_of(Action action) {
    try {
      action();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(FakeOpencl, TakesTheFirstGpuWhereNoneIsNamed) {
  load("two");
  const auto all = choices();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].usable && all[1].usable);
  EXPECT_EQ(all[1].name, "opencl:0:1");
  EXPECT_NE(all[1].words.find("single precision only"), std::string::npos) << all[1].words;
  EXPECT_EQ(open_device("opencl")->info().name, "Chip");
}

TEST_F(FakeOpencl, IsASentenceWhereTheDriverAborts) {
  load("aborts", "#define ABORTS\n");
  ASSERT_EQ(choices().size(), 1u);
  EXPECT_FALSE(choices()[0].usable);
  EXPECT_EQ(choices()[0].words, "the OpenCL driver was ended by signal 6 (Aborted)");
}

TEST_F(FakeOpencl, LeavesOutTheDeviceAtWhichTheDriverAborts) {
  load("second_aborts", "#define SECOND_ABORTS\n");
  const auto all = choices();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].usable);
  EXPECT_FALSE(all[1].usable);
  EXPECT_EQ(all[1].words, "Chip cannot be used: its driver, when first used, was ended by signal 6 (Aborted)");
  EXPECT_NO_THROW(open_device("opencl"));
  EXPECT_THROW(open_device("opencl:0:1"), InputError);
}

TEST_F(FakeOpencl, WithoutDoublesRefusesThemAndTakesTimesAsFloats) {
  load("floats");
  const auto device = open_device("opencl");
  EXPECT_FALSE(device->info().doubles);
  EXPECT_EQ(sentence_of([&] { device->compile({"one", kernels_text, {"one"}}); }),
            "the device Chip has no double precision; choose single precision or another device");
  const auto program = device->compile({"one", kernels_text, {"one"}, Precision::single_});
  const auto o_x = device->allocate(16, "x");
  device->queue().launch(program->kernel("one"), 300,
                         {*o_x, Argument::real(1), std::int64_t(1), Argument::time(1)});
  const auto* bytes = &variable<std::size_t>("fake_bytes");
  EXPECT_EQ((std::vector<std::size_t>(bytes, bytes + 5)), (std::vector<std::size_t>{8, 4, 8, 4, 8}));
  EXPECT_EQ(variable<std::size_t>("fake_global"), 384u);
  EXPECT_EQ(variable<std::size_t>("fake_local"), 128u);
}

TEST_F(FakeOpencl, GivesAGroupToEachItemAndLimitsRegistersSoThatGroupsFit) {
  load("groups");
  const auto device = open_device("opencl");
  const char* text = "KERNEL void one(GLOBAL scalar *x) { GROUP(i); x[i] = 1.0; }";
  const auto program = device->compile({"one", text, {"one"}, Precision::single_, false, 96, 0, 6});
  const auto o_x = device->allocate(16, "x");
  device->queue().launch(program->kernel("one"), 7, {*o_x});
  EXPECT_EQ(variable<std::size_t>("fake_global"), 7u * 96);
  EXPECT_EQ(variable<std::size_t>("fake_local"), 96u);
  // 65536 / (96 x 6) = 113, of which whole eights are given out.
  EXPECT_NE(std::string(&variable<char>("fake_options")).find("-cl-nv-maxrregcount=112"), std::string::npos);
}

TEST_F(FakeOpencl, NamesTheCallThatFailed) {
  load("fails");
  const auto device = open_device("opencl");
  const auto program = device->compile({"one", kernels_text, {"one"}, Precision::single_});
  const auto o_x = device->allocate(16, "x");
  variable<int>("fake_finish") = -36;
  EXPECT_EQ(sentence_of([&] { device->queue().finish(); }), "OpenCL's clFinish failed with CL_INVALID_COMMAND_QUEUE");
  variable<int>("fake_launch") = -54;
  EXPECT_EQ(sentence_of([&] {
              device->queue().launch(program->kernel("one"), 5,
                                     {*o_x, Argument::real(1), std::int64_t(1), Argument::time(1)});
            }),
            "OpenCL's clEnqueueNDRangeKernel failed with CL_INVALID_WORK_GROUP_SIZE for 5 items of the kernel 'one'");
  variable<int>("fake_create") = -4;
  EXPECT_NE(sentence_of([&] { device->allocate(1 << 20, "the state"); }).find("there is no memory for the state"),
            std::string::npos);
  variable<int>("fake_create") = 0;
  EXPECT_EQ(sentence_of([&] { device->allocate(1 << 29, "the state"); }),
            "there is no memory for the state (0.5 GiB): one array on this device has at most 0.25 GiB");
}

TEST_F(FakeOpencl, AddsUpTheTimesOfMoreLaunchesThanItKeepsEventsFor) {
  load("times");
  const auto device = open_device("opencl");
  const auto program = device->compile({"one", kernels_text, {"one"}, Precision::single_});
  const auto o_x = device->allocate(16, "x");
  device->queue().set_profiling(true);
  for (int n = 0; n < 2500; ++n)
    device->queue().launch(program->kernel("one"), 5, {*o_x, Argument::real(1), std::int64_t(1), Argument::time(1)});
  const auto profile = device->queue().profile();
  ASSERT_EQ(profile.size(), 1u);
  EXPECT_NEAR(profile[0].seconds, 2500 * 2e-6, 1e-12);
}

}  // namespace
}  // namespace swell
