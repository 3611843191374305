// SPDX-License-Identifier: Apache-2.0
// "-D key=value" on the command line, and what one run of a [sweep] sets.
#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/document.hpp"

namespace swell {

namespace {

constexpr std::size_t most_parts = 16;

// One part of a key: a name, and the number in brackets where it picks one of a list of tables.
struct Part {
  std::string name;
  std::optional<std::size_t> number;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

[[noreturn]] void fail_form(std::string_view text) {
  throw InputError("-D needs a key and a value, as in -D model.order=7, not '{}'", shown(text));
}

Part parse_part(std::string_view part, std::string_view whole) {
  const std::size_t bracket = part.find('[');
  if (bracket == std::string_view::npos) return {std::string(part), {}};
  std::size_t number = 0;
  const char* const end = part.data() + part.size();
  const auto [stop, error] = std::from_chars(part.data() + bracket + 1, end, number);
  if (error != std::errc() || stop + 1 != end || *stop != ']') fail_form(whole);
  return {std::string(part.substr(0, bracket)), number};
}

std::vector<Part> parse_key(std::string_view key, std::string_view whole) {
  std::vector<Part> result;
  while (true) {
    const std::size_t dot = std::min(key.find('.'), key.size());
    const std::string_view part = trimmed(key.substr(0, dot));
    if (part.empty() || result.size() == most_parts) fail_form(whole);
    result.push_back(parse_part(part, whole));
    if (result.back().name.empty()) fail_form(whole);
    if (dot == key.size()) return result;
    key.remove_prefix(dot + 1);
  }
}

// The table inside `table` that `part` names; nullptr where something else is in the way.
toml::table* descend(toml::table& table, const Part& part) {
  if (!part.number) return table[part.name].as_table();
  toml::array* const list = table[part.name].as_array();
  return list != nullptr && *part.number < list->size() ? list->get(*part.number)->as_table() : nullptr;
}

// A value that is no TOML is a bare word, taken as text.
void set_value(toml::table& table, const std::string& name, std::string_view value) {
  try {
    const CaseDocument parsed = parse_document("value = " + std::string(value), "-D");
    if (parsed.root.size() == 1) {
      parsed.root.begin()->second.visit([&](const auto& node) { table.insert_or_assign(name, node); });
      return;
    }
  } catch (const InputError&) {
    // Falls through to text on purpose: the check against the schema says what was expected here.
  }
  table.insert_or_assign(name, std::string(value));
}

// A key that -D sets takes the place of its alternatives: -D time.steps=10 removes time.end.
void remove_alternatives(const std::vector<std::string>& set, toml::table& table, const std::string& path) {
  for (const SchemaAlternatives& group : schema_alternatives()) {
    if (std::find(group.paths.begin(), group.paths.end(), path) == group.paths.end()) continue;
    for (const std::string_view other : group.paths) {
      const bool also_given = std::find(set.begin(), set.end(), other) != set.end();
      if (other != path && !also_given) table.erase(other.substr(other.rfind('.') + 1));
    }
  }
}

}  // namespace

void apply_override(CaseDocument& document, std::string_view override_text, Override by) {
  std::vector<std::string>& set = by == Override::sweep ? document.swept : document.overridden;
  const std::size_t equals = override_text.find('=');
  if (equals == std::string_view::npos) fail_form(override_text);
  const std::vector<Part> parts = parse_key(override_text.substr(0, equals), override_text);
  const std::string_view value = trimmed(override_text.substr(equals + 1));
  if (value.empty() || parts.back().number) fail_form(override_text);

  toml::table* table = &document.root;
  std::string path;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    path = join_path(path, parts[i].name);
    if (parts[i].number) path += fmt::format("[{}]", *parts[i].number);
    if (!parts[i].number && table->insert(parts[i].name, toml::table{}).second) set.push_back(path);
    table = descend(*table, parts[i]);
    if (table == nullptr)
      throw InputError("{} {}: there is no table {} in {}", by == Override::sweep ? "[sweep]" : "-D", shown(override_text), path,
                       document.name);
  }
  path = join_path(path, parts.back().name);
  remove_alternatives(set, *table, path);
  set.push_back(path);
  set_value(*table, parts.back().name, value);
}

}  // namespace swell
