// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "device/device.hpp"
#include "device/gpu/probe.hpp"

#include "folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>

namespace swell {
namespace {

using Say = std::function<void(const std::string&)>;
constexpr double seconds = 20;

TEST(Probe, BringsBackWhatWasSaid) {
  const ProbeResult result = probe([](const Say& say) {
    say("one ");
    say(std::string(100000, 'x'));
  }, seconds);
  EXPECT_EQ(result.said, "one " + std::string(100000, 'x'));
  EXPECT_EQ(result.problem, "");
}

TEST(Probe, SurvivesADriverThatAborts) {
  const ProbeResult result = probe([](const Say& say) {
    say("begun");
    raise(SIGKILL);
  }, seconds);
  EXPECT_EQ(result.said, "begun");
  EXPECT_EQ(result.problem, "was ended by signal 9 (Killed)");
}

TEST(Probe, KeepsTheLastWordsOfADriverThatAborts) {
  const ProbeResult short_one = probe([](const Say&) {
    std::cerr << "no topology\n\nnot enough memory\n";
    raise(SIGKILL);
  }, seconds);
  EXPECT_EQ(short_one.problem, "was ended by signal 9 (Killed); it printed: no topology; not enough memory");
  const ProbeResult long_one = probe([](const Say&) {
    for (int n = 0; n < 100000; ++n) std::cerr << "frame " << n << "\n";
    _exit(3);
  }, seconds);
  EXPECT_TRUE(long_one.problem.starts_with("ended the process with status 3; it printed: frame 999"));
  EXPECT_TRUE(long_one.problem.ends_with("; frame 99999"));
  EXPECT_LT(long_one.problem.size(), 1200);
}

TEST(Probe, SurvivesADriverThatExitsOrThrows) {
  EXPECT_EQ(probe([](const Say&) { _exit(3); }, seconds).problem, "ended the process with status 3");
  EXPECT_TRUE(probe([](const Say&) { _exit(3); }, seconds).died);
  const ProbeResult thrown = probe([](const Say&) { throw RunError("no luck"); }, seconds);
  EXPECT_EQ(thrown.problem, "no luck");
  EXPECT_FALSE(thrown.died);
}

TEST(Probe, EndsADriverThatHangs) {
  const auto start = std::chrono::steady_clock::now();
  const ProbeResult result = probe([](const Say& say) {
    say("begun");
    for (;;) pause();
  }, 0.2);
  EXPECT_EQ(result.said, "begun");
  EXPECT_EQ(result.problem, "did not answer within 0.2 s");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Probe, LeavesTheParentUntouched) {
  int count = 0;
  EXPECT_EQ(probe([&](const Say&) { ++count; }, seconds).problem, "");
  EXPECT_EQ(count, 0);
}

// The value of a variable of the environment, for as long as this lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Setting() { unsetenv(name_); }

 private:
  const char* name_;
};

// Without this the tests of the backends would pass where they found no OpenCL device to run on.
TEST(Opencl, HasADeviceWherePoclIsInstalled) {
  if (!std::filesystem::exists("/etc/OpenCL/vendors/pocl.icd")) GTEST_SKIP() << "PoCL is not installed";
  TemporaryCache cache;
  bool usable = false;
  std::string words;
  for (const DeviceChoice& choice : list_devices())
    if (choice.name.starts_with("opencl")) {
      usable |= choice.usable;
      words += choice.words + "\n";
    }
  EXPECT_TRUE(usable) << words;
}

TEST(Opencl, IsASentenceWhereThereIsNoLoader) {
  TemporaryCache cache;
  const Setting none("SWELL_OPENCL", "libnowhere.so");
  const std::string sentence =
      "no OpenCL loader was found (looked for libnowhere.so); install ocl-icd-libopencl1 or the driver of the GPU";
  int found = 0;
  for (const DeviceChoice& choice : list_devices()) {
    if (!choice.name.starts_with("opencl")) continue;
    ++found;
    EXPECT_EQ(choice.name, "opencl");
    EXPECT_FALSE(choice.usable);
    EXPECT_EQ(choice.words, sentence);
  }
  EXPECT_EQ(found, 1);
  try {
    open_device("opencl");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'opencl' cannot be used: " + sentence), std::string::npos)
        << error.what();
  }
}

// The C library is a library without OpenCL's functions.
TEST(Opencl, IsASentenceWhereTheLoaderIsNone) {
  TemporaryCache cache;
  const Setting wrong("SWELL_OPENCL", "libc.so.6");
  for (const DeviceChoice& choice : list_devices())
    if (choice.name.starts_with("opencl")) {
      EXPECT_FALSE(choice.usable);
      EXPECT_EQ(choice.words, "the OpenCL loader has no clGetPlatformIDs: version 1.2 is needed");
    }
}

}  // namespace
}  // namespace swell
