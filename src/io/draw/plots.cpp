// SPDX-License-Identifier: Apache-2.0
#include "io/draw/plots.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/names.hpp"
#include "io/receivers.hpp"

namespace swell {

namespace {

namespace fs = std::filesystem;

// Behind a mark that the run is unfinished.
std::string first_line(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(2000, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(in.gcount());
  if (text.starts_with(unfinished_mark)) text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, std::min<std::size_t>(text.find('\n'), 80));
}

std::vector<Chart> charts_of_file(const fs::path& file, const std::string& only) {
  const std::string title = file.filename().string();
  if (file.extension() == ".json") return charts_of_json(file, only);
  const std::string line = first_line(file);
  if (line.empty()) throw InputError("'{}' is empty or cannot be read.", shown(file.string(), 300));
  if (line.starts_with("time,distance,")) return charts_of_lines({file}, file.stem().string(), title);
  if (line.starts_with("time,")) return charts_of_signals({file}, file.stem().string(), title);
  if (line.starts_with("frequency,")) return charts_of_far_field(file, title);
  if (line.starts_with("run,")) return charts_of_sweep(file, title);
  if (line.starts_with("backend\t")) return charts_of_choices(file, only);
  throw InputError("'{}' is nothing that can be plotted: time signals, farfield.csv, sweep.csv, fields, tuning.txt and the JSON of "
                   "`swell verify`, `swell bench`, `swell tune` and bench/scaling are.",
                   shown(file.string(), 300));
}

void append(std::vector<Chart>& charts, std::vector<Chart> more) {
  std::ranges::move(more, std::back_inserter(charts));
}

std::vector<fs::path> tables_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<Chart> charts_of_folder(const fs::path& folder) {
  const std::string title = title_of_run(folder);
  std::vector<Chart> charts;
  for (const char* name : {"receivers", "surfaces"})
    if (const auto signals = tables_in(folder / name); !signals.empty()) append(charts, charts_of_signals(signals, name, title));
  if (const auto lines = tables_in(folder / "probes"); !lines.empty()) append(charts, charts_of_lines(lines, "probes", title));
  for (const char* name : {"energy", "interface"})
    if (const fs::path file = folder / fmt::format("{}.csv", name); fs::exists(file)) append(charts, charts_of_signals({file}, name, title));
  if (fs::exists(folder / "farfield.csv")) append(charts, charts_of_far_field(folder / "farfield.csv", title));
  if (fs::exists(folder / "sweep.csv")) append(charts, charts_of_sweep(folder / "sweep.csv", title));
  return charts;
}

// A signal that changes by less than this part of itself is drawn as its change, for its ticks to be readable.
constexpr double small_change = 1e-3;

void show_small_change(Chart& chart) {
  if (chart.curves.size() != 1) return;
  auto& points = chart.curves[0].points;
  const double first = points[0][1];
  const auto small = [&](const Place& p) { return std::abs(p[1] - first) < small_change * std::abs(first); };
  if (!std::ranges::all_of(points, small) || std::ranges::all_of(points, [&](const Place& p) { return p[1] == first; })) return;
  for (Place& p : points) p[1] -= first;
  chart.y.title += fmt::format(" - {:.10g}, its first value", first);
}

std::vector<SignalTable> tables_of(const std::vector<fs::path>& files) {
  std::vector<SignalTable> tables;
  for (const fs::path& file : files) {
    tables.push_back(read_signals(file));
    if (tables.back().values.empty()) throw InputError("The time signal '{}' has no row yet.", shown(file.string(), 300));
  }
  return tables;
}

// A chart for each column behind the one along which they are drawn, with a curve for each table; places along lines are no values.
std::vector<Chart> charts_of_tables(const std::vector<fs::path>& files, const std::vector<SignalTable>& tables, std::size_t along,
                                    const std::string& name, const std::string& title) {
  std::vector<Chart> charts;
  std::vector<std::string> columns;
  const auto is_place = [along](const std::string& column) { return along > 0 && (column == "x" || column == "y" || column == "z"); };
  for (const SignalTable& table : tables)
    for (std::size_t c = along + 1; c < table.columns.size(); ++c)
      if (!is_place(table.columns[c]) && std::ranges::find(columns, table.columns[c]) == columns.end()) columns.push_back(table.columns[c]);
  for (const std::string& column : columns) {
    std::size_t parts = 0;
    for (std::size_t f = 0; f < files.size(); ++f) {
      const auto& [names, values] = tables[f];
      const std::size_t at = std::ranges::find(names, column) - names.begin();
      if (at == names.size()) continue;
      if (parts == 0 || charts.back().curves.size() == most_curves) {
        const std::string part = ++parts == 1 ? "" : fmt::format("-{}", parts);
        charts.push_back({(column == name ? name : fmt::format("{}-{}", name, column)) + part, title, {names[along]}, {column}, {}});
      }
      ChartCurve curve{files[f].stem().string(), {}};
      for (std::size_t row = 0; row < values.size(); row += names.size()) curve.points.push_back({values[row + along], values[row + at]});
      charts.back().curves.push_back(std::move(curve));
    }
    show_small_change(charts.back());
  }
  return charts;
}

}  // namespace

std::string title_of_run(const fs::path& folder) {
  const fs::path file = folder / "summary.json";
  if (!fs::exists(file)) return fs::absolute(folder).lexically_normal().filename().string();
  const auto summary = nlohmann::json::parse(file_text(file), nullptr, false);
  if (!summary.is_object() || !summary.contains("title") || !summary["title"].is_string())
    throw InputError("'{}' is damaged: it is no summary of a run.", shown(file.string(), 300));
  return summary["title"].get<std::string>();
}

std::vector<Chart> charts_of(const fs::path& path, const std::string& only) {
  if (!fs::exists(path)) throw InputError("There is no file or folder '{}'.", shown(path.string(), 300));
  return fs::is_directory(path) ? charts_of_folder(path) : charts_of_file(path, only);
}

std::vector<Chart> charts_of_signals(const std::vector<fs::path>& files, const std::string& name, const std::string& title) {
  return charts_of_tables(files, tables_of(files), 0, name, title);
}

std::vector<Chart> charts_of_lines(const std::vector<fs::path>& files, const std::string& name, const std::string& title) {
  std::vector<SignalTable> tables = tables_of(files);
  for (SignalTable& table : tables) {
    const auto width = static_cast<std::ptrdiff_t>(table.columns.size());
    auto first = table.values.end() - width;
    while (first != table.values.begin() && *(first - width) == *first) first -= width;
    table.values.erase(table.values.begin(), first);
  }
  return charts_of_tables(files, tables, 1, name, fmt::format("{}, t = {:.6g}", title, tables.front().values.front()));
}

}  // namespace swell
