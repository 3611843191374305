// SPDX-License-Identifier: Apache-2.0
// Values along straight lines, probes/NAME.csv: at each time a row for each point, with its distance from the first and its place.
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "case/problem_of_case.hpp"
#include "sim/outputs/sampled_series.hpp"

namespace swell {

namespace {

constexpr std::int64_t most_rows = 512;         // as receivers keep
constexpr std::int64_t most_bytes = 64 << 20;   // of the log, unless one row alone has more

class LineProbes final : public SampledSeries {
 public:
  explicit LineProbes(Evolution& evolution) : SampledSeries(evolution, "probes") {
    std::vector<Locator::Hit> points;
    std::vector<double> mine;
    for (const ProbeCase& given : evolution.given().probes) {
      Line line = line_of(given);
      for (const auto& x : line.points) {
        const auto hit = evolution.locate(x, fmt::format("{} at ({:g})", given.key, fmt::join(x, ", ")));
        if (hit.cell >= 0) {
          mine.push_back(static_cast<double>(places_.size()));
          points.push_back(hit);
        }
        places_.emplace_back();
      }
      std::vector<std::string> columns{"distance", "x", "y", "z"};
      columns.resize(1 + static_cast<std::size_t>(evolution.mesh().dim));
      for (const int f : line.fields) columns.push_back(evolution.outputs()[static_cast<std::size_t>(f)]);
      add(given.name, given.every, given.every == 0, std::move(columns));
      lines_.push_back(std::move(line));
    }
    const auto of_ranks = evolution.ranks().gather(mine);
    for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
      for (std::size_t i = 0; i < of_ranks[rank].size(); ++i) places_[static_cast<std::size_t>(of_ranks[rank][i])] = {rank, i};
    const auto row = static_cast<std::int64_t>(places_.size() * evolution.outputs().size() * sizeof(double));
    const std::int64_t rows = std::clamp(most_bytes / row, std::int64_t{1}, most_rows);
    set_room(rows);
    if (!points.empty()) sampler_ = evolution.samplers().sampler(points, rows);
  }

 private:
  struct Line {
    std::vector<std::vector<double>> points;
    std::vector<double> distance;
    std::vector<int> fields;
    std::size_t first = 0;  // of its points among those of all lines
  };

  Line line_of(const ProbeCase& given) const {
    const auto dim = static_cast<std::size_t>(evolution_.mesh().dim);
    for (const auto& [numbers, name] : {std::pair{&given.from, "from"}, {&given.to, "to"}})
      if (numbers->size() != dim)
        throw InputError("{} has {} numbers, but the mesh has {} dimensions.", place_of(given.key, name), numbers->size(), dim);
    Line line;
    line.first = places_.size();
    line.fields = output_numbers(evolution_, given.fields, place_of(given.key, "fields"));
    for (int i = 0; i < given.points; ++i) {
      const double part = static_cast<double>(i) / (given.points - 1);
      std::vector<double> x(dim);
      double square = 0;
      for (std::size_t d = 0; d < dim; ++d) {
        x[d] = (1 - part) * given.from[d] + part * given.to[d];
        square += (x[d] - given.from[d]) * (x[d] - given.from[d]);
      }
      line.points.push_back(std::move(x));
      line.distance.push_back(std::sqrt(square));
    }
    return line;
  }

  void take(std::int64_t row) override {
    if (sampler_) sampler_->sample(row);
  }

  // [row][point][output] of all lines, on the first rank.
  std::vector<double> fetch(std::int64_t rows) override {
    const auto values = evolution_.ranks().gather(sampler_ ? sampler_->read(rows) : std::vector<double>());
    const std::size_t outputs = evolution_.outputs().size();
    std::vector<double> all;
    if (!evolution_.ranks().first()) return all;
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
      for (const auto& [rank, number] : places_) {
        const std::size_t width = values[rank].size() / static_cast<std::size_t>(rows);
        const auto from = values[rank].begin() + static_cast<std::ptrdiff_t>(row * width + number * outputs);
        all.insert(all.end(), from, from + static_cast<std::ptrdiff_t>(outputs));
      }
    return all;
  }

  void write(std::size_t table, std::span<const double> fetched, double time, const Rows& append) override {
    const Line& line = lines_[table];
    const std::size_t outputs = evolution_.outputs().size();
    for (std::size_t i = 0; i < line.points.size(); ++i) {
      std::vector<double> row{line.distance[i]};
      row.insert(row.end(), line.points[i].begin(), line.points[i].end());
      for (const int f : line.fields) row.push_back(fetched[(line.first + i) * outputs + static_cast<std::size_t>(f)]);
      append(time, row);
    }
  }

  std::vector<Line> lines_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // on the first rank, of each point: its rank, its number there
  std::unique_ptr<PointSampler> sampler_;                    // where points lie in this rank's cells
};

}  // namespace

std::unique_ptr<SampledSeries> make_line_probes(Evolution& evolution) { return std::make_unique<LineProbes>(evolution); }

}  // namespace swell
