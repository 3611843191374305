// SPDX-License-Identifier: Apache-2.0
// [sweep]: lists of values for keys of the case, and the runs that they make.
#include "base/error.hpp"
#include "case/document.hpp"

namespace swell {

namespace {

constexpr std::size_t most_runs = 10'000;
constexpr std::string_view together_key = "together";

struct SweepList {
  std::string key, place;
  std::vector<std::string> values;
};

// Dotted keys make tables inside tables; a key in quotes may hold dots itself.
void collect(const CaseDocument& document, const toml::table& table, const std::string& path, std::vector<SweepList>& lists) {
  for (const auto& [name, value] : table) {
    const std::string key = path.empty() ? std::string(name.str()) : fmt::format("{}.{}", path, name.str());
    const std::string place = document.place("sweep." + key);
    if (path.empty() && key == together_key) continue;
    if (const toml::table* const inside = value.as_table()) {
      collect(document, *inside, key, lists);
      continue;
    }
    const toml::array* const given = value.as_array();
    if (given == nullptr)
      throw InputError("{} must be a list of the values that the runs take, as in [1, 2], not {}", place, shown_value(value));
    if (given->empty()) throw InputError("{} is an empty list: give at least one value", place);
    if (key == "output.folder" || key.starts_with("sweep"))
      throw InputError("{} cannot be swept: each run has a folder of its own inside output.folder", place);
    SweepList& list = lists.emplace_back(key, place);
    for (const toml::node& entry : *given) list.values.push_back(printed_value(entry));
  }
}

}  // namespace

SweepCase take_sweep(CaseDocument& document) {
  SweepCase result;
  const toml::node* const node = document.root.get("sweep");
  if (node == nullptr) return result;
  const toml::table* const table = node->as_table();
  if (table == nullptr) throw InputError("{} must be a table, not {}", document.place("sweep"), shown_value(*node));
  std::vector<SweepList> lists;
  collect(document, *table, "", lists);
  if (lists.empty())
    throw InputError("{} names no key of the case: give a list of values, as in material.k = [1, 2]", document.place("sweep"));
  const toml::node* const asked = table->get(together_key);
  if (asked != nullptr && !asked->is_boolean())
    throw InputError("{} must be true or false, not {}", document.place("sweep.together"), shown_value(*asked));
  const bool together = asked != nullptr && asked->as_boolean()->get();
  std::size_t runs = together ? lists.front().values.size() : 1;
  for (const SweepList& list : lists) {
    result.keys.push_back(list.key);
    if (together && list.values.size() != runs)
      throw InputError("{} has {} values where {} has {}: with together = true each list has one for each run", list.place,
                       list.values.size(), lists.front().place, runs);
    if (!together) runs *= list.values.size();
    if (runs > most_runs)
      throw InputError("{} asks for more than {} runs: give fewer values, or together = true to step through all lists at once",
                       document.place("sweep"), most_runs);
  }
  for (std::size_t run = 0; run < runs; ++run) {
    std::vector<std::string>& values = result.values.emplace_back(lists.size());
    // The last key changes fastest.
    std::size_t left = run;
    for (std::size_t i = lists.size(); i-- > 0;) {
      const auto& all = lists[i].values;
      values[i] = together ? all[run] : all[left % all.size()];
      left /= all.size();
    }
  }
  document.root.erase("sweep");
  return result;
}

}  // namespace swell
