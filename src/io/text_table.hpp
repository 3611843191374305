// SPDX-License-Identifier: Apache-2.0
// A CSV file as Swell writes it: a line with the columns' names, then rows of as many cells, a few of them in quotes. A first line that
// begins with unfinished_mark says why a run did not come to its end.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace swell {

inline constexpr std::string_view unfinished_mark = "# unfinished";

class TextTable {
 public:
  // Throws InputError, with the line, where the file is no such table, is cut off or has no row though it is finished.
  explicit TextTable(const std::filesystem::path& path);

  // The words of the mark; empty: the table is that of a whole run.
  const std::string& unfinished() const { return unfinished_; }
  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t rows() const { return rows_.size(); }
  bool has(std::string_view column) const;
  const std::string& cell(std::size_t row, std::string_view column) const;
  double number(std::size_t row, std::string_view column) const;  // NaN where the cell is empty

 private:
  std::size_t index(std::string_view column) const;
  std::filesystem::path path_;
  std::string unfinished_;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// The whole file; throws InputError where it cannot be read.
std::string file_text(const std::filesystem::path& path);
// Whether the whole text is a number, and which.
bool is_number(std::string_view text, double& value);

}  // namespace swell
