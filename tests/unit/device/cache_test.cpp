// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/log_capture.hpp"
#include "device/cpu/command.hpp"
#include "device/device.hpp"

#include "folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <vector>

namespace swell {
namespace {

namespace fs = std::filesystem;

ProgramText fill_text(const std::string& value = "1.0") {
  return {"fill", "KERNEL void fill(GLOBAL scalar *x) { ITEMS(i) x[i] = " + value + "; }", {"fill"}};
}

double run_fill(Device& device, const ProgramText& text) {
  const auto program = device.compile(text);
  const auto o_x = device.allocate(8, "x");
  device.queue().launch(program->kernel("fill"), 1, {*o_x});
  double x = 0;
  o_x->read(&x, 8);
  return x;
}

std::vector<fs::path> files_with(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) found.push_back(entry.path());
  return found;
}

std::string content_of(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

// The sentence of the RunError that `action` ends in, or "".
template <class Action>
std::string run_error(Action action) {
  try {
    action();
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

TEST(Cache, CompilesATextOnceForAllDevices) {
  TemporaryCache cache;
  const auto first = open_device("cpu:1"), second = open_device("cpu:2");
  EXPECT_EQ(run_fill(*first, fill_text()), 1);
  EXPECT_EQ(run_fill(*first, fill_text()), 1);
  EXPECT_EQ(first->counters().compiles, 1);
  EXPECT_EQ(run_fill(*second, fill_text()), 1);
  EXPECT_EQ(second->counters().compiles, 0);
}

TEST(Cache, TellsTextsPrecisionsAndFormsApart) {
  TemporaryCache cache;
  const auto device = open_device("cpu:1");
  EXPECT_EQ(run_fill(*device, fill_text("1.0")), 1);
  EXPECT_EQ(run_fill(*device, fill_text("2.0")), 2);
  ProgramText text = fill_text("1.0");
  text.precision = Precision::single_;
  device->compile(text);
  text.vectors = true;
  device->compile(text);
  EXPECT_EQ(device->counters().compiles, 4);
}

TEST(Cache, TellsLevelsOfOptimizationApart) {
  TemporaryCache cache;
  for (const char* level : {"0", "3", "0"}) {
    const Environment chosen("SWELL_KERNEL_OPTIMIZE", level);
    EXPECT_EQ(run_fill(*open_device("cpu:1"), fill_text()), 1);
  }
  EXPECT_EQ(files_with(cache.folder(), ".so").size(), 2u);
  const Environment usual("SWELL_KERNEL_OPTIMIZE", "");
  EXPECT_EQ(run_fill(*open_device("cpu:1"), fill_text()), 1);
  EXPECT_EQ(files_with(cache.folder(), ".so").size(), 2u);
  for (const char* wrong : {"4", "-1", "fast", "33"}) {
    const Environment chosen("SWELL_KERNEL_OPTIMIZE", wrong);
    EXPECT_THROW(open_device("cpu:1"), InputError) << wrong;
  }
}

// A line says so while the compiler runs; a run that finds its kernels in the cache says nothing.
TEST(Cache, SaysWhatIsBeingCompiled) {
  TemporaryCache cache;
  std::vector<std::string> lines;
  const LogCapture capture(lines);
  run_fill(*open_device("cpu:1"), fill_text());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].rfind("Compiling kernels: fill (", 0), 0u) << lines[0];
  run_fill(*open_device("cpu:1"), fill_text());
  EXPECT_EQ(lines.size(), 1u);
}

TEST(Cache, KeepsTheTextAndNothingTemporary) {
  TemporaryCache cache;
  run_fill(*open_device("cpu:1"), fill_text("4.25"));
  const auto texts = files_with(cache.folder(), ".cpp");
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].filename().string().rfind("fill-", 0), 0u);
  EXPECT_NE(content_of(texts[0]).find("x[i] = 4.25;"), std::string::npos);
  EXPECT_TRUE(files_with(cache.folder(), ".tmp").empty());
  EXPECT_TRUE(files_with(cache.folder(), ".log").empty());
}

TEST(Cache, RebuildsADamagedEntry) {
  TemporaryCache cache;
  run_fill(*open_device("cpu:1"), fill_text());
  const fs::path library = files_with(cache.folder(), ".so").at(0);
  const std::string whole = content_of(library);
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(~flipped[whole.size() / 2]);
  for (const std::string& damaged : {std::string(), std::string("not a library"), whole.substr(0, whole.size() / 2),
                                     whole.substr(0, whole.size() - 1), flipped}) {
    // As another file: the damaged one would otherwise be written over the library that this process has loaded.
    fs::remove(library);
    std::ofstream(library, std::ios::binary) << damaged;
    const auto device = open_device("cpu:1");
    EXPECT_EQ(run_fill(*device, fill_text()), 1);
    EXPECT_EQ(device->counters().compiles, 1);
    EXPECT_EQ(content_of(library), whole);
  }
}

