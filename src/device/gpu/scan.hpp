// SPDX-License-Identifier: Apache-2.0
// The little of C's grammar that is needed to find words and numbers in a kernel source.
#pragma once

#include <cctype>
#include <string>
#include <string_view>

namespace swell {

inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
inline bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// The end of the comment or the quoted string that begins at `at`; `at` itself where neither does.
inline std::size_t skipped_end(std::string_view text, std::size_t at) {
  const auto behind = [&](std::string_view mark, std::size_t from, std::size_t more) {
    const std::size_t found = text.find(mark, from);
    return found == text.npos ? text.size() : found + more;
  };
  const std::string_view here = text.substr(at);
  if (here.starts_with("//")) return behind("\n", at, 0);
  if (here.starts_with("/*")) return behind("*/", at + 2, 2);
  if (here.empty() || (here[0] != '"' && here[0] != '\'')) return at;
  for (std::size_t end = at + 1; end < text.size() && text[end] != '\n'; ++end) {
    if (text[end] == '\\') ++end;
    else if (text[end] == here[0]) return end + 1;
  }
  return at + 1;
}

// The text with blanks in place of comments and strings: a match in it lies at the same place in the text.
inline std::string without_comments(std::string_view text) {
  std::string out(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = skipped_end(text, at);
    for (std::size_t i = at; i < end; ++i)
      if (out[i] != '\n') out[i] = ' ';
    at = end > at ? end : at + 1;
  }
  return out;
}

}  // namespace swell
