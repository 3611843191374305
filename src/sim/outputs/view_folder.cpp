// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/view_folder.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "io/receivers.hpp"
#include "sim/outputs/field_series.hpp"
#include "sim/outputs/live_view.hpp"
#include "sim/run_parts.hpp"

namespace swell {

namespace {

constexpr std::chrono::milliseconds nap(100);

ViewDescription describe(const std::filesystem::path& folder, const FieldSeries& pictures) {
  ViewDescription about;
  about.live = false;
  about.title = std::filesystem::absolute(folder).lexically_normal().filename().string();
  std::ifstream file(folder / "summary.json");
  if (const auto summary = nlohmann::json::parse(file, nullptr, false); summary.is_object()) {
    const std::string title = summary.value("title", "");
    if (!title.empty()) about.title = title;
    about.model = summary.value("model", "");
    about.device = summary.value("device", "");
  }
  about.fields = pictures.first().fields();
  for (std::size_t i = 0; i < pictures.count(); ++i) about.times.push_back(pictures.time(i));
  about.sequential = colours_in_digits(false);
  about.diverging = colours_in_digits(true);
  return about;
}

void add_signals(Viewer& viewer, const std::filesystem::path& file, const std::string& name) {
  const SignalTable table = std::filesystem::exists(file) ? read_signals(file) : SignalTable{{"time", name}, {}};
  const std::size_t width = table.columns.size();
  const auto series = viewer.add_series(name, {table.columns.begin() + 1, table.columns.end()});
  for (std::size_t row = 0; row < table.values.size(); row += width)
    viewer.note(series, table.values[row], std::span(table.values).subspan(row + 1, width - 1));
}

// A picture that cannot be read is grey, with a sentence; the others can still be looked at.
void show(Viewer& viewer, FieldSeries& pictures, const ShownCells& cells, const ViewWish& wish, bool& damaged) {
  const std::int64_t nodes = wish.scene->nodes;
  std::vector<float> values(wish.scene->places * nodes, std::numeric_limits<float>::quiet_NaN());
  try {
    const auto& all = pictures.values(wish.picture, wish.field);
    cells.for_each_cell([&](std::int64_t cell, std::int64_t first, int count) {
      if (const auto place = wish.scene->place(cell); place >= 0) std::copy_n(all.begin() + first, count, values.begin() + place * nodes);
    });
    if (std::exchange(damaged, false)) viewer.set_status(ViewStatus::finished);
  } catch (const InputError& failure) {
    damaged = true;
    viewer.set_status(ViewStatus::finished, failure.what());
  }
  viewer.fulfil(wish, {pictures.time(wish.picture), 0, 0}, std::move(values));
}

}  // namespace

int view_folder(const std::filesystem::path& folder, int port) {
  FieldSeries pictures(folder);
  const ShownCells cells = pictures.shown_cells();
  Viewer viewer(describe(folder, pictures), cells, port);
  add_signals(viewer, folder / "energy.csv", "energy");
  std::vector<std::filesystem::path> receivers;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "receivers", none))
    if (entry.path().extension() == ".csv") receivers.push_back(entry.path());
  std::sort(receivers.begin(), receivers.end());
  for (const auto& file : receivers) add_signals(viewer, file, file.stem().string());
  print_address(viewer);
  const SignalGuard guard;
  bool damaged = false;  // the picture that was shown last
  while (!interrupted) {
    viewer.wait(nap);
    for (const ViewWish& wish : viewer.wishes()) show(viewer, pictures, cells, wish, damaged);
  }
  return 0;
}

}  // namespace swell
