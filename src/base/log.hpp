// SPDX-License-Identifier: Apache-2.0
// The log of a run: lines with the time since its start, to log.txt and to standard error. One log at a time is the process's
// current one, which log_info() and log_warning() reach from everywhere; all of it is thread safe.
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include "base/timer.hpp"

namespace swell {

enum class LogLevel : unsigned char { info, warning };

class Log {
 public:
  // Becomes the current log until it is destroyed; the one before it then returns. Quiet logs show warnings only.
  explicit Log(bool quiet = false, std::FILE* console = stderr);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // Lines go to this file from now on, earlier lines first. Throws RunError where it cannot be written.
  void open_file(const std::filesystem::path& file);

  void say(LogLevel level, std::string_view text);
  // A line for the file only.
  void note(std::string_view text);
  // Replaces the transient line at the bottom of a terminal; "" takes it away. Nothing where there is no terminal.
  void show_status(std::string_view text);

  bool quiet() const { return quiet_; }
  bool on_terminal() const { return on_terminal_; }
  double seconds() const { return clock_.seconds(); }

 private:
  void write_file(std::string_view line);
  void write_console(std::string_view line);

  Stopwatch clock_;
  std::mutex mutex_;
  bool quiet_, on_terminal_;
  std::FILE* console_;
  std::FILE* file_ = nullptr;
  std::string early_;  // lines from before the file was open
  std::string status_;
  Log* previous_;
};

// Without a current log an info goes nowhere, and a warning to standard error.
void log_text(LogLevel level, std::string_view text);
// Log::show_status() of the current log that is not quiet, and Log::note() of the current log; nothing where there is none.
void log_status(std::string_view text);
void log_note(std::string_view text);

template <class... Args>
void log_info(fmt::format_string<Args...> text, Args&&... args) {
  log_text(LogLevel::info, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_warning(fmt::format_string<Args...> text, Args&&... args) {
  log_text(LogLevel::warning, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace swell
