// SPDX-License-Identifier: Apache-2.0
#include "io/receivers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "base/error.hpp"

namespace swell {

namespace {
constexpr std::size_t rows_kept = 1 << 16;  // bytes gathered before a write
}

ReceiverFile::ReceiverFile(const std::filesystem::path& path, const std::vector<std::string>& fields)
    : file_(path), columns_(fields.size()), rows_("time") {
  for (const std::string& field : fields) rows_ += "," + field;
  rows_ += "\n";
  flush();
}

ReceiverFile::ReceiverFile(const std::filesystem::path& path, const std::vector<std::string>& fields, std::uint64_t bytes)
    : file_(OutputFile::behind(path, bytes)), columns_(fields.size()) {}

ReceiverFile::~ReceiverFile() {
  if (!file_.is_open()) return;
  try {
    close();
  } catch (const RunError&) {
    // Another exception is on its way, or the caller chose not to call close(), which reports errors.
  }
}

void ReceiverFile::append(double time, std::span<const double> values) {
  if (values.size() != columns_)
    throw RunError("A receiver has {} columns, but {} values came at time {}.", columns_, values.size(), time);
  // fmt's plain "{}" is the shortest text that reads back as the same double.
  fmt::format_to(std::back_inserter(rows_), "{}", time);
  for (double value : values) fmt::format_to(std::back_inserter(rows_), ",{}", value);
  rows_ += '\n';
  if (rows_.size() > rows_kept) flush();
}

void ReceiverFile::flush() {
  file_.write(rows_);
  rows_.clear();
  file_.flush();
}

std::uint64_t ReceiverFile::sync() {
  flush();
  file_.sync();
  return file_.position();
}

void ReceiverFile::close() {
  flush();
  file_.close();
}

SignalTable read_signals(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  SignalTable table;
  std::size_t line = 0;
  for (std::size_t at = 0, end = text.find('\n'); end != std::string::npos; at = end + 1, end = text.find('\n', at), ++line) {
    const std::string row = text.substr(at, end - at);
    std::size_t columns = 0;
    for (std::size_t from = 0; from <= row.size(); ++columns) {
      const std::size_t to = std::min(row.find(',', from), row.size());
      double value = 0;
      const auto [last, error] = std::from_chars(row.data() + from, row.data() + to, value);
      if (line == 0)
        table.columns.push_back(row.substr(from, to - from));
      else if (error == std::errc() && last == row.data() + to)
        table.values.push_back(value);
      from = to + 1;
    }
    if (table.columns.size() < 2 || table.columns[0] != "time" || table.values.size() != line * table.columns.size())
      throw InputError("Line {} of '{}' is no row of a time signal.", line + 1, path.string());
  }
  if (table.columns.empty()) throw InputError("The time signal '{}' cannot be read.", path.string());
  return table;
}

}  // namespace swell
