// SPDX-License-Identifier: Apache-2.0
#include "sim/outputs/sampled_series.hpp"

#include <algorithm>
#include <limits>

#include "io/files.hpp"

namespace swell {

std::vector<std::unique_ptr<SampledOutput>> sampled_outputs(Evolution& evolution) {
  const Case& given = evolution.given();
  std::vector<std::unique_ptr<SampledOutput>> all;
  if (!given.surfaces.empty()) all.push_back(make_surfaces(evolution));
  if (!given.probes.empty()) all.push_back(make_line_probes(evolution));
  if (given.averages) all.push_back(make_averages(evolution));
  return all;
}

void SampledSeries::add(const std::string& name, double every, bool ends_only, std::vector<std::string> columns) {
  Table table;
  table.times.every = every;
  table.ends_only = ends_only;
  table.name = fmt::format("{}/{}", folder_, name);
  table.columns = std::move(columns);
  tables_.push_back(std::move(table));
}

void SampledSeries::open(const std::filesystem::path& folder, const OutputsSoFar& before) {
  for (Table& table : tables_)
    if (const auto known = before.next.find(table.file_name()); known != before.next.end()) table.times.next = known->second;
  if (!evolution_.ranks().first()) return;
  create_folder(folder / folder_);
  for (Table& table : tables_) table.file = std::make_unique<ReceiverFile>(before.file(folder, table.file_name(), table.columns));
}

void SampledSeries::keep() {
  keeps_ = true;
  for (Table& table : tables_) {
    table.kept.columns = {"time"};
    table.kept.columns.insert(table.kept.columns.end(), table.columns.begin(), table.columns.end());
  }
}

std::vector<std::string> SampledSeries::names() const {
  std::vector<std::string> all;
  for (const Table& table : tables_) all.push_back(table.name);
  return all;
}

void SampledSeries::sample() {
  const double now = evolution_.time();
  std::vector<char> due;
  for (Table& table : tables_) {
    due.push_back(table.times.due(now));
    if (!due.back()) continue;
    table.times.take(now);
    if (table.ends_only) table.times.next = std::numeric_limits<double>::max();
  }
  take(std::move(due));
}

void SampledSeries::take(std::vector<char> due) {
  if (std::ranges::none_of(due, [](char one) { return one != 0; })) return;
  take(static_cast<std::int64_t>(rows_.size()));
  rows_.push_back({evolution_.time(), std::move(due)});
  last_step_ = evolution_.steps();
  if (static_cast<std::int64_t>(rows_.size()) == room_) flush();
}

void SampledSeries::flush() {
  if (rows_.empty()) return;
  evolution_.check();
  while (!rows_.empty() && rows_.back().time > evolution_.time()) rows_.pop_back();
  const std::vector<double> fetched = fetch(static_cast<std::int64_t>(rows_.size()));
  const std::size_t width = rows_.empty() ? 0 : fetched.size() / rows_.size();
  for (std::size_t row = 0; row < rows_.size(); ++row)
    for (std::size_t i = 0; i < tables_.size(); ++i)
      if (rows_[row].due[i] != 0 && (tables_[i].file || keeps_))
        write(i, std::span(fetched).subspan(row * width, width), rows_[row].time, [&](double time, std::span<const double> values) {
          if (tables_[i].file) tables_[i].file->append(time, values);
          if (keeps_) tables_[i].kept.append(time, values);
        });
  rows_.clear();
  for (const Table& table : tables_)
    if (table.file) table.file->flush();
}

void SampledSeries::save(OutputsSoFar& so_far) {
  flush();
  for (const Table& table : tables_) {
    so_far.next[table.file_name()] = table.times.next;
    if (table.file) so_far.bytes[table.file_name()] = table.file->sync();
  }
}

void SampledSeries::finish() {
  std::vector<char> due;
  for (const Table& table : tables_) due.push_back(table.ends_only && evolution_.steps() != last_step_);
  take(std::move(due));
  flush();
  for (const Table& table : tables_)
    if (table.file) table.file->close();
}

}  // namespace swell
