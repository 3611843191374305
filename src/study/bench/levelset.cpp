// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/timer.hpp"
#include "dg/levelset/levelset.hpp"
#include "mesh/sources.hpp"
#include "study/bench/modal.hpp"

namespace swell {

namespace {

constexpr double shortest_measurement = 0.3;  // seconds
constexpr int fewest_runs = 3;
constexpr double tiny_step = 1e-6;  // the speed does not depend on it

// Degree, 1/dx, then CPU and GPU seconds in 2D and in 3D: Jibben (2013), table 2.
constexpr double table[12][6] = {
    {1, 10, 6.37e-4, 2.12e-3, 2.25e-2, 6.96e-3}, {1, 20, 2.52e-3, 3.11e-3, 1.79e-1, 3.99e-2},
    {1, 40, 9.47e-3, 6.28e-3, 6.18e-1, 2.83e-1}, {2, 10, 2.45e-3, 2.45e-3, 3.24e-1, 2.56e-2},
    {2, 20, 9.63e-3, 4.57e-3, 1.18, 1.41e-1},    {2, 40, 3.85e-2, 1.15e-2, 8.82, 1.05},
    {3, 10, 8.81e-3, 2.87e-3, 1.08, 8.30e-2},    {3, 20, 3.38e-2, 6.52e-3, 8.34, 6.20e-1},
    {3, 40, 1.34e-1, 1.89e-2, 6.67e+1, 4.78},    {4, 10, 3.47e-2, 4.34e-3, 1.15e+1, 4.16e-1},
    {4, 20, 1.38e-1, 1.03e-2, 1.32e+2, 3.03},    {4, 40, 3.92e-1, 3.06e-2, 1.36e+3, 2.40e+1}};

// A velocity that needs every mode.
const char* const velocity[3] = {"1 + 0.3*sin(2*pi*x)*cos(2*pi*y)", "0.5 - 0.3*cos(2*pi*x)*sin(2*pi*y)",
                                 "0.25 + 0.2*sin(2*pi*z)*cos(2*pi*x)"};

template <class Run>
double best_of(Device& device, Run run) {
  double best = std::numeric_limits<double>::infinity();
  run();
  device.queue().finish();
  const Stopwatch all;
  for (int i = 0; i < fewest_runs || all.seconds() < shortest_measurement; ++i) {
    const Stopwatch clock;
    run();
    device.queue().finish();
    best = std::min(best, clock.seconds());
  }
  return best;
}

}  // namespace

std::vector<LevelSetBench> levelset_benches(const std::vector<int>& orders) {
  std::vector<LevelSetBench> all;
  for (const int dim : {2, 3})
    for (const auto& row : table)
      if (std::ranges::find(orders, static_cast<int>(row[0])) != orders.end()) {
        LevelSetBench bench;
        bench.dim = dim;
        bench.order = static_cast<int>(row[0]);
        bench.cells = static_cast<int>(row[1]);
        bench.jibben_cpu = row[dim == 2 ? 2 : 4];
        bench.jibben_gpu = row[dim == 2 ? 3 : 5];
        all.push_back(bench);
      }
  return all;
}

void run_levelset_bench(LevelSetBench& bench, Device& device, Precision precision) {
  BoxOptions box;
  box.low.assign(bench.dim, 0.0);
  box.high.assign(bench.dim, 1.0);
  box.cells.assign(bench.dim, bench.cells);
  box.periodic.assign(bench.dim, true);
  box.shape = bench.dim == 2 ? Shape::quadrilateral : Shape::hexahedron;
  const Mesh mesh = make_box(box);
  LevelSetProblem problem;
  problem.mesh = &mesh;
  problem.order = bench.order;
  problem.precision = precision;
  problem.thickness = 1.0 / bench.cells;
  problem.closed.assign(mesh.boundaries.size() + 1, 0);
  problem.velocity.resize(mesh.regions.size());
  for (auto& region : problem.velocity)
    for (int d = 0; d < bench.dim; ++d)
      region.push_back(Expression::parse(velocity[d], {"x", "y", "z", "t"}, "velocity"));
  LevelSet levelset(std::move(problem), device);
  const auto start = levelset.make_state("state"), one = levelset.make_state("stage"),
             other = levelset.make_state("stage");
  levelset.write_modes(*start, [&](std::int64_t cell, double* modes) {
    for (int m = 0; m < levelset.modes(); ++m) modes[m] = std::sin(1.0 + 3.0 * static_cast<double>(cell) + m) / (1 + m);
  });
  // Order k + 1 in k + 1 stages for what is linear: y_j = q + dt / (k + 2 - j) f(y_(j-1)), the Taylor series.
  const int stages = bench.order + 1;
  bench.dofs = levelset.dofs();
  bench.seconds = best_of(device, [&] {
    Buffer* from = start.get();
    for (int j = 1; j <= stages; ++j) {
      Buffer& to = j % 2 ? *one : *other;
      levelset.transport(0, *from, to, LevelSet::Update::recurrence(*start, 1, 0, tiny_step / (stages + 1 - j)));
      from = &to;
    }
  });
  const Work stage = levelset.transport_work();
  bench.work = {stage.bytes * stages, stage.flops * stages};
  levelset.take_normals(*start, LevelSet::Restore::both);
  bench.reinit_seconds = best_of(device, [&] { levelset.profile(*start, *one, {}); });
}

}  // namespace swell
