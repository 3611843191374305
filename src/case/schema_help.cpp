// SPDX-License-Identifier: Apache-2.0
#include "case/schema_help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/schema.hpp"

namespace swell {

namespace {

bool holds_keys(const SchemaKey& key) {
  return std::ranges::any_of(schema(), [&](const SchemaKey& other) {
    return other.path.starts_with(fmt::format("{}.", key.path)) || other.path.starts_with(fmt::format("{}[].", key.path));
  });
}

// "a whole number from 1 to 12; default 3"
std::string value_words(const SchemaKey& key) {
  std::string words = expectation(key);
  if (key.rules.later == "*") return words + "; not in this version";
  if (!key.rules.later.empty())
    words += fmt::format("; not in this version: {}", fmt::join(split_words(key.rules.later), ", "));
  if (key.rules.required) return words + "; required";
  return key.rules.standard.empty() ? words : fmt::format("{}; default: {}", words, key.rules.standard);
}

std::string entry(const SchemaKey& key, std::string_view name) {
  return fmt::format("{}\n    {}\n    {}\n", name, value_words(key), key.help);
}

std::string alternatives_of(std::string_view table) {
  std::string text;
  for (const auto& one : schema_alternatives())
    if (one.paths[0].starts_with(fmt::format("{}.", table)))
      text += fmt::format("{} one of {} says {}.\n", one.needed ? "Exactly" : "At most", fmt::join(one.paths, ", "), one.why);
  return text;
}

std::string help_of_table(const SchemaKey& table) {
  std::string text = entry(table, table.kind == KeyKind::tables ? fmt::format("[[{}]]", table.path)
                                  : table.kind == KeyKind::table ? fmt::format("[{}]", table.path)
                                                                 : std::string(table.path));
  text += alternatives_of(table.path) + "\n";
  for (const SchemaKey& key : schema())
    if (key.path.size() > table.path.size() && key.path.starts_with(table.path) &&
        (key.path[table.path.size()] == '.' || key.path[table.path.size()] == '['))
      text += entry(key, key.path);
  return text;
}

// A name as people write it: without the brackets of a list.
std::string without_brackets(std::string_view path) {
  std::string result;
  for (const char c : path)
    if (c != '[' && c != ']') result += c;
  return result;
}

[[noreturn]] void refuse(const std::string& path, std::string_view parent, const std::string& word) {
  if (const auto elsewhere = schema_paths_ending(word); parent.empty() && !elsewhere.empty())
    throw InputError("There is no section '{}' in a case file; there is {}.", shown(word), fmt::join(elsewhere, ", "));
  const auto known = schema_names(parent);
  if (parent.empty())
    throw InputError("There is no section or key '{}' in a case file{}.", shown(word), name_hint(word, known));
  if (known.empty()) throw InputError("There is no key '{}': {} holds no keys.", shown(path), parent);
  throw InputError("There is no key '{}' in '{}'{}.", shown(word), parent, name_hint(word, known));
}

}  // namespace

std::string help_of_sections() {
  std::string text = "The sections of a case file:\n\n";
  for (const SchemaKey& key : schema()) {
    if (key.path.find('.') != std::string_view::npos) continue;
    const std::string name = key.kind == KeyKind::tables ? fmt::format("[[{}]]", key.path)
                             : key.kind == KeyKind::table ? fmt::format("[{}]", key.path)
                                                          : std::string(key.path);
    text += fmt::format("  {:<13} {}{}\n", name, key.help, key.rules.required ? " (required)" : "");
  }
  return text + "\n`swell help model` tells the keys of a section, `swell help model.order` what one of them takes.\n";
}

std::string help_of_key(std::string_view words) {
  const std::string path = without_brackets(words);
  std::string parent;
  const SchemaKey* key = nullptr;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('.', at), path.size());
    const std::string word = path.substr(at, end - at);
    key = word.empty() ? nullptr : find_schema_key(parent, word);
    if (!key) refuse(path, parent, word);
    // The rest of the path after "sweep." is the whole path of another key.
    if (key->kind == KeyKind::values) break;
    parent = key->kind == KeyKind::tables ? fmt::format("{}[]", key->path) : std::string(key->path);
    at = end + 1;
  }
  return holds_keys(*key) ? help_of_table(*key) : entry(*key, key->path);
}

}  // namespace swell
