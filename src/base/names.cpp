// SPDX-License-Identifier: Apache-2.0
#include "base/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace swell {

namespace {

constexpr std::size_t longest_name = 64;  // longer words are no misspelling of ours

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// The length of the well-formed UTF-8 sequence at the head of `text`, 0 where there is none.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  return length;
}

}  // namespace

// Optimal string alignment distance (Damerau 1964; Wagner and Lowrance 1975), three rows of its table at a time.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  if (name.empty() || name.size() > longest_name) return "";
  const std::string plain = lower(name);
  std::string best;
  // A third of the letters may be wrong, but never all of them: 'q' is no misspelling of 'x'.
  int limit = std::min(std::max(1, static_cast<int>(name.size() + 1) / 3), static_cast<int>(name.size()) - 1);
  for (const std::string& candidate : known) {
    if (candidate.size() > longest_name) continue;
    const int distance = edit_distance(plain, lower(candidate));
    if (distance > limit || (distance == limit && !best.empty())) continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

std::string name_hint(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  if (!nearest.empty()) return fmt::format(" (did you mean '{}'?)", nearest);
  if (known.empty()) return "";
  return fmt::format(" (known: {})", fmt::join(known, ", "));
}

std::string shown(std::string_view text, std::size_t longest) {
  std::string result;
  std::size_t count = 0;
  while (!text.empty()) {
    if (++count > longest) return result + "...";
    std::size_t length = 1;
    if (const std::size_t wide = utf8_length(text); wide > 0) {
      length = wide;
      result += text.substr(0, wide);
    } else if (const auto byte = static_cast<unsigned char>(text[0]); byte < 0x20 || byte >= 0x7F) {
      result += fmt::format("\\x{:02X}", byte);
    } else {
      result += text[0];
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace swell
