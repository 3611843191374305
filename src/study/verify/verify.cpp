// SPDX-License-Identifier: Apache-2.0
#include "study/verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/timer.hpp"
#include "sim/heat/heat.hpp"
#include "sim/simulation.hpp"

namespace swell {

namespace {

// Words may stand for texts with words in them, but not in a circle.
constexpr int deepest_words = 8;

std::string fill_once(std::string_view text, const std::map<std::string, std::string>& words) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      result += text[i++];
      continue;
    }
    std::size_t end = i + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_')) ++end;
    const std::string word(text.substr(i + 1, end - i - 1));
    const auto found = words.find(word);
    if (found == words.end()) throw InputError("The verification case uses ${}, which has no value.", word);
    result += found->second;
    i = end;
  }
  return result;
}

std::string words_of_order(const VerifySeries& series) {
  const double low = series.expected_order, high = series.highest_order;
  return high > low ? fmt::format("order {:.4g} to {:.4g} +- {:.4g}", low, high, order_tolerance)
                    : fmt::format("order {:.4g} +- {:.4g}", low, order_tolerance);
}

// The sentence of a check that did not hold goes in front of what is there.
void fail(VerifyRow& row, const std::string& why) {
  row.passed = false;
  row.remark = row.remark.empty() ? why : why + "; " + row.remark;
}

void judge_order(const VerifySeries& series, double floor, VerifyRow& row) {
  const double excess = row.observed_order - series.expected_order;
  const double room = std::max(0.0, series.highest_order - series.expected_order);
  if (excess >= -order_tolerance && excess <= room + order_tolerance) return;
  if (row.error <= floor)
    row.remark = fmt::format("at the rounding floor of {:.0e}", floor);
  else if (excess > 0 && std::isfinite(series.at_most) && row.error <= series.at_most)
    row.remark = fmt::format("faster than the theory, and the error is below {:.3g}", series.at_most);
  else
    fail(row, fmt::format("order {:.2f} is not within {:.2f} of {:.4g}", row.observed_order, order_tolerance,
                          series.expected_order));
}

double error_of(const VerifyEntry& entry, Case c, Device& device) {
  if (is_diffusion(c)) {
    HeatSimulation simulation(std::move(c), device);
    if (entry.measure_heat) return entry.measure_heat(simulation);
    simulation.finish();
    return simulation.errors().relative();
  }
  Simulation simulation(std::move(c), device);
  if (entry.measure) return entry.measure(simulation);
  simulation.advance(simulation.end());
  return simulation.errors().relative();
}

}  // namespace

std::string filled(std::string_view text, const std::map<std::string, std::string>& words) {
  std::string result(text);
  for (int depth = 0; result.find('$') != std::string::npos; ++depth) {
    if (depth == deepest_words) throw InputError("The words of a verification case stand for each other in a circle.");
    result = fill_once(result, words);
  }
  return result;
}

std::string case_text(const VerifyEntry& entry, const VerifySeries& series, int cells, Precision precision) {
  auto words = entry.words;
  for (const auto& [word, value] : series.words) words[word] = value;
  words["N"] = fmt::format("{}", cells);
  words["half"] = fmt::format("{}", cells / 2);
  words["tenth"] = fmt::format("{}", 0.1 / cells);
  words["order"] = fmt::format("{}", series.order);
  words["element"] = series.element;
  words["cfl"] = fmt::format("{}", series.cfl);
  return filled(entry.text, words) + (precision == Precision::single_ ? "\n[device]\nprecision = \"single\"\n" : "");
}

