// SPDX-License-Identifier: Apache-2.0
#include "device/tuner.hpp"

#include "base/error.hpp"
#include "base/log.hpp"

#include "folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace swell {
namespace {

namespace fs = std::filesystem;

TuningChoice choice(const std::string& variant, const std::string& driver = "driver 1",
                    const std::string& kernel = "maxwell-tetrahedron-3-straight") {
  const TuningKey key{"cuda", "a chip", driver, 8, kernel, Precision::double_, "large"};
  return {key, variant, 1e-11, 2e-11, "2026-01-01T00:00:00Z"};
}

std::string content_of(const fs::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

// The log lines while `action` runs.
template <class Action>
std::string said(Action action) {
  std::FILE* file = std::tmpfile();
  {
    const Log log(false, file);
    action();
  }
  std::string text(static_cast<std::size_t>(std::ftell(file)), ' ');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

class Setting {
 public:
  explicit Setting(const std::string& file) { setenv("SWELL_TUNING", file.c_str(), 1); }
  ~Setting() { unsetenv("SWELL_TUNING"); }
};

class Tuning : public testing::Test {
 protected:
  TemporaryCache cache;
  std::string file = (cache.folder() / "shared.txt").string();
  Setting setting{file};
};

TEST(TuningText, ComesBackAsItWas) {
  TuningFile file;
  file.remember(choice("simt SETS=8 INLINE=2"));
  file.remember(choice("simt SETS=4 INLINE=1", "driver 1", "acoustics-triangle-2-curved"));
  const TuningFile again = TuningFile::parse(file.text(), "file");
  const TuningChoice* found = again.find(choice("").key);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->variant, "simt SETS=8 INLINE=2");
  EXPECT_EQ(found->seconds, 1e-11);
  EXPECT_EQ(found->default_seconds, 2e-11);
  EXPECT_EQ(found->date, "2026-01-01T00:00:00Z");
  EXPECT_EQ(again.text(), file.text());
}

TEST(TuningText, OfTwoFilesOneBehindTheOtherIsTheirMerge) {
  TuningFile first, second;
  TuningChoice late = choice("late");
  late.date = "2026-02-01T00:00:00Z";
  first.remember(late);
  second.remember(choice("early"));
  second.remember(choice("other", "driver 1", "elastic-hexahedron-4-straight"));
  const TuningFile both = TuningFile::parse(first.text() + second.text(), "file");
  EXPECT_EQ(both.find(late.key)->variant, "late");
  EXPECT_EQ(both.find(choice("", "driver 1", "elastic-hexahedron-4-straight").key)->variant, "other");
}

TEST(TuningText, WarnsOfEachLineThatIsNotUnderstoodAndKeepsIt) {
  TuningFile good;
  good.remember(choice("good"));
  const std::string line = good.text().substr(good.text().find('\n') + 1);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = line;
    return changed.replace(changed.find(from), from.size(), to);
  };
  const std::vector<std::string> bad{"nonsense\n",
                                     with("large", "vast"),
                                     with("double", "half"),
                                     with("\t8\t", "\t-8\t"),
                                     with("\t8\t", "\teight\t"),
                                     with("1.0000e-11", "nan"),
                                     with("1.0000e-11", "0"),
                                     with("2.0000e-11", "inf"),
                                     with("2.0000e-11", "2e-11 "),
                                     with("a chip", ""),
                                     std::string("\x01\xff\0\t\t\n", 6)};
  for (const std::string& one : bad) {
    TuningFile file;
    const std::string words =
        said([&] { file = TuningFile::parse("# a remark\n" + one + line, "the-file.txt"); });
    EXPECT_NE(words.find("the-file.txt, line 2:"), std::string::npos) << one << words;
    ASSERT_NE(file.find(choice("").key), nullptr) << one;
    EXPECT_EQ(file.find(choice("").key)->variant, "good");
    EXPECT_NE(file.text().find(one), std::string::npos) << "it may be a later version's";
    EXPECT_NE(file.text().find("# a remark\n"), std::string::npos);
  }
  EXPECT_EQ(said([&] { TuningFile::parse(good.text() + "\n\r\n# a remark\n" + good.text(), "file"); }), "");
}

TEST(TuningText, IsOneLineForNamesWithTabsAndLineEnds) {
  DeviceInfo info;
  info.backend = "opencl";
  info.name = "a\tchip\n";
  info.threads = 3;
  TuningChoice odd = choice("simt");
  odd.key = tuning_key(info, "kernel", Precision::single_, 1e9);
  TuningFile file;
  file.remember(odd);
  const TuningFile again = TuningFile::parse(file.text(), "file");
  ASSERT_NE(again.find(odd.key), nullptr);
  EXPECT_EQ(again.find(odd.key)->key.driver, "unknown");
}

TEST(TuningLookup, PrefersTheSameDriverAndThreadsAndTakesOthers) {
  TuningFile file;
  TuningChoice few = choice("one thread");
  few.key.threads = 1;
  file.remember(few);
  file.remember(choice("other driver", "driver 2"));
  EXPECT_EQ(file.find(choice("").key)->variant, "one thread") << "the driver tells more than the threads";
  TuningChoice exact = choice("exact");
  exact.date = "2026-01-02T00:00:00Z";
  file.remember(exact);
  EXPECT_EQ(file.find(choice("").key)->variant, "exact");
  EXPECT_EQ(file.find(few.key)->variant, "one thread");
  EXPECT_EQ(file.find(choice("", "driver 2").key)->variant, "other driver");
  EXPECT_EQ(file.find(choice("", "driver 3").key)->variant, "exact") << "as many threads, and the latest";
}

TEST(TuningLookup, TakesNothingOfAnotherDeviceBackendKernelPrecisionOrSize) {
  TuningFile file;
  file.remember(choice("there"));
  const auto found = [&](auto change) {
    TuningKey key = choice("").key;
    change(key);
    return file.find(key);
  };
  EXPECT_NE(found([](TuningKey&) {}), nullptr);
  EXPECT_EQ(found([](TuningKey& key) { key.device = "another chip"; }), nullptr);
  EXPECT_EQ(found([](TuningKey& key) { key.backend = "opencl"; }), nullptr);
  EXPECT_EQ(found([](TuningKey& key) { key.kernel = "maxwell-tetrahedron-4-straight"; }), nullptr);
  EXPECT_EQ(found([](TuningKey& key) { key.precision = Precision::single_; }), nullptr);
  EXPECT_EQ(found([](TuningKey& key) { key.size = "small"; }), nullptr);
}

TEST(TuningPlace, IsWhatIsAskedForElseInTheCache) {
  const TemporaryCache cache;
  EXPECT_EQ(tuning_path(), (cache.folder() / "tuning.txt").string());
  const Setting setting("/somewhere/else.txt");
  EXPECT_EQ(tuning_path(), "/somewhere/else.txt");
}

TEST_F(Tuning, IsRememberedInTheFile) {
  EXPECT_FALSE(remembered_choice(choice("").key));
  remember_choice(choice("first"));
  EXPECT_EQ(remembered_choice(choice("").key)->variant, "first");
  remember_choice(choice("second"));
  EXPECT_EQ(remembered_choice(choice("").key)->variant, "second");
  const TuningFile read = TuningFile::parse(content_of(file), file);
  EXPECT_EQ(read.find(choice("").key)->variant, "second");
  EXPECT_EQ(content_of(file).find("first"), std::string::npos);
}

TEST_F(Tuning, KeepsWhatOthersWroteMeanwhile) {
  remember_choice(choice("mine"));
  TuningFile others = TuningFile::parse(content_of(file), file);
  others.remember(choice("theirs", "driver 1", "elastic-hexahedron-4-straight"));
  std::ofstream(file) << others.text() << "# their remark\n";
  remember_choice(choice("mine again"));
  EXPECT_EQ(remembered_choice(choice("", "driver 1", "elastic-hexahedron-4-straight").key)->variant, "theirs");
  EXPECT_NE(content_of(file).find("# their remark"), std::string::npos);
}

TEST_F(Tuning, LosesNothingWhereManyProcessesWriteAtOnce) {
  constexpr int writers = 4, each = 10;
  for (int w = 0; w < writers; ++w)
    if (fork() == 0) {
      for (int i = 0; i < each; ++i)
        remember_choice(choice("v", "driver 1", "kernel-" + std::to_string(w) + "-" + std::to_string(i)));
      _exit(0);
    }
  for (int w = 0; w < writers; ++w) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  const TuningFile read = TuningFile::parse(content_of(file), file);
  for (int w = 0; w < writers; ++w)
    for (int i = 0; i < each; ++i)
      EXPECT_NE(read.find(choice("", "driver 1", fmt::format("kernel-{}-{}", w, i)).key), nullptr);
}

TEST_F(Tuning, FollowsALinkToASharedFile) {
  const fs::path real = cache.folder() / "real.txt";
  std::ofstream(real) << "";
  fs::create_symlink(real, file);
  remember_choice(choice("through the link"));
  EXPECT_TRUE(fs::is_symlink(file));
  EXPECT_NE(content_of(real).find("through the link"), std::string::npos);
}

TEST(TuningRefusal, IsASentenceWhereTheFileCannotBeWritten) {
  const TemporaryCache cache;
  const Setting setting((cache.folder() / "no" / "such" / "folder" / "file.txt").string());
  EXPECT_FALSE(remembered_choice(choice("").key));
  try {
    remember_choice(choice("lost"));
    FAIL();
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("SWELL_TUNING"), std::string::npos) << error.what();
  }
}

TEST(TuningRefusal, OfAFolderInPlaceOfTheFileIsAWarningForReadersAndAnErrorForWriters) {
  const TemporaryCache cache;
  const Setting setting(cache.folder().string());
  const std::string words = said([&] { EXPECT_FALSE(remembered_choice(choice("").key)); });
  EXPECT_NE(words.find(cache.folder().string()), std::string::npos);
  EXPECT_EQ(said([&] { remembered_choice(choice("").key); }), "") << "once is enough";
  EXPECT_THROW(remember_choice(choice("lost")), RunError);
}

TEST(TuningSize, IsLargeWhereAStageMovesMoreThanCachesHold) {
  EXPECT_EQ(tuning_size(1e6), "small");
  EXPECT_EQ(tuning_size(1e9), "large");
}

}  // namespace
}  // namespace swell