TEST(Cache, ServesProcessesThatCompileAtOnce) {
  TemporaryCache cache;
  std::vector<pid_t> children;
  for (int n = 0; n < 3; ++n) {
    const pid_t child = fork();
    if (child == 0) {
      int status = 1;
      try {
        if (run_fill(*open_device("cpu:1"), fill_text("3.0")) == 3) status = 0;
      } catch (...) {
      }
      _exit(status);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(files_with(cache.folder(), ".so").size(), 1u);
  EXPECT_TRUE(files_with(cache.folder(), ".tmp").empty());
}

TEST(Cache, IsMadeForItsUserAlone) {
  TemporaryCache cache;
  const fs::path deep = cache.folder() / "a" / "b";
  setenv("SWELL_CACHE", deep.c_str(), 1);
  open_device("cpu:1");
  struct stat about;
  ASSERT_EQ(stat(deep.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0700u);
}

TEST(Cache, RefusesAFolderThatOthersCanWriteOrOwn) {
  TemporaryCache cache;
  for (const mode_t mode : {0770, 0702}) {
    chmod(cache.folder().c_str(), mode);
    const std::string sentence = run_error([] { open_device("cpu:1"); });
    EXPECT_NE(sentence.find(cache.folder().string() + "' can be written by others"), std::string::npos) << sentence;
  }
  chmod(cache.folder().c_str(), 0700);
  if (geteuid() != 0) {
    setenv("SWELL_CACHE", "/usr", 1);
    EXPECT_NE(run_error([] { open_device("cpu:1"); }).find("another user"), std::string::npos);
  } else if (chown(cache.folder().c_str(), 12345, 12345) == 0) {
    EXPECT_NE(run_error([] { open_device("cpu:1"); }).find("another user"), std::string::npos);
  }
  setenv("SWELL_CACHE", "/dev/null/swell", 1);
  EXPECT_NE(run_error([] { open_device("cpu:1"); }).find("cannot be created"), std::string::npos);
}

TEST(Compiler, SaysWhereItsLogIsWhenATextIsWrong) {
  TemporaryCache cache;
  const auto device = open_device("cpu:1");
  const std::string sentence = run_error([&] { device->compile(fill_text("no_such_word")); });
  const auto logs = files_with(cache.folder(), ".log"), texts = files_with(cache.folder(), ".cpp");
  ASSERT_EQ(logs.size(), 1u) << sentence;
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_NE(sentence.find(logs[0].string()), std::string::npos) << sentence;
  EXPECT_NE(sentence.find(texts[0].string()), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("'fill'"), std::string::npos) << sentence;
  EXPECT_NE(content_of(logs[0]).find("no_such_word"), std::string::npos);
  EXPECT_EQ(device->counters().compiles, 1);
  EXPECT_TRUE(files_with(cache.folder(), ".so").empty());
  EXPECT_TRUE(files_with(cache.folder(), ".tmp").empty());
}

TEST(Compiler, IsAskedForWhereThereIsNone) {
  TemporaryCache cache;
  {
    Environment none("SWELL_CXX", "/nonexistent");
    EXPECT_EQ(run_error([] { open_device("cpu"); }),
              "no C++ compiler was found (looked for SWELL_CXX = '/nonexistent'); install g++ or set SWELL_CXX to the "
              "compiler's path");
    const auto choices = list_devices();
    ASSERT_FALSE(choices.empty());
    EXPECT_FALSE(choices[0].usable);
    EXPECT_NE(choices[0].words.find("install g++"), std::string::npos);
  }
  Environment wrong("SWELL_CXX", "/bin/false");
  EXPECT_NE(run_error([] { open_device("cpu"); }).find("'/bin/false' does not work as a C++ compiler"),
            std::string::npos);
}

TEST(Compiler, IsAskedOnceWhatMachineItCompilesFor) {
  TemporaryCache cache;
  const DeviceInfo first = open_device("cpu:1")->info();
  const auto answers = files_with(cache.folder(), ".txt");
  ASSERT_EQ(answers.size(), 1u);
  const auto written = fs::last_write_time(answers[0]);
  const DeviceInfo second = open_device("cpu:1")->info();
  EXPECT_EQ(fs::last_write_time(answers[0]), written);
  EXPECT_EQ(second.compiler, first.compiler);
  EXPECT_EQ(second.vector_bytes, first.vector_bytes);
  std::ofstream(answers[0]) << "damaged";
  EXPECT_EQ(open_device("cpu:1")->info().vector_registers, first.vector_registers);
}

TEST(Command, EndsAProgramAndItsChildrenAtTheTimeLimit) {
  TemporaryCache cache;
  const std::string log = (cache.folder() / "log").string();
  const auto start = std::chrono::steady_clock::now();
  const CommandResult result = run_command({"/bin/sh", "-c", "echo begun; sleep 60; echo done"}, log, 0.2);
  EXPECT_TRUE(result.started);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(content_of(log), "begun\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  const CommandResult seven = run_command({"/bin/sh", "-c", "exit 7"}, log, 60);
  EXPECT_EQ(seven.status, 7);
  EXPECT_FALSE(run_command({"/nonexistent"}, log, 60).started);
}

}  // namespace
}  // namespace swell
