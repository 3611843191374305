// SPDX-License-Identifier: Apache-2.0
#include "case/verify_file.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/expression.hpp"
#include "case/section.hpp"

namespace swell {

namespace {

// The default name of a measure's quantity, and the keys that go with it, a '!' before those that it needs.
struct MeasureRules {
  std::string_view kind, quantity, keys;
};
constexpr MeasureRules measures[] = {
    {"l2", "relative L2", "field time where"},
    {"l1", "L1", "field"},
    {"values", "largest difference", "!values relative"},
    {"carried", "relative L2", "!field !time !velocity !clock !steps"},
    {"energy-growth", "largest growth of the energy in a step", "field"},
    {"energy-change", "change of the energy", "field"},
    {"stored", "relative difference", "!expected unit"},
    {"balance", "relative difference, a step", "!inflow"},
    {"iterations", "iterations", ""},
    {"enclosed", "relative area or volume", ""},
    {"misplaced", "misplaced area or volume", ""},
    {"mass", "relative mass, in roundings", ""},
    {"farfield", "largest difference in dB", "!expected unit"},
    {"difference", "difference of the two runs, relative L2", "!against"},
};
constexpr std::string_view keys_of_measures[] = {"field", "time",   "values",   "relative", "expected", "unit",
                                                 "inflow", "velocity", "clock", "steps",    "against", "where"};

// The tables that hold whatever their author likes, by their place: "verify[0].with".
using FreeTables = std::map<std::string, toml::table>;

void take_table(CaseDocument& document, toml::table& from, std::string_view name, const std::string& place, FreeTables& to) {
  const toml::node* const value = from.get(name);
  if (value == nullptr) return;
  if (!value->is_table()) throw InputError("{} must be a table, not {}", document.place(place), shown_value(*value));
  to[place] = *value->as_table();
  from.erase(name);
}

void make_list(toml::table& table, std::string_view name) {
  const toml::node* const value = table.get(name);
  if (value == nullptr || value->is_array()) return;
  toml::array list;
  value->visit([&](const auto& one) { list.push_back(one); });
  table.insert_or_assign(name, list);
}

// Splits the document: what is left in it are the [[verify]] tables without their free ones.
FreeTables take_free_tables(CaseDocument& document, toml::table& sections) {
  FreeTables result;
  take_table(document, document.root, "let", "let", result);
  make_list(document.root, "verify");
  for (const auto& [name, value] : document.root)
    if (name != "verify") value.visit([&sections, &name = name](const auto& node) { sections.insert_or_assign(name, node); });
  for (const auto& [name, value] : sections) document.root.erase(name.str());
  toml::array* const entries = document.root["verify"].as_array();
  for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
    toml::table* const entry = entries->get(i)->as_table();
    if (entry == nullptr) continue;
    const std::string place = fmt::format("verify[{}]", i);
    for (const char* name : {"let", "with", "against"}) take_table(document, *entry, name, fmt::format("{}.{}", place, name), result);
    toml::array* const lines = (*entry)["series"].as_array();
    for (std::size_t j = 0; lines != nullptr && j < lines->size(); ++j)
      if (toml::table* const line = lines->get(j)->as_table()) {
        make_list(*line, "order");
        take_table(document, *line, "let", fmt::format("{}.series[{}].let", place, j), result);
      }
  }
  return result;
}

void add_words(const FreeTables& tables, const std::string& place, VerifyWords& to) {
  const auto found = tables.find(place);
  if (found == tables.end()) return;
  for (const auto& [word, value] : found->second) to[std::string(word.str())] = printed_value(value);
}

double in_p(const Formula& formula, int order) {
  const double p = order;
  return Expression::parse(formula.text, {"p"}, formula.key)(&p);
}

// The error of the integrators of order 4 must hide behind that of the elements, of order p+1: from order 4 on a smaller step.
double cfl_of_order(int order) {
  constexpr double by_order[] = {1, 1, 1, 1, 0.5, 0.25, 0.125};
  return by_order[std::min(order, 6)];
}

std::vector<int> meshes(const CaseSection& from, std::string_view name) {
  const std::vector<std::int64_t> given = from.wholes(name);
  if (!std::is_sorted(given.begin(), given.end(), std::less_equal<>()))
    throw InputError("{} must go from coarse to fine, each mesh once", from.place(name));
  return {given.begin(), given.end()};
}

std::map<int, double> references(const CaseSection& from) {
  std::map<int, double> result;
  const CaseSection given = from.section("reference");
  for (const auto& [name, value] : given.table()) {
    int cells = 0;
    const std::string_view text = name.str();
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), cells);
    if (error != std::errc() || stop != text.data() + text.size())
      throw InputError("{} must be named by the N of a mesh, as in reference = {{ 8 = 1e-3 }}", given.place(text));
    result[cells] = number_of(value);
  }
  return result;
}

