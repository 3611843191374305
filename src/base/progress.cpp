// SPDX-License-Identifier: Apache-2.0
#include "base/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace swell {

namespace {

constexpr double seconds_between_bars = 0.1;
constexpr double seconds_between_lines = 10;
constexpr int bar_width = 30;
constexpr double longest_clock = 1e9;  // seconds; an estimate beyond this says nothing

}  // namespace

std::string clock_text(double seconds) {
  if (!(seconds >= 0 && seconds < longest_clock)) return "--:--";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  const std::int64_t hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

Progress::Progress(Log& log, double total, double start) : log_(log), total_(total), start_(start), done_(start) {}

Progress::~Progress() { log_.show_status(""); }

void Progress::update(double done, std::int64_t steps) {
  done_ = done;
  steps_ = steps;
  if (log_.quiet()) return;
  const double now = clock_.seconds();
  if (log_.on_terminal() && now - last_drawn_ >= seconds_between_bars) {
    last_drawn_ = now;
    log_.show_status(text(bar_width));
  }
  if (now - last_line_ < seconds_between_lines) return;
  last_line_ = now;
  if (log_.on_terminal())
    log_.note(text(0));
  else
    log_.say(LogLevel::info, text(0));
}

void Progress::finish() {
  if (finished_) return;
  finished_ = true;
  log_.show_status("");
  log_.say(LogLevel::info, text(0));
}

std::string Progress::text(int width) const {
  const double seconds = clock_.seconds();
  const double range = total_ - start_;
  const double fraction = range > 0 ? std::clamp((done_ - start_) / range, 0.0, 1.0) : 1.0;
  const auto filled = static_cast<std::size_t>(std::floor(fraction * width));
  std::string result;
  if (width > 0) result = fmt::format("[{:<{}}] ", std::string(filled, '#'), width);
  result += fmt::format("{:5.1f} %  {}  {:.4g} steps/s", 100 * fraction, clock_text(seconds),
                        seconds > 0 ? static_cast<double>(steps_) / seconds : 0.0);
  if (fraction < 1) result += fmt::format("  {} left", clock_text(seconds * (1 - fraction) / fraction));
  return result;
}

}  // namespace swell
