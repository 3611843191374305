// SPDX-License-Identifier: Apache-2.0
// Charts of far fields and of sweeps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "io/draw/plots.hpp"

namespace swell {

namespace {

// Nulls of a pattern go to minus infinity: this much below its highest value is shown.
constexpr double dynamic_range = 60;

std::size_t different(const TextTable& table, const std::string& column) {
  std::set<double> values;
  for (std::size_t row = 0; row < table.rows(); ++row) values.insert(table.number(row, column));
  return values.size();
}

std::string decibels_of(const TextTable& table) {
  if (table.has("width")) return "scattering width / wavelength (dB)";
  if (table.has("cross_section")) return "cross section / wavelength squared (dB)";
  return "intensity (dB)";
}

// A number, or the first one of a list: "[8, 8]" is 8 cells along an edge.
double number_in(const std::string& cell) {
  double value = std::numeric_limits<double>::quiet_NaN();
  const std::size_t begin = cell.starts_with('[') ? cell.find_first_not_of(" [") : 0;
  if (begin == std::string::npos) return value;
  const std::size_t end = cell.starts_with('[') ? cell.find_first_of(" ,]", begin) : cell.size();
  return is_number(std::string_view(cell).substr(begin, end == std::string::npos ? end : end - begin), value)
             ? value
             : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> keys_of(const TextTable& table) {
  std::vector<std::string> keys;
  for (std::size_t c = 1; c < table.columns().size() && table.columns()[c] != "status"; ++c) keys.push_back(table.columns()[c]);
  return keys;
}

std::string stepped_key(const TextTable& table, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    std::set<double> values;
    bool numbers = true;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double value = number_in(table.cell(row, key));
      numbers = numbers && std::isfinite(value);
      values.insert(value);
    }
    if (numbers && values.size() > 1) return key;
  }
  return "";
}

// A result of a sweep that is drawn: its column, its axis, and whether it spans powers of ten.
struct Result {
  const char *column, *title;
  AxisKind kind;
};
constexpr Result results[] = {{"error_l2", "relative L2 error", AxisKind::logarithmic},
                              {"iterations", "iterations", AxisKind::linear},
                              {"energy", "energy at the end", AxisKind::linear},
                              {"seconds_solve", "seconds", AxisKind::logarithmic}};

}  // namespace

std::vector<Chart> charts_of_far_field(const std::filesystem::path& file, const std::string& run) {
  const TextTable table(file);
  const bool finished = table.unfinished().empty();
  const std::string title = finished ? run : run + " (unfinished)";
  if (!finished)
    log_warning("'{}' is unfinished{}: {}.", shown(file.string(), 300), table.rows() == 0 ? " and has no entries" : "",
                shown(table.unfinished(), 300));
  const bool polar = table.has("theta") && different(table, "theta") > 1;
  const std::string angle = polar ? "theta" : "phi";
  std::vector<Chart> charts;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (const double value = table.number(row, "dB"); std::isfinite(value)) highest = std::max(highest, value);
  }
  std::string last;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string cut = fmt::format("frequency {:.4g}", table.number(row, "frequency"));
    if (polar) cut += fmt::format(", phi {:g}", table.number(row, "phi"));
    if (cut != last) {
      if (charts.empty() || charts.back().curves.size() == most_curves) {
        const std::string part = charts.empty() ? "" : fmt::format("-{}", charts.size() + 1);
        charts.push_back({"farfield" + part, title, {fmt::format("{} (degrees)", angle), AxisKind::degrees}, {decibels_of(table)}, {}});
        charts.back().y.low = highest - dynamic_range;
      }
      charts.back().curves.push_back({cut, {}});
      last = cut;
    }
    charts.back().curves.back().points.push_back({table.number(row, angle), table.number(row, "dB")});
  }
  return charts;
}

std::vector<Chart> charts_of_sweep(const std::filesystem::path& file, const std::string& title) {
  const TextTable table(file);
  const auto keys = keys_of(table);
  const std::string key = stepped_key(table, keys);
  if (key.empty()) throw InputError("No key of '{}' takes several numbers, against which results could be drawn.", shown(file.string(), 300));
  std::vector<Chart> charts;
  for (const Result& result : results) {
    if (!table.has(result.column)) continue;
    std::map<std::string, ChartCurve> curves;
    std::set<double> places;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const Place point{number_in(table.cell(row, key)), table.number(row, result.column)};
      if (!std::isfinite(point[1]) || (result.kind == AxisKind::logarithmic && !(point[0] > 0 && point[1] > 0))) continue;
      std::string name;
      for (const std::string& other : keys)
        if (other != key) name += fmt::format("{}{} {}", name.empty() ? "" : ", ", other, table.cell(row, other));
      ChartCurve& curve = curves[name];
      curve.name = name, curve.dots = true;
      curve.points.push_back(point);
      places.insert(point[0]);
    }
    if (places.size() < 2) continue;
    Chart chart{fmt::format("sweep-{}", result.column), title, {key, result.kind, {places.begin(), places.end()}}, {result.title, result.kind}, {}};
    for (auto& [name, curve] : curves) {
      std::ranges::sort(curve.points);
      if (chart.curves.size() < most_curves) chart.curves.push_back(std::move(curve));
    }
    charts.push_back(std::move(chart));
  }
  if (charts.empty()) throw InputError("'{}' has no result for two values of {}.", shown(file.string(), 300), key);
  return charts;
}

}  // namespace swell
