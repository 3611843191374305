// SPDX-License-Identifier: Apache-2.0
#include "io/text_table.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>

#include "base/error.hpp"
#include "base/names.hpp"

namespace swell {

namespace {

// The cells of a line; inside quotes a comma is a letter and a doubled quote a quote.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool doubled = quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (doubled)
      cells.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return cells;
}

}  // namespace

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw InputError("'{}' cannot be read.", shown(path.string(), 300));
  return text;
}

bool is_number(std::string_view text, double& value) {
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && last == text.data() + text.size();
}

TextTable::TextTable(const std::filesystem::path& path) : path_(path) {
  const std::string text = file_text(path);
  const std::string name = shown(path.string(), 300);
  if (text.empty()) throw InputError("'{}' is empty.", name);
  if (text.back() != '\n') throw InputError("'{}' ends in the middle of a line: it is not whole.", name);
  std::size_t first = 0;
  if (text.starts_with(unfinished_mark)) {
    first = text.find('\n') + 1;
    const std::size_t words = std::min(unfinished_mark.size() + 2, first - 1);  // behind ": "
    unfinished_ = text.substr(words, first - 1 - words);
  }
  const std::size_t lines = first > 0 ? 1 : 0;
  for (std::size_t at = first; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    auto cells = cells_of(std::string_view(text).substr(at, end - at));
    if (columns_.empty())
      columns_ = std::move(cells);
    else if (cells.size() == columns_.size())
      rows_.push_back(std::move(cells));
    else
      throw InputError("Line {} of '{}' has {} cells, but there are {} columns.", rows_.size() + lines + 2, name, cells.size(), columns_.size());
    at = end + 1;
  }
  if (rows_.empty() && unfinished_.empty()) throw InputError("'{}' has no row below its columns' names.", name);
}

bool TextTable::has(std::string_view column) const { return std::ranges::find(columns_, column) != columns_.end(); }

std::size_t TextTable::index(std::string_view column) const {
  const auto found = std::ranges::find(columns_, column);
  if (found == columns_.end()) throw InputError("'{}' has no column '{}'.", shown(path_.string(), 300), column);
  return found - columns_.begin();
}

const std::string& TextTable::cell(std::size_t row, std::string_view column) const { return rows_[row][index(column)]; }

double TextTable::number(std::size_t row, std::string_view column) const {
  const std::string& text = cell(row, column);
  double value = std::numeric_limits<double>::quiet_NaN();
  if (!text.empty() && !is_number(text, value))
    throw InputError("Line {} of '{}' has '{}' for {}, which is no number.", row + 2 + (unfinished_.empty() ? 0 : 1), shown(path_.string(), 300), shown(text), column);
  return value;
}

}  // namespace swell
