// SPDX-License-Identifier: Apache-2.0
// Charts of convergence, from what `swell verify --json` prints.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "base/names.hpp"
#include "io/draw/plots.hpp"

namespace swell {

namespace {

struct Row {
  std::string name, quantity, element, precision, expected;
  int order = 0;
  double cells = 0, error = 0;
};

std::vector<Row> rows_of(const std::filesystem::path& file) {
  const std::string name = shown(file.string(), 300);
  const auto all = nlohmann::json::parse(file_text(file), nullptr, false);
  if (all.is_discarded()) throw InputError("'{}' is empty or damaged: it is no JSON.", name);
  if (!all.is_object() || !all.contains("rows") || !all["rows"].is_array() || all["rows"].empty())
    throw InputError("'{}' is no table of verification: it has no rows.", name);
  std::vector<Row> rows;
  try {
    for (const auto& row : all["rows"])
      rows.push_back({row.at("name"), row.at("quantity"), row.at("element"), row.at("precision"), row.at("expected"), row.at("order"),
                      row.at("cells"), row.at("error").is_null() ? std::numeric_limits<double>::quiet_NaN() : row.at("error").get<double>()});
  } catch (const nlohmann::json::exception&) {
    throw InputError("Row {} of '{}' is no row of verification.", rows.size() + 1, name);
  }
  return rows;
}

// The expected order: of "order 3 +- 0.25, at most 0.0014": 3; NaN where no order is expected.
double expected_order(const std::string& words) {
  constexpr std::string_view begin = "order ";
  const std::size_t at = words.find(begin);
  if (at == std::string::npos) return std::numeric_limits<double>::quiet_NaN();
  const std::size_t from = at + begin.size(), to = std::min(words.find_first_not_of("0123456789.", from), words.size());
  double value = 0;
  return is_number(std::string_view(words).substr(from, to - from), value) ? value : std::numeric_limits<double>::quiet_NaN();
}

// Through the finest error, with the slope of the order that is expected.
void add_guide(Chart& chart, double order) {
  const auto& points = chart.curves.back().points;
  if (points.size() < 2 || !std::isfinite(order)) return;
  const Place last = points.back();
  const bool first = std::ranges::none_of(chart.curves, [](const ChartCurve& c) { return c.guide; });
  ChartCurve guide{first ? "expected order" : "", {}, false, true};
  for (const Place& p : points) guide.points.push_back({p[0], last[1] * std::pow(last[0] / p[0], order)});
  chart.curves.push_back(std::move(guide));
}

Chart chart_of(const std::vector<Row>& rows) {
  const Row& head = rows.front();
  const bool single = head.precision == "single";
  Chart chart{fmt::format("verify-{}{}", head.name, single ? "-single" : ""),
              head.name + (single ? ", single precision" : ""),
              {"N", AxisKind::logarithmic},
              {head.quantity, AxisKind::logarithmic},
              {}};
  std::set<double> cells;
  std::string last;
  double order = std::numeric_limits<double>::quiet_NaN();
  for (const Row& row : rows) {
    const std::string name = fmt::format("{}, order {}", row.element, row.order);
    // An element and order that returns to coarser meshes begins another line of the study.
    if (name != last || chart.curves.back().points.back()[0] >= row.cells) {
      if (!chart.curves.empty()) add_guide(chart, order);
      chart.curves.push_back({name, {}, true});
      last = name;
    }
    chart.curves.back().points.push_back({row.cells, row.error});
    order = expected_order(row.expected);
    cells.insert(row.cells);
  }
  add_guide(chart, order);
  chart.x.ticks = {cells.begin(), cells.end()};
  return chart;
}

}  // namespace

std::vector<Chart> charts_of_verification(const std::filesystem::path& file, const std::string& only) {
  std::vector<std::vector<Row>> studies;
  std::vector<std::string> names;
  for (Row& row : rows_of(file)) {
    if (names.empty() || names.back() != row.name) names.push_back(row.name);
    if (!row.name.starts_with(only)) continue;
    const auto same = std::ranges::find_if(studies, [&](const auto& study) {
      return study[0].name == row.name && study[0].quantity == row.quantity && study[0].precision == row.precision;
    });
    (same == studies.end() ? studies.emplace_back() : *same).push_back(std::move(row));
  }
  if (studies.empty()) throw InputError("No case in '{}' has a name that begins with '{}'{}.", shown(file.string(), 300), shown(only), name_hint(only, names));
  std::vector<Chart> charts;
  for (const auto& study : studies) {
    Chart chart = chart_of(study);
    const bool converges = std::ranges::any_of(chart.curves, [](const ChartCurve& c) { return c.points.size() > 1; });
    if (converges) charts.push_back(std::move(chart));
  }
  if (charts.empty()) throw InputError("No case that was asked for in '{}' ran on more than one mesh.", shown(file.string(), 300));
  return charts;
}

}  // namespace swell
