// SPDX-License-Identifier: Apache-2.0
#include "study/bench/families.hpp"

#include <cmath>
#include <limits>

#include "base/timer.hpp"
#include "dg/operator.hpp"
#include "sim/time_step.hpp"
#include "time/stability.hpp"

namespace swell {

namespace {

constexpr double shortest_measurement = 1.5;  // seconds, of all schemes together
constexpr int fewest_rounds = 5;
constexpr double shortest_round = 4e-3;  // of one scheme: launches and clocks do not count

struct Runner {
  std::unique_ptr<Operator> dg;
  std::unique_ptr<Integrator> integrator;
  FamilySpeed speed;
};

Problem problem_of(const BenchEntry& entry, const Mesh& mesh, const std::string& family) {
  Problem problem;
  problem.model = load_model(entry.model, mesh.dim);
  problem.mesh = &mesh;
  problem.order = entry.order;
  problem.precision = entry.precision;
  problem.family = family == "modal" ? Family::modal : Family::nodal;
  problem.material.resize(mesh.regions.size());
  for (auto& region : problem.material)
    for (const auto& p : problem.model.material) region.emplace_back(p.value);
  return problem;
}

void write_waves(Operator& dg, Buffer& state) {
  const Mesh& mesh = *dg.problem().mesh;
  const CellMap map(mesh, dg.element().nodes);
  dg.states().write_state(state, [&](std::int64_t cell, double* values) {
    std::vector<double> x(dg.element().node_count * mesh.dim);
    map.coordinates(cell, x.data());
    for (int n = 0; n < dg.element().node_count; ++n)
      for (int f = 0; f < dg.fields(); ++f)
        values[n * dg.fields() + f] = std::sin(6.0 * x[n * mesh.dim] + x[n * mesh.dim + 1] + 0.1 * f);
  });
}

FamilySpeed of(const char* family, const char* scheme, double cfl) {
  FamilySpeed speed;
  speed.family = family;
  speed.scheme = scheme;
  speed.cfl = cfl;
  return speed;
}

Runner runner(const BenchEntry& entry, const Mesh& mesh, Device& device, const Peaks& peaks, FamilySpeed speed) {
  Runner r;
  r.dg = make_operator(problem_of(entry, mesh, speed.family), device);
  r.integrator = make_integrator(speed.scheme, *r.dg);
  write_waves(*r.dg, r.integrator->state());
  Case c;
  c.order = entry.order;
  c.family = speed.family;
  c.scheme = speed.scheme;
  c.cfl = speed.cfl;
  speed.dt = time_step(c, r.dg->stiffness_of_shapes(0));
  speed.stages = r.integrator->stages();
  const Work stage = r.dg->stage_work();
  const auto advance = speed.scheme == "ader" ? r.dg->advance_work() : std::nullopt;
  speed.work = advance.value_or(Work{speed.stages * stage.bytes, speed.stages * stage.flops});
  speed.bound = bound_of(speed.work, peaks, entry.precision);
  speed.seconds = std::numeric_limits<double>::infinity();
  r.speed = speed;
  r.integrator->step(0, speed.dt);
  device.queue().finish();
  return r;
}

double step_seconds(Runner& r, Device& device, int steps) {
  const Stopwatch clock;
  for (int s = 0; s < steps; ++s) r.integrator->step(0, r.speed.dt);
  device.queue().finish();
  return clock.seconds() / steps;
}

}  // namespace

std::vector<BenchEntry> family_entries(const std::vector<int>& orders) {
  std::vector<BenchEntry> all;
  for (const char* model : {"advection", "acoustics", "elastic"})
    for (const Shape shape : {Shape::triangle, Shape::tetrahedron})
      for (const Precision precision : {Precision::double_, Precision::single_})
        for (const int order : orders) all.push_back({model, shape, order, precision});
  return all;
}

FamilyBench run_family_bench(const BenchEntry& entry, Device& device, const Peaks& peaks, double dofs) {
  const Mesh mesh = make_box(bench_box(entry, dofs));
  std::vector<Runner> runners;
  runners.push_back(runner(entry, mesh, device, peaks, of("nodal", "lsrk54", 1)));
  runners.push_back(runner(entry, mesh, device, peaks, of("nodal", "rkp1", 1)));
  runners.push_back(runner(entry, mesh, device, peaks, of("modal", "ader", 0.9)));
  std::vector<int> steps;
  for (Runner& r : runners)
    steps.push_back(static_cast<int>(std::ceil(shortest_round / std::max(1e-9, step_seconds(r, device, 1)))));
  const Stopwatch all;
  for (int round = 0; round < fewest_rounds || all.seconds() < shortest_measurement; ++round)
    for (std::size_t i = 0; i < runners.size(); ++i)
      runners[i].speed.seconds = std::min(runners[i].speed.seconds, step_seconds(runners[i], device, steps[i]));
  FamilyBench bench{entry, runners.front().dg->layout().elements, runners.front().dg->dofs(), {}};
  for (const Runner& r : runners) bench.speeds.push_back(r.speed);
  FamilySpeed longest = bench.speeds.back();  // the same kernels: only the step is longer
  longest.cfl = ader_largest_cfl(entry.shape, entry.order);
  longest.dt *= longest.cfl / bench.speeds.back().cfl;
  bench.speeds.push_back(longest);
  return bench;
}

}  // namespace swell