void check_expectation(const CaseSection& from, const VerifySeries& series) {
  const std::size_t most = std::max(series.cells.size(), series.quick.size());
  if (most == 0) throw InputError("{} has no meshes: give cells, quick or both", from.place());
  if (std::isfinite(series.at_most) || !series.reference.empty()) return;
  if (series.expected_order == 0 && series.lost_order == 0)
    throw InputError("{} expects nothing: give rate, rate_at_most, at_most, guard or reference", from.place());
  if (most == 1) throw InputError("{} expects a rate, which takes two meshes or more", from.place());
}

// One line of the file: a series for each element and order. Keys that the line lacks are those of the case, for all its lines.
std::vector<VerifySeries> read_series(const CaseSection& entry, const CaseSection& line, const VerifyWords& words) {
  const auto holder = [&](std::string_view name) { return line.has(name) ? line : entry; };
  if (line.has("at_most") && line.has("guard"))
    throw InputError("{} has at_most and guard: give one bound of the error", line.place());
  std::vector<VerifySeries> result;
  for (const std::string& element : line.words("element"))
    for (const std::int64_t order : line.wholes("order")) {
      VerifySeries series{element, static_cast<int>(order), meshes(line, "cells"), meshes(line, "quick")};
      series.lost_order = line.real("rate_at_most").value_or(0);
      const bool rate = series.lost_order == 0 && holder("rate").has("rate");
      if (rate) series.expected_order = in_p(holder("rate").formula("rate"), series.order);
      if (rate && holder("rate_up_to").has("rate_up_to"))
        series.highest_order = in_p(holder("rate_up_to").formula("rate_up_to"), series.order);
      series.reference = references(line);
      series.guard = line.has("guard");
      if (const auto bound = series.guard ? line.real("guard") : holder("at_most").real("at_most")) series.at_most = *bound;
      series.cfl = holder("cfl").real("cfl").value_or(rate ? cfl_of_order(series.order) : 1);
      series.words = words;
      if (const auto precision = holder("precision").text("precision"))
        series.precision = *precision == "single" ? Precision::single_ : Precision::double_;
      check_expectation(line, series);
      result.push_back(std::move(series));
    }
  return result;
}

std::vector<KnownValue> read_values(const CaseSection& entry) {
  std::vector<KnownValue> result;
  for (const CaseSection& value : entry.sections("values")) {
    const bool mean = value.table()["mean"].value_or(false);
    if ((value.has("crosses") || mean) && !value.has("to"))
      throw InputError("{} is missing: {} is of the way to it", value.place("to"), value.place(mean ? "mean" : "crosses"));
    result.push_back({value.text("field").value_or(""), value.reals("at"), value.reals("to"), value.real("factor").value_or(1),
                      *value.real("value"), value.real("crosses"), mean, value.real("time")});
  }
  return result;
}

