// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/error.hpp"
#include "base/log_capture.hpp"
#include "base/memory.hpp"
#include "base/progress.hpp"

namespace swell {
namespace {

namespace fs = std::filesystem;

std::string content(std::FILE* file) {
  std::rewind(file);
  std::string result;
  for (int c = 0; (c = std::fgetc(file)) != EOF;) result += static_cast<char>(c);
  return result;
}

std::string content(const fs::path& file) {
  std::ostringstream result;
  result << std::ifstream(file).rdbuf();
  return result.str();
}

struct LogFile : testing::Test {
  fs::path file = fs::temp_directory_path() / ("swell-log-" + std::to_string(getpid()) + ".txt");
  std::FILE* console = std::tmpfile();
  ~LogFile() override {
    fs::remove(file);
    std::fclose(console);
  }
};

TEST_F(LogFile, IsLeftAloneByAThreadWhoseLinesAreKept) {
  std::vector<std::string> lines, inner;
  {
    Log log(false, console);
    const LogCapture capture(lines);
    log_info("kept {}", 1);
    {
      const LogCapture nearer(inner);
      log_warning("nearer");
    }
    log_warning("kept {}", 2);
    std::thread([] { log_info("another thread"); }).join();
  }
  log_info("nowhere");
  EXPECT_EQ(lines, (std::vector<std::string>{"kept 1", "warning: kept 2"}));
  EXPECT_EQ(inner, std::vector<std::string>{"warning: nearer"});
  EXPECT_EQ(content(console), "another thread\n");
}

TEST_F(LogFile, HoldsAlsoWhatWasSaidBeforeItWasOpen) {
  Log log(false, console);
  log_info("early {}", 1);
  log.open_file(file);
  log_warning("late {}", 2);
  const std::string text = content(file);
  EXPECT_NE(text.find("0.0"), std::string::npos);
  EXPECT_NE(text.find("  early 1\n"), std::string::npos);
  EXPECT_NE(text.find("  warning: late 2\n"), std::string::npos);
  EXPECT_EQ(content(console), "early 1\nwarning: late 2\n");
}

TEST_F(LogFile, GetsWhatAQuietConsoleDoesNotShow) {
  Log log(true, console);
  log.open_file(file);
  log_info("detail");
  log_warning("trouble");
  EXPECT_NE(content(file).find("detail"), std::string::npos);
  EXPECT_EQ(content(console), "warning: trouble\n");
}

TEST_F(LogFile, ThatCannotBeWrittenIsARunError) {
  Log log(true, console);
  EXPECT_THROW(log.open_file("/nowhere/at/all/log.txt"), RunError);
}

TEST_F(LogFile, KeepsLinesOfManyThreadsWhole) {
  Log log(true, console);
  log.open_file(file);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      for (int k = 0; k < 200; ++k) log_info("{}", std::string(100, 'a'));
    });
  for (std::thread& thread : threads) thread.join();
  std::istringstream lines(content(file));
  std::string line;
  int count = 0;
  for (; std::getline(lines, line); ++count) ASSERT_TRUE(line.ends_with("  " + std::string(100, 'a'))) << line;
  EXPECT_EQ(count, 800);
}

TEST_F(LogFile, ReturnsToTheLogBeforeIt) {
  Log outer(false, console);
  { Log inner(true, console); }
  log_info("outer");
  EXPECT_EQ(content(console), "outer\n");
}

TEST_F(LogFile, SeesOneLastLineOfProgressWhereTheConsoleIsNoTerminal) {
  Log log(false, console);
  {
    Progress progress(log, 10);
    for (int step = 1; step <= 100; ++step) progress.update(0.1 * step, step);
    progress.finish();
    progress.finish();
  }
  const std::string text = content(console);
  EXPECT_TRUE(text.starts_with("100.0 %")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(Progress, DrawsABarOnATerminalAndErasesItForOtherLines) {
  int master = 0, slave = 0;
  ASSERT_EQ(openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  std::FILE* const terminal = fdopen(slave, "w");
  {
    Log log(false, terminal);
    Progress progress(log, 2);
    progress.update(1, 10);
    log_info("between");
  }
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(read(master, text.data(), text.size())));
  EXPECT_NE(text.find("[###############               ]  50.0 %"), std::string::npos) << text;
  EXPECT_NE(text.find("steps/s"), std::string::npos);
  EXPECT_NE(text.find("left\r\x1b[Kbetween"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\x1b[K"));
  std::fclose(terminal);
  close(master);
}

TEST(Progress, ShowsTimesAsAClock) {
  EXPECT_EQ(clock_text(7), "0:07");
  EXPECT_EQ(clock_text(754), "12:34");
  EXPECT_EQ(clock_text(3723), "1:02:03");
  EXPECT_EQ(clock_text(1e300), "--:--");
  EXPECT_EQ(clock_text(std::nan("")), "--:--");
}

TEST(Memory, GrowsWithWhatIsHeld) {
  const std::int64_t before = resident_memory();
  std::vector<char> block(std::size_t{32} << 20, 'a');
  EXPECT_GE(resident_memory(), before + (std::int64_t{30} << 20));
  EXPECT_GE(peak_resident_memory(), resident_memory() - (1 << 20));
  EXPECT_GT(total_memory(), resident_memory());
  EXPECT_EQ(block.back(), 'a');
}

}  // namespace
}  // namespace swell
