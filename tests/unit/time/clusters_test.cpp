// SPDX-License-Identifier: Apache-2.0
// Clusters of local time stepping: no cell steps further than it may, neighbours differ by one cluster, and the work is least.
#include "time/clusters.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace swell {
namespace {

CellGraph row_of(std::int64_t count) {
  CellGraph graph;
  graph.first.push_back(0);
  for (std::int64_t cell = 0; cell < count; ++cell) {
    if (cell > 0) graph.neighbour.push_back(cell - 1);
    if (cell + 1 < count) graph.neighbour.push_back(cell + 1);
    graph.first.push_back(static_cast<std::int64_t>(graph.neighbour.size()));
  }
  return graph;
}

// Lengths between 1 and `ratio`, in waves along a row.
std::vector<double> graded(std::int64_t count, double ratio) {
  std::vector<double> steps;
  for (std::int64_t cell = 0; cell < count; ++cell)
    steps.push_back(std::pow(ratio, 0.5 - 0.5 * std::cos(0.01 * static_cast<double>(cell) * (1 + 0.3 * std::sin(0.07 * static_cast<double>(cell))))));
  return steps;
}

void expect_valid(const Clusters& clusters, const std::vector<double>& stable, const CellGraph& graph) {
  std::vector<std::int64_t> cells(clusters.count(), 0);
  for (std::size_t cell = 0; cell < stable.size(); ++cell) {
    const int own = clusters.of_cell[cell];
    ASSERT_LT(own, clusters.count());
    ++cells[own];
    EXPECT_LE(std::ldexp(clusters.dt, own), stable[cell] * (1 + 1e-8)) << cell;
    for (auto k = graph.first[cell]; k < graph.first[cell + 1]; ++k)
      EXPECT_LE(std::abs(own - clusters.of_cell[graph.neighbour[k]]), 1) << cell;
  }
  EXPECT_EQ(cells, clusters.cells);
}

TEST(Clusters, KeepEveryStepStableAndNeighboursOneClusterApart) {
  for (const double ratio : {1.5, 4.0, 64.0, 1000.0}) {
    const auto stable = graded(1500, ratio);
    const auto graph = row_of(1500);
    expect_valid(find_clusters(stable, graph, {}), stable, graph);
  }
}

TEST(Clusters, AreOneWhereAllCellsAreAlike) {
  const std::vector<double> stable(500, 0.3);
  const Clusters clusters = find_clusters(stable, row_of(500), {});
  EXPECT_EQ(clusters.count(), 1);
  EXPECT_EQ(clusters.dt, 0.3);
  EXPECT_DOUBLE_EQ(clusters.gain, 1);
}

// Half of the cells have 7 times the step: 3 clusters at the factor 1, of which the last one would be 1.75 times too short.
TEST(Clusters, ShortenAllStepsWhereThatSavesWork) {
  std::vector<double> stable(4000, 7.9);
  for (int cell = 0; cell < 10; ++cell) stable[cell] = 1;
  const auto graph = row_of(4000);
  const Clusters clusters = find_clusters(stable, graph, {});
  expect_valid(clusters, stable, graph);
  EXPECT_EQ(clusters.count(), 4);
  EXPECT_NEAR(clusters.dt, 7.9 / 8, 0.02);
  const Clusters fixed = find_clusters(stable, graph, {.most = 8, .shorten = false, .interval = 0, .even = {}});
  EXPECT_EQ(fixed.dt, 1);
  EXPECT_EQ(fixed.count(), 3);
  EXPECT_GT(clusters.gain, 1.8 * fixed.gain);
}

TEST(Clusters, AreNoMoreThanAskedForAndNeverMoreWork) {
  std::vector<double> stable = graded(2000, 300);
  for (double& step : stable) step = std::max(step, 4.0);  // many large cells, few small ones
  for (int cell = 0; cell < 3; ++cell) stable[1000 + cell] = 1;
  const auto graph = row_of(2000);
  double gain = 1;
  for (int most = 1; most <= 8; ++most) {
    const Clusters clusters = find_clusters(stable, graph, {.most = most, .shorten = true, .interval = 0, .even = {}});
    expect_valid(clusters, stable, graph);
    EXPECT_LE(clusters.count(), most);
    EXPECT_GE(clusters.gain, gain * (1 - 1e-12));
    EXPECT_LE(clusters.gain, largest_gain(stable, most) * 1.01);
    gain = clusters.gain;
  }
  EXPECT_GT(gain, 3);
}

// Few cells are not worth launches of their own.
TEST(Clusters, LeaveAFewLargeCellsWithTheOthers) {
  std::vector<double> stable(1000, 1.0);
  for (int cell = 0; cell < 8; ++cell) stable[cell] = 2;
  EXPECT_EQ(find_clusters(stable, row_of(1000), {}).count(), 1);
}

// A step of the last cluster ends with each interval, so clusters that are longer gain nothing.
TEST(Clusters, AreNoLongerThanTheIntervalOfOutputs) {
  std::vector<double> stable(1000, 300.0);
  stable[500] = 1;
  for (const double interval : {2.0, 10.0, 100.0}) {
    const Clusters clusters = find_clusters(stable, row_of(1000), {.most = 12, .shorten = true, .interval = interval, .even = {}});
    EXPECT_LT(clusters.longest(), 2 * interval);
    EXPECT_GT(clusters.longest(), interval / 4);
  }
}

TEST(Clusters, KeepMarkedCellsInOneThatIsLowestThere) {
  const auto stable = graded(1500, 64);
  const auto graph = row_of(1500);
  std::vector<char> even(1500, 0);
  for (int cell = 300; cell < 330; ++cell) even[cell] = even[cell + 700] = 1;
  const Clusters clusters = find_clusters(stable, graph, {.most = 8, .shorten = true, .interval = 0, .even = even});
  expect_valid(clusters, stable, graph);
  const int own = clusters.of_cell[300];
  for (std::size_t cell = 0; cell < even.size(); ++cell) {
    if (!even[cell]) continue;
    EXPECT_EQ(clusters.of_cell[cell], own);
    for (auto k = graph.first[cell]; k < graph.first[cell + 1]; ++k) EXPECT_GE(clusters.of_cell[graph.neighbour[k]], own);
  }
}

TEST(Clusters, CountUpdates) {
  Clusters clusters;
  clusters.dt = 0.25;
  clusters.cells = {3, 5, 7};
  EXPECT_EQ(clusters.updates(), 3 * 4 + 5 * 2 + 7);
  EXPECT_EQ(clusters.steps(0), 4);
  EXPECT_EQ(clusters.longest(), 1.0);
}

}  // namespace
}  // namespace swell
