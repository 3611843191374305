// SPDX-License-Identifier: Apache-2.0
#include "case/section.hpp"

#include <fmt/format.h>

namespace swell {

namespace {

// The list under `name`, each entry as `convert` makes it; empty where there is none.
template <class Value, class Convert>
std::vector<Value> list(const toml::table& table, std::string_view name, Convert convert) {
  std::vector<Value> result;
  if (const toml::array* const entries = table[name].as_array())
    for (const toml::node& entry : *entries) result.push_back(convert(entry));
  return result;
}

}  // namespace

CaseSection CaseSection::section(std::string_view name) const {
  static const toml::table empty;
  const toml::table* const inside = (*table_)[name].as_table();
  return {*document_, inside != nullptr ? *inside : empty, join_path(path_, name)};
}

std::vector<CaseSection> CaseSection::sections(std::string_view name) const {
  std::vector<CaseSection> result;
  if (const toml::array* const entries = (*table_)[name].as_array())
    for (const toml::node& entry : *entries)
      result.push_back({*document_, *entry.as_table(), fmt::format("{}[{}]", join_path(path_, name), result.size())});
  return result;
}

std::optional<std::string> CaseSection::text(std::string_view name) const {
  return (*table_)[name].value<std::string>();
}

std::optional<double> CaseSection::real(std::string_view name) const {
  const toml::node* const value = table_->get(name);
  return value != nullptr ? std::optional<double>(number_of(*value)) : std::nullopt;
}

std::optional<std::int64_t> CaseSection::whole(std::string_view name) const {
  return (*table_)[name].value<std::int64_t>();
}

std::optional<bool> CaseSection::truth(std::string_view name) const { return (*table_)[name].value<bool>(); }

std::vector<double> CaseSection::reals(std::string_view name) const { return list<double>(*table_, name, number_of); }

std::vector<std::int64_t> CaseSection::wholes(std::string_view name) const {
  return list<std::int64_t>(*table_, name, [](const toml::node& entry) { return entry.as_integer()->get(); });
}

std::vector<bool> CaseSection::truths(std::string_view name) const {
  return list<bool>(*table_, name, [](const toml::node& entry) { return entry.as_boolean()->get(); });
}

std::vector<std::string> CaseSection::words(std::string_view name) const {
  if (const std::optional<std::string> one = text(name)) return {*one};
  return list<std::string>(*table_, name, [](const toml::node& entry) { return entry.as_string()->get(); });
}

Formula CaseSection::formula(std::string_view name) const {
  const std::optional<std::string> written = text(name);
  return {written ? *written : fmt::format("{}", number_of(*table_->get(name))), place(name)};
}

}  // namespace swell
