// SPDX-License-Identifier: Apache-2.0
// Time signals as CSV: a header line, then time and fields with as many digits as a double needs and no more.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/files.hpp"

namespace swell {

// Hears of every row of time signals that reaches a file: which of them it is, its time and its values.
using SignalListener = std::function<void(std::size_t signal, double time, std::span<const double> values)>;

// A signal in memory.
struct SignalTable {
  std::vector<std::string> columns;  // "time", then fields
  std::vector<double> values;        // [sample][column]
  void append(double time, std::span<const double> row) {
    values.push_back(time);
    values.insert(values.end(), row.begin(), row.end());
  }
};

// A file that ReceiverFile has written; a last line that is not whole, of a run that goes on or was killed, is left out. Throws
// InputError where it is no such file.
SignalTable read_signals(const std::filesystem::path& path);

class ReceiverFile {
 public:
  // Creates the file and writes the header "time,Ez,..."; the folder must exist.
  ReceiverFile(const std::filesystem::path& path, const std::vector<std::string>& fields);
  // Creates the file, or goes on behind the first `bytes` of one that an earlier run left.
  ReceiverFile(const std::filesystem::path& path, const std::vector<std::string>& fields, std::uint64_t bytes);
  ReceiverFile(ReceiverFile&&) noexcept = default;
  ~ReceiverFile();  // writes what is left, so that a run that fails keeps its signals; close() reports errors
  // Rows gather in memory and reach the file when enough have come, at flush() and at close().
  void append(double time, std::span<const double> values);
  void flush();
  // flush(), and wait for the disk; the length of the file then.
  std::uint64_t sync();
  void close();

 private:
  OutputFile file_;
  std::size_t columns_;
  std::string rows_;
};

}  // namespace swell
