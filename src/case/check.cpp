// SPDX-License-Identifier: Apache-2.0
// The case against the schema: one walk over all its tables.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/names.hpp"
#include "case/document.hpp"
#include "model/model.hpp"

namespace swell {

namespace {

using K = KeyKind;

bool takes_table(K kind) {
  return kind == K::table || kind == K::formula_or_table || kind == K::text_or_table || kind == K::words_or_table;
}

bool within(double value, const KeyLimits& limits) {
  return std::isfinite(value) && value <= limits.high && (limits.above ? value > limits.low : value >= limits.low);
}

bool is_real(const toml::node& value, const KeyLimits& limits) {
  return value.is_number() && within(number_of(value), limits);
}
bool is_whole(const toml::node& value, const KeyLimits& limits) { return value.is_integer() && is_real(value, limits); }
bool is_formula(const toml::node& value) { return value.is_string() || is_real(value, {}); }

template <class Test>
bool is_list(const toml::node& value, const KeyLimits& limits, Test test) {
  const toml::array* const list = value.as_array();
  if (list == nullptr) return false;
  const auto count = static_cast<std::int64_t>(list->size());
  return count >= limits.fewest && count <= limits.most && std::all_of(list->begin(), list->end(), test);
}

// Texts name files, where a zero byte would end the name early.
bool is_text(const toml::node& value) {
  return value.is_string() && value.as_string()->get().find('\0') == std::string::npos;
}

bool is_words(const toml::node& value) {
  return is_text(value) || is_list(value, {.fewest = 1, .most = 1'000'000}, is_text);
}

bool is_choice(const toml::node& value, std::string_view choices) {
  const std::vector<std::string> known = split_words(choices);
  return value.is_string() && std::find(known.begin(), known.end(), value.as_string()->get()) != known.end();
}

// Tables are checked by the walk.
bool has_kind(const toml::node& value, const SchemaKey& key) {
  const KeyLimits& limits = key.rules.limits;
  switch (key.kind) {
    case K::table:
    case K::tables: return false;
    case K::text: return is_text(value);
    case K::choice: return is_choice(value, key.rules.choices);
    case K::whole: return is_whole(value, limits);
    case K::real: return is_real(value, limits);
    case K::truth: return value.is_boolean();
    case K::formula:
    case K::formula_or_table: return is_formula(value);
    case K::reals: return is_list(value, limits, [&](const toml::node& item) { return is_real(item, limits); });
    case K::wholes: return is_list(value, limits, [&](const toml::node& item) { return is_whole(item, limits); });
    case K::truths: return is_list(value, limits, [](const toml::node& item) { return item.is_boolean(); });
    case K::text_or_table: return is_text(value);
    case K::words:
    case K::words_or_table: return is_words(value);
    case K::values: return value.is_array();
  }
  return false;
}

class Check {
 public:
  Check(const CaseDocument& document, std::span<const SchemaKey> keys) : document_(document), keys_(keys) {}

  // `place` is the path as messages show it, `rule` the one of the schema.
  void table(const toml::table& table, const std::string& place, const std::string& rule) const {
    for (const auto& [name, value] : table) {
      const SchemaKey* const key = find_schema_key(rule, name.str(), keys_);
      if (key == nullptr) fail_unknown(place, rule, name.str());
      entry(value, join_path(place, name.str()), *key);
    }
    for (const std::string& name : schema_names(rule, keys_)) {
      const SchemaKey& key = *find_schema_key(rule, name, keys_);
      if (key.rules.required && !table.contains(name) && !(key.path == "time" && steady())) fail_missing(join_path(place, name), key);
    }
  }

  void alternatives() const {
    for (const SchemaAlternatives& group : schema_alternatives()) {
      std::vector<std::string_view> given;
      for (const std::string_view path : group.paths)
        if (document_.root.at_path(path)) given.push_back(path);
      const std::string all = listed(group.paths);
      if (given.empty() && group.needed && !(group.paths.front() == "time.end" && steady()))
        throw InputError("{} has none of {}: give one of them to say {}", document_.name, all, group.why);
      if (given.size() > 1)
        throw InputError("{} has {}: give only one of {} to say {}", document_.name, listed(given, "and"), all,
                         group.why);
    }
  }

 private:
  // A problem without time needs no [time].
  bool steady() const {
    const std::string name(document_.root.at_path("model.name").value_or(std::string_view()));
    return page_kind(kernel_texts("models/" + name + ".h")) == PageKind::elliptic;
  }

  void entry(const toml::node& value, const std::string& place, const SchemaKey& key) const {
    if (key.rules.later == "*")
      throw InputError("{} is known, but this version of Swell does not have it yet ({})", document_.place(place),
                       key.help);
    if (const toml::table* const inside = value.as_table(); inside != nullptr && takes_table(key.kind))
      return table(*inside, place, std::string(key.path));
    if (key.kind == K::tables && value.is_array_of_tables()) {
      std::size_t number = 0;
      for (const toml::node& item : *value.as_array())
        table(*item.as_table(), fmt::format("{}[{}]", place, number++), std::string(key.path) + "[]");
      return;
    }
    if (is_choice(value, key.rules.later)) fail_later(value, place, key);
    if (!has_kind(value, key)) fail_kind(value, place, key);
  }

  [[noreturn]] void fail_unknown(const std::string& place, const std::string& rule, std::string_view name) const {
    const std::string path = join_path(place, name);
    std::vector<std::string> known = schema_names(rule, keys_);
    const std::string nearest = nearest_name(name, known);
    for (std::string& word : known) word = join_path(place, word);
    std::string hint = name_hint("", known);
    // A key that stands in the wrong table is more likely than one with no namesake at all.
    if (!nearest.empty())
      hint = fmt::format(" (did you mean '{}'?)", join_path(place, nearest));
    else if (const std::vector<std::string> elsewhere = schema_paths_ending(name, keys_); !elsewhere.empty())
      hint = fmt::format(" (did you mean '{}'?)", elsewhere.front());
    throw InputError("unknown key '{}' {}{}", path, document_.origin(path), hint);
  }

  [[noreturn]] void fail_missing(const std::string& place, const SchemaKey& key) const {
    throw InputError("{} is missing in {} ({})", place, document_.name, key.help);
  }

  [[noreturn]] void fail_later(const toml::node& value, const std::string& place, const SchemaKey& key) const {
    const std::string now =
        key.rules.choices.empty() ? std::string(key.help) : listed(split_words(key.rules.choices), "and");
    throw InputError("{} is {}, which this version of Swell does not have yet (it has {})", document_.place(place),
                     shown_value(value), now);
  }

  [[noreturn]] void fail_kind(const toml::node& value, const std::string& place, const SchemaKey& key) const {
    std::string hint;
    if (key.kind == K::choice && value.is_string())
      if (const std::string nearest = nearest_name(value.as_string()->get(), split_words(key.rules.choices));
          !nearest.empty())
        hint = fmt::format(" (did you mean '{}'?)", nearest);
    throw InputError("{} must be {}, not {}{}", document_.place(place), expectation(key), shown_value(value), hint);
  }

  template <class Words>
  static std::string listed(const Words& words, std::string_view last = "or") {
    std::string result;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i > 0) result += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
      result += words[i];
    }
    return result;
  }

  const CaseDocument& document_;
  std::span<const SchemaKey> keys_;
};

}  // namespace

void check_document(const CaseDocument& document) {
  const Check check(document, schema());
  check.table(document.root, "", "");
  check.alternatives();
}

void check_verify_document(const CaseDocument& document) { Check(document, verify_schema()).table(document.root, "", ""); }

}  // namespace swell
