// SPDX-License-Identifier: Apache-2.0
// Local time stepping: cells in clusters that step by dt, 2 dt, 4 dt, ..., chosen so that the predicted work is least.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace swell {

// Which cells lie beside which: those beside cell i are neighbour[first[i]] .. neighbour[first[i + 1] - 1].
struct CellGraph {
  std::vector<std::int64_t> first, neighbour;
};

struct Clusters {
  double dt = 0;                      // of cluster 0; that of cluster k is dt 2^k
  std::vector<std::uint8_t> of_cell;  // the number of its cluster
  std::vector<std::int64_t> cells;    // in each cluster
  double gain = 1;                    // predicted work of one step for all cells over that of the clusters
  int count() const { return static_cast<int>(cells.size()); }
  std::int64_t steps(int cluster) const { return std::int64_t{1} << (count() - 1 - cluster); }  // of it in one of the last cluster
  double longest() const { return dt * static_cast<double>(steps(0)); }                         // step of the last cluster
  // Updates of cells in one step of the last cluster, and with one step for all in the same time.
  std::int64_t updates() const;
};

struct ClusterLimits {
  int most = 8;            // clusters
  bool shorten = true;     // all steps may be shortened together, by a factor between 0.5 and 1
  double interval = 0;     // steps of the last cluster end at multiples of this time; 0: nowhere in particular
  std::vector<char> even;  // [cell]: those that are marked share one cluster, and none beside them has a lower one; empty: none is
};

// Each cell's step is at most `stable` of it, and the clusters of neighbours differ by one at the most.
Clusters find_clusters(std::span<const double> stable, const CellGraph& beside, const ClusterLimits& limits);

// An upper bound of the gain, in one pass.
double largest_gain(std::span<const double> stable, int most);

}  // namespace swell
