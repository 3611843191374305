// SPDX-License-Identifier: Apache-2.0
#include "time/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace swell {

namespace {

constexpr int most_levels = 40;  // ratios of steps beyond 2^40 are no better than that
constexpr double rounding = 1e-9;
constexpr int factors_tried = 32;
// An update of a cluster costs its launches and the filling of its last batches too, counted in updates of cells; a cell beside
// a finer one is predicted a second time, which is about half of an update.
constexpr double cells_of_a_launch = 16, second_prediction = 0.5;

std::uint8_t level(double stable, double dt) {
  const double ratio = stable / dt * (1 + rounding);
  return ratio < 2 ? 0 : static_cast<std::uint8_t>(std::min<double>(most_levels, std::floor(std::log2(ratio))));
}

// Lowers clusters until those of neighbours differ by one at the most: the lowest ones spread first.
void smooth(std::vector<std::uint8_t>& of_cell, const CellGraph& beside) {
  std::vector<std::vector<std::int64_t>> at_level(most_levels + 2);
  for (std::size_t cell = 0; cell < of_cell.size(); ++cell) at_level[of_cell[cell]].push_back(static_cast<std::int64_t>(cell));
  for (std::size_t now = 0; now + 1 < at_level.size(); ++now)
    for (std::size_t i = 0; i < at_level[now].size(); ++i) {
      const auto cell = at_level[now][i];
      if (of_cell[cell] != now) continue;  // it was lowered since
      for (auto k = beside.first[cell]; k < beside.first[cell + 1]; ++k) {
        const auto other = beside.neighbour[k];
        if (of_cell[other] <= now + 1) continue;
        of_cell[other] = static_cast<std::uint8_t>(now + 1);
        at_level[now + 1].push_back(other);
      }
    }
}

// Marked cells take the lowest cluster among them and those beside them; others are lowered so that neighbours differ by one again.
void make_even(std::vector<std::uint8_t>& of_cell, const CellGraph& beside, const std::vector<char>& marked) {
  std::uint8_t lowest = most_levels;
  for (std::size_t cell = 0; cell < marked.size(); ++cell) {
    if (!marked[cell]) continue;
    lowest = std::min(lowest, of_cell[cell]);
    for (auto k = beside.first[cell]; k < beside.first[cell + 1]; ++k) lowest = std::min(lowest, of_cell[beside.neighbour[k]]);
  }
  for (std::size_t cell = 0; cell < marked.size(); ++cell)
    if (marked[cell]) of_cell[cell] = lowest;
  smooth(of_cell, beside);
}

struct Counts {
  std::vector<double> cells, beside_finer;  // [cluster]
};

Counts count(const std::vector<std::uint8_t>& of_cell, const CellGraph& beside) {
  Counts all{std::vector<double>(most_levels + 1, 0.0), std::vector<double>(most_levels + 1, 0.0)};
  for (std::size_t cell = 0; cell < of_cell.size(); ++cell) {
    const auto own = of_cell[cell];
    ++all.cells[own];
    for (auto k = beside.first[cell]; k < beside.first[cell + 1]; ++k)
      if (of_cell[beside.neighbour[k]] < own) {
        ++all.beside_finer[own];
        break;
      }
  }
  return all;
}

// The work in a unit of time of clusters 0 .. last, the cells of higher ones in the last.
double work(const Counts& counts, int last, double dt, double interval) {
  double all = 0, above = 0;
  for (int k = last; k <= most_levels; ++k) above += counts.cells[k];
  for (int k = 0; k <= last; ++k) {
    const double cells = k == last ? above : counts.cells[k];
    all += std::ldexp(cells + cells_of_a_launch + (k > 0 ? second_prediction * counts.beside_finer[k] : 0.0), -k);
  }
  all /= dt;
  if (interval <= 0) return all;
  const double longest = std::ldexp(dt, last);
  return all * std::ceil(interval / longest * (1 - rounding)) * longest / interval;
}

double smallest(std::span<const double> stable) { return *std::min_element(stable.begin(), stable.end()); }

}  // namespace

std::int64_t Clusters::updates() const {
  std::int64_t all = 0;
  for (int k = 0; k < count(); ++k) all += cells[k] * steps(k);
  return all;
}

Clusters find_clusters(std::span<const double> stable, const CellGraph& beside, const ClusterLimits& limits) {
  Clusters best;
  const double shortest = smallest(stable), all_alike = (static_cast<double>(stable.size()) + cells_of_a_launch) / shortest;
  double least = std::numeric_limits<double>::max();
  int last_of_best = 0;
  std::vector<std::uint8_t> of_cell(stable.size());
  for (int i = 0; i < (limits.shorten ? factors_tried : 1); ++i) {
    const double dt = shortest * (1 - 0.5 * i / factors_tried);
    double bound = 0;  // smoothing only adds work
    for (std::size_t cell = 0; cell < stable.size(); ++cell) {
      of_cell[cell] = level(stable[cell], dt);
      bound += std::ldexp(1.0, -std::min<int>(of_cell[cell], limits.most - 1)) / dt;
    }
    if (bound >= least) continue;
    smooth(of_cell, beside);
    if (!limits.even.empty()) make_even(of_cell, beside, limits.even);
    const Counts counts = count(of_cell, beside);
    const int highest = *std::max_element(of_cell.begin(), of_cell.end());
    for (int last = 0; last <= std::min(highest, limits.most - 1); ++last) {
      const double found = work(counts, last, dt, limits.interval);
      if (found >= least * (1 - rounding)) continue;
      least = found;
      last_of_best = last;
      best.dt = dt;
      best.of_cell = of_cell;
    }
  }
  best.cells.assign(last_of_best + 1, 0);
  for (auto& cluster : best.of_cell) {
    cluster = std::min<std::uint8_t>(cluster, static_cast<std::uint8_t>(last_of_best));
    ++best.cells[cluster];
  }
  const double interval = limits.interval, steps = interval > 0 ? std::ceil(interval / shortest * (1 - rounding)) * shortest / interval : 1;
  best.gain = all_alike * steps / least;
  return best;
}

double largest_gain(std::span<const double> stable, int most) {
  const double shortest = smallest(stable);
  double updates = 0;
  // A factor for all steps makes at most the work of steps that are any multiples of the shortest one.
  for (const double step : stable) updates += std::max(shortest / step, std::ldexp(1.0, 1 - most));
  return static_cast<double>(stable.size()) / updates;
}

}  // namespace swell