void judge(const VerifySeries& series, Precision precision, bool finest, std::vector<VerifyRow>& rows) {
  const double floor = precision == Precision::single_ ? floor_single : floor_double;
  VerifyRow& row = rows.back();
  row.passed = true;
  std::vector<std::string> expected;
  if (rows.size() > 1) {
    const VerifyRow& coarser = rows[rows.size() - 2];
    row.observed_order = std::log(coarser.error / row.error) / std::log(static_cast<double>(row.cells) / coarser.cells);
    if (finest && series.expected_order > 0) {
      expected.push_back(words_of_order(series));
      judge_order(series, floor, row);
    }
    if (finest && series.lost_order > 0) {
      expected.push_back(fmt::format("order at most {:.4g}", series.lost_order));
      if (!(row.observed_order <= series.lost_order))
        fail(row, fmt::format("order {:.2f} is above {:.4g}", row.observed_order, series.lost_order));
    }
  }
  if (const auto reference = series.reference.find(row.cells); reference != series.reference.end()) {
    const double ratio = row.error / reference->second;
    expected.push_back(fmt::format("{:.3g} within {:.4g}x", reference->second, reference_factor));
    const bool near = ratio <= reference_factor && ratio >= 1 / reference_factor;
    if (!near && !(row.error <= floor)) fail(row, fmt::format("the error is {:.3g} times the reference", ratio));
  }
  if (finest && std::isfinite(series.at_most)) {
    expected.push_back(fmt::format("at most {:.3g}{}", series.at_most, series.guard ? " (guard)" : ""));
    if (!(row.error <= std::max(series.at_most, floor)))
      fail(row, fmt::format("the error is above {:.3g}", series.at_most));
  }
  if (!std::isfinite(row.error)) fail(row, "the error is not a finite number");
  row.expected = fmt::format("{}", fmt::join(expected, ", "));
}

std::vector<VerifyRow> run_series(const VerifyEntry& entry, const VerifySeries& series, const VerifyOptions& options,
                                  Device& device, const std::function<void(const VerifyRow&)>& seen) {
  const auto& meshes = options.quick ? series.quick : series.cells;
  const Precision precision = series.precision.value_or(options.precision);
  std::vector<VerifyRow> rows;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const Stopwatch clock;
    VerifyRow row;
    row.name = entry.name;
    row.quantity = entry.quantity;
    row.element = series.element;
    row.precision = precision == Precision::single_ ? "single" : "double";
    row.order = series.order;
    row.cells = meshes[i];
    std::string failure;
    try {
      row.error = error_of(entry, parse_case(case_text(entry, series, meshes[i], precision), entry.name), device);
    } catch (const std::exception& e) {
      failure = e.what();
    }
    row.seconds = clock.seconds();
    rows.push_back(row);
    judge(series, precision, i + 1 == meshes.size(), rows);
    if (!failure.empty()) fail(rows.back(), failure);
    if (seen) seen(rows.back());
  }
  return rows;
}

std::vector<VerifyEntry> verify_entries() {
  std::vector<VerifyEntry> all;
  for (const auto& part : {verify_advection(), verify_maxwell_plane(), verify_maxwell_media(), verify_maxwell_space(),
                           verify_far_field(), verify_acoustics(), verify_elastic(), verify_modal(), verify_modal_elastic(), verify_ader(),
                           verify_levelset(), verify_heat(), verify_discontinuous(),
                           verify_multigrid()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<VerifyEntry> select_entries(const VerifyOptions& options) {
  const auto all = verify_entries();
  const auto& names = options.names;
  std::vector<std::string> known;
  for (const auto& entry : all) known.push_back(entry.name);
  const auto takes = [&](const std::string& name, const VerifyEntry& entry) {
    // A whole name is one case, also where others begin with it.
    const bool whole = std::find(known.begin(), known.end(), name) != known.end();
    return whole ? entry.name == name : entry.name.starts_with(name + "-");
  };
  for (const auto& name : names)
    if (std::none_of(all.begin(), all.end(), [&](const VerifyEntry& entry) { return takes(name, entry); }))
      throw InputError("There is no verification case '{}'{}.", name, name_hint(name, known));
  std::vector<VerifyEntry> chosen;
  for (const auto& entry : all)
    if (names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) { return takes(name, entry); }))
      chosen.push_back(entry);
  const auto among = [](const auto& wanted, const auto& value) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
  };
  for (VerifyEntry& entry : chosen)
    std::erase_if(entry.series, [&](const VerifySeries& series) {
      return !among(options.elements, series.element) || !among(options.orders, series.order);
    });
  std::erase_if(chosen, [](const VerifyEntry& entry) { return entry.series.empty(); });
  if (chosen.empty())
    throw InputError("No verification case{} has this element and order together; `swell verify` runs all that there are.",
                     names.empty() ? "" : fmt::format(" of '{}'", fmt::join(names, "', '")));
  return chosen;
}

}  // namespace swell
