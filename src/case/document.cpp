// SPDX-License-Identifier: Apache-2.0
#include "case/document.hpp"

#include <algorithm>
#include <sstream>

#include "base/error.hpp"
#include "base/names.hpp"

namespace swell {

namespace {

constexpr int most_key_parts = 16;
constexpr std::size_t longest_reason = 200;

// The end of the string that begins at `at`; one that is not closed ends with its line, where the parser complains.
std::size_t skip_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string fence(3, quote);
  const bool many_lines = text.substr(at).starts_with(fence);
  at += many_lines ? 3 : 1;
  while (at < text.size()) {
    if (quote == '"' && text[at] == '\\') {
      at += 2;
    } else if (many_lines ? text.substr(at).starts_with(fence) : text[at] == quote) {
      return at + (many_lines ? 3 : 1);
    } else if (!many_lines && text[at] == '\n') {
      return at;
    } else {
      ++at;
    }
  }
  return text.size();
}

// Each part of a dotted key makes a table inside a table, and their destructors call each other: a key of a million
// parts would exhaust the stack. No key of ours has more than five.
void check_key_lengths(std::string_view text, const std::string& name) {
  int dots = 0, line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const std::size_t end = std::min(skip_string(text, at), text.size());
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      at = end;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '.') ++dots;
    if (c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}' || c == '\n') dots = 0;
    if (c == '\n') ++line;
    if (dots >= most_key_parts)
      throw InputError("{}, line {}: a key has more than {} parts", name, line, most_key_parts);
    ++at;
  }
}

bool is_bare(std::string_view name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                              std::string_view::npos;
}

}  // namespace

std::string CaseDocument::origin(std::string_view path) const {
  const auto is_in = [&](const std::string& set) {
    return path == set || (path.starts_with(set) && (path[set.size()] == '.' || path[set.size()] == '['));
  };
  if (std::any_of(swept.begin(), swept.end(), is_in)) return "given by [sweep]";
  if (std::any_of(overridden.begin(), overridden.end(), is_in)) return "given by -D";
  return "in " + name;
}

CaseDocument parse_document(std::string_view text, const std::string& name) {
  check_key_lengths(text, name);
  try {
    return {toml::parse(text), name, {}, {}};
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw InputError("{}, line {}, column {}: {}", name, at.line, at.column,
                     shown(error.description(), longest_reason));
  }
}

std::string join_path(std::string_view parent, std::string_view name) {
  const std::string word = is_bare(name) ? shown(name) : fmt::format("\"{}\"", shown(name));
  return parent.empty() ? word : fmt::format("{}.{}", parent, word);
}

std::string shown_value(const toml::node& value) {
  if (const toml::value<std::string>* const words = value.as_string())
    return fmt::format("\"{}\"", shown(words->get()));
  if (value.is_table()) return "a table";
  if (const toml::array* const list = value.as_array(); list != nullptr && list->is_array_of_tables())
    return "a list of tables";
  return shown(printed_value(value));
}

std::string printed_value(const toml::node& value) {
  std::ostringstream text;
  value.visit([&](const auto& kind) { text << kind; });
  return text.str();
}

void merge_tables(toml::table& to, const toml::table& from) {
  for (const auto& [name, value] : from) {
    toml::table* const there = to[name.str()].as_table();
    if (const toml::table* const inside = value.as_table(); inside != nullptr && there != nullptr)
      merge_tables(*there, *inside);
    else
      value.visit([&to, &name = name](const auto& node) { to.insert_or_assign(name, node); });
  }
}

double number_of(const toml::node& value) {
  if (const toml::value<std::int64_t>* const whole = value.as_integer()) return static_cast<double>(whole->get());
  return value.as_floating_point()->get();
}

}  // namespace swell