void check_keys_of_measure(const CaseSection& entry, const MeasureRules& rules, bool has_against) {
  const std::vector<std::string> known = split_words(rules.keys);
  for (const std::string_view name : keys_of_measures) {
    const bool given = name == "against" ? has_against : entry.has(name);
    const bool needed = std::find(known.begin(), known.end(), fmt::format("!{}", name)) != known.end();
    if (needed && !given) throw InputError("{} is missing: the measure \"{}\" needs it", entry.place(name), rules.kind);
    if (given && !needed && std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("{} does not go with the measure \"{}\"", entry.place(name), rules.kind);
  }
}

VerifyMeasure read_measure(const CaseSection& entry, const MeasureRules& rules) {
  VerifyMeasure result;
  result.kind = rules.kind;
  result.field = entry.text("field").value_or("");
  result.time = entry.real("time");
  result.values = read_values(entry);
  result.relative = entry.table()["relative"].value_or(false);
  result.expected = entry.reals("expected");
  result.unit = entry.real("unit").value_or(1);
  if (entry.has("inflow")) result.inflow = entry.formula("inflow");
  for (const std::string& text : entry.words("velocity")) result.velocity.push_back({text, entry.place("velocity")});
  if (entry.has("where")) result.where = entry.formula("where");
  if (entry.has("clock")) result.clock = entry.formula("clock");
  result.steps = static_cast<int>(entry.whole("steps").value_or(0));
  return result;
}

const MeasureRules& rules_of(const std::string& kind) {
  return *std::find_if(std::begin(measures), std::end(measures), [&](const MeasureRules& rules) { return rules.kind == kind; });
}

std::string quantity_of(const MeasureRules& rules, const std::string& field) {
  std::string words(rules.quantity);
  if (field.empty()) return words;
  if (rules.kind == "l2" || rules.kind == "l1") return fmt::format("{} of {}", words, field);
  if (const auto energy = words.find("energy"); energy != std::string::npos) words.replace(energy, 6, field);
  return words;
}

VerifyEntry read_entry(const CaseSection& given, const std::string& place, const FreeTables& free, toml::table sections) {
  const auto table = [&](const char* name) {
    const auto found = free.find(fmt::format("{}.{}", place, name));
    return found != free.end() ? &found->second : nullptr;
  };
  VerifyEntry entry;
  entry.name = *given.text("name");
  entry.shows = *given.text("shows");
  const MeasureRules& rules = rules_of(given.text("measure").value_or("l2"));
  check_keys_of_measure(given, rules, table("against") != nullptr);
  entry.measure = read_measure(given, rules);
  if (const toml::table* const against = table("against")) entry.measure.against = printed_value(*against);
  entry.quantity = given.text("quantity").value_or(quantity_of(rules, entry.measure.field));
  if (const toml::table* const with = table("with")) merge_tables(sections, *with);
  entry.sections = printed_value(sections);
  add_words(free, "let", entry.words);
  add_words(free, place + ".let", entry.words);
  std::size_t number = 0;
  for (const CaseSection& line : given.sections("series")) {
    VerifyWords words;
    add_words(free, fmt::format("{}.series[{}].let", place, number++), words);
    for (VerifySeries& series : read_series(given, line, words)) entry.series.push_back(std::move(series));
  }
  return entry;
}

}  // namespace

std::vector<VerifyEntry> parse_verify_file(std::string_view text, const std::string& name, const std::filesystem::path& folder) {
  CaseDocument document = parse_document(text, name);
  toml::table sections;
  const FreeTables free = take_free_tables(document, sections);
  check_verify_document(document);
  std::vector<VerifyEntry> result;
  for (const CaseSection& given : CaseSection(document).sections("verify")) {
    VerifyEntry entry = read_entry(given, fmt::format("verify[{}]", result.size()), free, sections);
    entry.file = name;
    entry.folder = folder;
    for (const VerifyEntry& other : result)
      if (other.name == entry.name) throw InputError("{} is \"{}\", which is the name of another one", given.place("name"), entry.name);
    result.push_back(std::move(entry));
  }
  return result;
}

std::vector<VerifyEntry> read_verify_file(const std::filesystem::path& file) {
  return parse_verify_file(read_case_text(file), file.string(), file.parent_path());
}

}  // namespace swell
