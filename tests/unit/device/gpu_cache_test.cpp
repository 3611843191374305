// SPDX-License-Identifier: Apache-2.0
#include "device/compile_error.hpp"
#include "device/gpu/cache.hpp"

#include "devices.hpp"
#include "folder.hpp"

#include <fstream>
#include <sstream>

namespace swell {
namespace {

namespace fs = std::filesystem;

// A cache of the test's own, and a device that has not compiled anything.
class GpuCache : public testing::TestWithParam<std::string> {
 protected:
  TemporaryCache cache;

  static ProgramText fill_text(const std::string& value = "1.0") {
    return {"fill", "KERNEL void fill(GLOBAL scalar *x) { ITEMS(i) x[i] = " + value + "; }", {"fill"}};
  }

  // The value that the kernel wrote, and the number of compiler runs.
  std::pair<double, std::int64_t> run(const ProgramText& text) const {
    const auto device = open_device(GetParam());
    const auto program = device->compile(text);
    const auto o_x = device->allocate(8, "x");
    device->queue().launch(program->kernel("fill"), 1, {*o_x});
    double x = 0;
    o_x->read(&x, 8);
    return {x, device->counters().compiles};
  }

  // Files that begin with the program's name, by what they end with.
  fs::path only_file(const std::string& what) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(cache.folder()))
      if (entry.path().filename().string().starts_with("fill-") && entry.path().extension() == what)
        found.push_back(entry.path());
    EXPECT_EQ(found.size(), 1u) << what;
    return found.empty() ? fs::path() : found[0];
  }
  fs::path binary() const { return only_file(GetParam().starts_with("opencl") ? ".clbin" : ".cubin"); }

  static std::string content_of(const fs::path& path) {
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
  }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GpuCache);

TEST_P(GpuCache, CompilesNothingAtTheSecondStart) {
  EXPECT_EQ(run(fill_text()), std::pair(1.0, std::int64_t(1)));
  EXPECT_EQ(run(fill_text()), std::pair(1.0, std::int64_t(0)));
  EXPECT_EQ(run(fill_text("2.0")), std::pair(2.0, std::int64_t(1)));
}

TEST_P(GpuCache, RebuildsADamagedBinary) {
  run(fill_text());
  const fs::path path = binary();
  const std::string whole = content_of(path);
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(~flipped[whole.size() / 2]);
  for (const std::string& damaged : {std::string(), whole.substr(0, whole.size() / 2), flipped}) {
    std::ofstream(path, std::ios::binary) << damaged;
    EXPECT_EQ(run(fill_text()), std::pair(1.0, std::int64_t(1)));
  }
  EXPECT_EQ(run(fill_text()), std::pair(1.0, std::int64_t(0)));
}

TEST_P(GpuCache, RebuildsABinaryThatTheDriverRefuses) {
  run(fill_text());
  BinaryCache::Entry entry;
  entry.binary = binary().string();
  BinaryCache::write(entry, "whole, and no program");
  EXPECT_EQ(run(fill_text()), std::pair(1.0, std::int64_t(1)));
}

TEST_P(GpuCache, SaysWhereTheLogIsWhenATextIsWrong) {
  std::string sentence;
  try {
    open_device(GetParam())->compile(fill_text("no_such_word"));
  } catch (const CompileError& error) {
    sentence = error.what();
  }
  const fs::path log = only_file(".log");
  EXPECT_NE(sentence.find(log.string()), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("'fill'"), std::string::npos) << sentence;
  EXPECT_NE(content_of(log).find("no_such_word"), std::string::npos) << content_of(log);
  fs::path text = log;
  EXPECT_NE(sentence.find(text.replace_extension("").string() + ".c"), std::string::npos) << sentence;
  for (const auto& entry : fs::directory_iterator(cache.folder()))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
}

INSTANTIATE_TEST_SUITE_P(, GpuCache, testing::ValuesIn(usable_gpus()), device_test_name);

}  // namespace
}  // namespace swell
