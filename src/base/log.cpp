// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.hpp"
#include "base/log_capture.hpp"

namespace swell {

namespace {

constexpr std::size_t early_limit = 1 << 20;  // bytes kept for a file that is not open yet

std::mutex current_mutex;
Log* current_log = nullptr;
thread_local std::vector<std::string>* captured = nullptr;

}  // namespace

LogCapture::LogCapture(std::vector<std::string>& lines) : previous_(captured) { captured = &lines; }
LogCapture::~LogCapture() { captured = previous_; }

Log::Log(bool quiet, std::FILE* console)
    : quiet_(quiet), on_terminal_(isatty(fileno(console)) == 1), console_(console) {
  const std::lock_guard lock(current_mutex);
  previous_ = current_log;
  current_log = this;
}

Log::~Log() {
  show_status("");
  {
    const std::lock_guard lock(current_mutex);
    current_log = previous_;
  }
  if (file_ != nullptr) std::fclose(file_);
}

void Log::open_file(const std::filesystem::path& file) {
  const std::lock_guard lock(mutex_);
  std::FILE* opened = std::fopen(file.c_str(), "w");
  if (opened == nullptr)
    throw RunError("cannot write the log {}: {}", file.string(), std::generic_category().message(errno));
  if (file_ != nullptr) std::fclose(file_);
  file_ = opened;
  std::fputs(early_.c_str(), file_);
  std::fflush(file_);
  early_.clear();
}

void Log::say(LogLevel level, std::string_view text) {
  const std::string_view mark = level == LogLevel::warning ? "warning: " : "";
  const std::lock_guard lock(mutex_);
  write_file(fmt::format("{:10.3f}  {}{}\n", clock_.seconds(), mark, text));
  if (!quiet_ || level == LogLevel::warning) write_console(fmt::format("{}{}\n", mark, text));
}

void Log::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  write_file(fmt::format("{:10.3f}  {}\n", clock_.seconds(), text));
}

void Log::show_status(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (!on_terminal_ || (text.empty() && status_.empty())) return;
  status_ = text;
  write_console("");
}

void Log::write_file(std::string_view line) {
  if (file_ == nullptr) {
    if (early_.size() < early_limit) early_ += line;
    return;
  }
  std::fwrite(line.data(), 1, line.size(), file_);
  std::fflush(file_);  // a killed run keeps what was said
}

// On a terminal the status line is erased, the line written above it, and the status drawn again.
void Log::write_console(std::string_view line) {
  std::string text = on_terminal_ ? "\r\x1b[K" : "";
  text += line;
  if (on_terminal_) text += status_;
  std::fwrite(text.data(), 1, text.size(), console_);
  std::fflush(console_);
}

void log_text(LogLevel level, std::string_view text) {
  if (captured != nullptr) {
    captured->push_back(fmt::format("{}{}", level == LogLevel::warning ? "warning: " : "", text));
    return;
  }
  const std::lock_guard lock(current_mutex);
  if (current_log != nullptr)
    current_log->say(level, text);
  else if (level == LogLevel::warning)
    std::fputs(fmt::format("warning: {}\n", text).c_str(), stderr);
}

void log_status(std::string_view text) {
  const std::lock_guard lock(current_mutex);
  if (current_log != nullptr && !current_log->quiet()) current_log->show_status(text);
}

void log_note(std::string_view text) {
  const std::lock_guard lock(current_mutex);
  if (current_log != nullptr) current_log->note(text);
}

}  // namespace swell
