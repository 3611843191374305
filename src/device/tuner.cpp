// SPDX-License-Identifier: Apache-2.0
#include "device/tuner.hpp"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <mutex>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "device/files.hpp"

namespace swell {

namespace {

constexpr std::string_view header =
    "backend\tdevice\tdriver\tthreads\tkernel\tprecision\tsize\tvariant\tseconds\tdefault_seconds\tdate";
constexpr std::size_t columns = 11;
// About the last-level caches of today's processors and GPUs.
constexpr double cached_bytes = 64e6;

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// Text for one column: names of drivers come from outside.
std::string column(std::string text) {
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return text.empty() ? "unknown" : text;
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Nothing where the line is none of ours; `why` then says what is wrong.
std::optional<TuningChoice> parse_line(std::string_view line, std::string& why) {
  const auto parts = split(line, '\t');
  if (parts.size() != columns) {
    why = fmt::format("has {} columns, not {}", parts.size(), columns);
    return {};
  }
  for (std::size_t i = 0; i < columns; ++i)
    if (parts[i].empty()) {
      why = fmt::format("has nothing in column {}", i + 1);
      return {};
    }
  TuningChoice c;
  c.key.backend = parts[0];
  c.key.device = parts[1];
  c.key.driver = parts[2];
  c.key.kernel = parts[4];
  c.key.size = parts[6];
  c.variant = parts[7];
  c.date = parts[10];
  if (!read_number(parts[3], c.key.threads) || c.key.threads < 1)
    why = fmt::format("has '{}' threads", shown(parts[3]));
  else if (parts[5] != "single" && parts[5] != "double")
    why = fmt::format("has the precision '{}'", shown(parts[5]));
  else if (c.key.size != "small" && c.key.size != "large")
    why = fmt::format("has the size '{}'", shown(parts[6]));
  else if (!read_number(parts[8], c.seconds) || !(c.seconds > 0) || !std::isfinite(c.seconds))
    why = fmt::format("has '{}' seconds", shown(parts[8]));
  else if (!read_number(parts[9], c.default_seconds) || !(c.default_seconds > 0) || !std::isfinite(c.default_seconds))
    why = fmt::format("has '{}' seconds of the default", shown(parts[9]));
  c.key.precision = parts[5] == "single" ? Precision::single_ : Precision::double_;
  if (!why.empty()) return {};
  return c;
}

std::string line_of(const TuningChoice& c) {
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.4e}\t{:.4e}\t{}", column(c.key.backend), column(c.key.device),
                     column(c.key.driver), c.key.threads, column(c.key.kernel),
                     c.key.precision == Precision::single_ ? "single" : "double", c.key.size, column(c.variant),
                     c.seconds, c.default_seconds, column(c.date));
}

// An empty one where there is none; throws RunError where there is one that cannot be read.
TuningFile read_tuning(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  const auto text = std::filesystem::is_regular_file(path, ignored) ? read_file(path) : std::nullopt;
  if (!text) throw RunError("The tuning file '{}' cannot be read; set SWELL_TUNING to another file.", path);
  return TuningFile::parse(*text, path);
}

// The content of the file at `path` as this process has read it.
struct Remembered {
  std::mutex mutex;
  std::optional<std::string> path;
  TuningFile file;
};
Remembered& remembered() {
  static Remembered all;
  return all;
}

// While it lives no other process writes the file.
class FileLock {
 public:
  explicit FileLock(const std::string& path)
      : file_(open((path + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) {
      const std::string why = strerror(errno);
      if (file_ >= 0) close(file_);
      throw RunError("The tuning file '{}' cannot be written: {}; set SWELL_TUNING to a file of your own.", path, why);
    }
  }
  ~FileLock() { close(file_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

}  // namespace

std::string tuning_size(double stage_bytes) { return stage_bytes < cached_bytes ? "small" : "large"; }

TuningKey tuning_key(const DeviceInfo& device, std::string kernel, Precision precision, double stage_bytes) {
  return {column(device.backend),
          column(device.name),
          column(device.driver.empty() ? device.compiler : device.driver),
          device.threads,
          column(std::move(kernel)),
          precision,
          tuning_size(stage_bytes)};
}

TuningFile TuningFile::parse(std::string_view text, const std::string& name) {
  TuningFile file;
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line == header) continue;
    std::string why;
    if (line.front() == '#') {
      file.others_.emplace_back(line);
    } else if (const auto choice = parse_line(line, why)) {
      const auto same = std::find_if(file.choices_.begin(), file.choices_.end(),
                                     [&](const TuningChoice& c) { return c.key == choice->key; });
      if (same == file.choices_.end())
        file.choices_.push_back(*choice);
      else if (same->date <= choice->date)
        *same = *choice;
    } else {
      log_warning("{}, line {}: it {} and is not used.", name, number, why);
      file.others_.emplace_back(line);
    }
  }
  return file;
}

const TuningChoice* TuningFile::find(const TuningKey& key) const {
  const TuningChoice* best = nullptr;
  int nearest = -1;
  for (const TuningChoice& c : choices_) {
    TuningKey same = c.key;
    same.driver = key.driver;
    same.threads = key.threads;
    if (same != key) continue;
    const int near = 2 * (c.key.driver == key.driver) + (c.key.threads == key.threads);
    if (near > nearest || (near == nearest && c.date > best->date)) best = &c, nearest = near;
  }
  return best;
}

void TuningFile::remember(const TuningChoice& choice) {
  std::erase_if(choices_, [&](const TuningChoice& c) { return c.key == choice.key; });
  choices_.push_back(choice);
}

std::string TuningFile::text() const {
  std::string all = fmt::format("{}\n", header);
  for (const auto& line : others_) all += line + "\n";
  for (const auto& choice : choices_) all += line_of(choice) + "\n";
  return all;
}

std::string tuning_path() {
  const char* given = std::getenv("SWELL_TUNING");
  return given && *given ? given : cache_folder() + "/tuning.txt";
}

std::optional<TuningChoice> remembered_choice(const TuningKey& key) {
  Remembered& all = remembered();
  const std::lock_guard guard(all.mutex);
  if (const std::string path = tuning_path(); all.path != path) {
    all.path = path;
    all.file = {};
    try {
      all.file = read_tuning(path);
    } catch (const RunError& failure) {
      log_warning("{} Kernels run in their default variants.", failure.what());
    }
  }
  const TuningChoice* choice = all.file.find(key);
  return choice ? std::optional(*choice) : std::nullopt;
}

void remember_choice(const TuningChoice& choice) {
  Remembered& all = remembered();
  const std::lock_guard guard(all.mutex);
  const std::string path = tuning_path();
  // A link stays a link.
  std::error_code failed;
  const std::string target = std::filesystem::weakly_canonical(path, failed).string();
  const std::string& place = failed || target.empty() ? path : target;
  const FileLock lock(place);
  if (access(place.c_str(), F_OK) == 0 && access(place.c_str(), W_OK) != 0)
    throw RunError("The tuning file '{}' is for reading only; set SWELL_TUNING to a file of your own.", path);
  TuningFile file = read_tuning(place);
  file.remember(choice);
  write_file(place, file.text());
  all.file = std::move(file);
  all.path = path;
}

std::string tuning_date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), length};
}

}  // namespace swell
