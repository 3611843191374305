// SPDX-License-Identifier: Apache-2.0
#include "study/plan.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/timer.hpp"
#include "case/problem_of_case.hpp"
#include "device/peaks.hpp"
#include "dg/near_points.hpp"
#include "dg/levelset/operator.hpp"
#include "dg/memory.hpp"
#include "dg/modal/operator.hpp"
#include "dg/stiffness.hpp"
#include "model/upwind_text.hpp"
#include "sim/local/clusters_of_case.hpp"
#include "sim/simulation.hpp"
#include "sim/time_step.hpp"
#include "study/plan_parts.hpp"
#include "time/integrator.hpp"

namespace swell {

namespace {

// The two ways to estimate a cost: from the sizes of an explicit scheme, or from the first iterations of a solver.
struct Planner {
  Plan (*whole)(const Case& c, Device& device);
  std::vector<PartsPlan> (*parts)(const Case& c, const std::vector<int>& ranks, Device& device);
};

// The part of the roofline that a stage reaches: between what was measured at low and at high order (bench/results).
constexpr double usual_fraction = 0.4;
// Program, kernels, threads and the rounding of buffers to large pages, measured.
constexpr std::int64_t process_overhead = 15'000'000;

std::string bytes_in_words(std::int64_t bytes) {
  const auto size = static_cast<double>(bytes);
  return size < 1e9 ? fmt::format("{:.1f} MB", size / 1e6) : fmt::format("{:.1f} GB", size / 1e9);
}

constexpr int tried_steps = 4;

bool can_be_tried(const Plan& plan, Device& device) {
  return plan.device_bytes <= device.info().memory / 2 && plan.process_bytes <= total_memory() / 2;
}

// The steps of nonlinear models follow the state, and limiters do more where it is rough: the first steps of the run are taken.
void try_steps(const Case& c, Device& device, Plan& plan) {
  if (!can_be_tried(plan, device))
    throw InputError("The steps of the model '{}' follow its state, which needs {} here, too much to try the first ones; give time.dt to "
                     "plan the run.",
                     plan.model, bytes_in_words(plan.process_bytes));
  const std::int64_t before_run = device.counters().bytes;
  Simulation run(c, device);
  plan.follows_state = !c.dt;
  plan.dt = run.dt();
  plan.end = run.end();
  plan.steps = run.predicted_steps();
  run.step(run.end());
  run.settle();
  // Limiters and viscous terms have memory of their own; the process holds it too where the device is the CPU.
  const std::int64_t taken_bytes = device.counters().bytes - before_run;
  if (!device.info().simt) plan.process_bytes += std::max<std::int64_t>(0, taken_bytes - plan.device_bytes);
  plan.device_bytes = taken_bytes;
  const Stopwatch timer;
  const auto before = run.steps();
  for (int i = 0; i < tried_steps && !run.finished(); ++i) run.step(run.end());
  run.settle();
  const auto taken = run.steps() - before;
  if (taken > 0) plan.seconds = timer.seconds() / static_cast<double>(taken) * static_cast<double>(plan.steps);
}

Plan plan_waves(const Case& c, Device& device) {
  const Mesh mesh = mesh_of_case(c);
  Problem problem = problem_of_case(c, mesh);
  if (problem.family == Family::modal && problem.model.kind() != PageKind::interface) ModalOperator::check(problem);
  const std::optional<Clusters> clusters = take_clusters(c, problem, device);
  complete_model(problem, device);
  const Elements elements(mesh, problem.order);
  const MaterialField material(problem, elements.nodes());
  const Layout layout(problem, elements, material, device);
  const double fields = static_cast<double>(problem.model.fields.size());
  Plan plan;
  plan.model = problem.model.name;
  plan.element = mesh.shapes_in_words();
  plan.order = problem.order;
  plan.elements = mesh.cell_count();
  const std::int64_t nodes = elements.first_node(plan.elements);
  plan.dofs = nodes * static_cast<std::int64_t>(fields);
  for (const auto& g : layout.groups) {
    if (g.curved) plan.curved += g.count;
    if (g.varying) plan.varying += g.count;
  }
  const bool autonomous = is_autonomous(problem, layout, material, device);
  const int states = states_kept(problem, layout, material, device);
  // A level set is small beside its states, and tells its step and its memory itself.
  const auto levelset =
      problem.model.kind() == PageKind::interface ? std::make_unique<LevelSetOperator>(problem, device) : nullptr;
  const MemoryNeed need = levelset ? levelset->memory_need(states)
                          : problem.family == Family::modal
                              ? modal_memory_need(problem, layout, material, device, states)
                              : memory_need(problem, elements, layout, material.in_time(), device, states);
  plan.device_bytes = need.device;
  // A picture or a file of fields holds the state and its points on the host once more.
  const bool writes = c.fields_every || c.picture;
  const auto output =
      writes ? static_cast<std::int64_t>(8 * static_cast<double>(nodes) * (2 * fields + 3)) : 0;
  plan.process_bytes =
      resident_memory() + process_overhead + std::max(need.setup + need.transient, need.device + output);
  plan.stages = stages_of(c.scheme, c.order, autonomous);
  const bool nonlinear = !problem.model.linear && !levelset;
  if (nonlinear && (!c.dt || can_be_tried(plan, device))) {
    try_steps(c, device, plan);
    plan.cells_with_jumps = cells_with_jumps(problem, elements, material);
    return plan;
  }
  StiffnessOfShapes stiffness;
  std::vector<Stiffness> of_cells;
  if (levelset) {
    stiffness = levelset->stiffness_of_shapes(c.end.value_or(0));
  } else if (!nonlinear) {
    const auto program = device.compile(pointwise_text(problem, elements.first(), layout));
    for (const auto& [shape, element] : elements.all())
      stiffness[shape] = measure_stiffness(problem, element, material, device, *program, c.end.value_or(0), &of_cells);
    if (!c.dt) plan.hint = hint_in_words(c, problem, layout, material, device, of_cells);
  }
  plan.dt = clusters ? clusters->longest() : time_step(c, stiffness);
  plan.end = c.end ? *c.end : static_cast<double>(*c.steps) * plan.dt;
  plan.steps = c.steps ? *c.steps : static_cast<std::int64_t>(std::ceil(plan.end / plan.dt - 1e-9));
  plan.growth = long_step_in_words(c, stiffness);
  if (plan.growth.empty()) plan.growth = growth_in_words(c, mesh.shape(), plan.steps * (clusters ? clusters->steps(0) : 1));
  const Peaks peaks = measure_peaks(device);
  const double fma = problem.precision == Precision::double_ ? peaks.fma_double : peaks.fma_single;
  // For an unknown, the mean over all cells.
  double flops = 0;
  for (std::int64_t cell = 0; cell < plan.elements; ++cell) {
    const ReferenceElement& element = elements.of_cell(cell);
    flops += element.node_count *
             (is_tensor(element.shape) ? 2.0 * element.dim * (element.order + 1)
                                       : 2.0 * (element.dim * element.node_count + element.face_count * element.face_node_count)) /
             static_cast<double>(nodes);
  }
  const double bytes = 4.0 * static_cast<double>(bytes_of(problem.precision));
  const double each = std::max(bytes / peaks.bandwidth, flops / fma) / usual_fraction;
  const Work work = levelset ? levelset->stage_work() : Work{};
  const double stage = levelset ? std::max(work.bytes / peaks.bandwidth, work.flops / fma) / usual_fraction
                                : each * static_cast<double>(plan.dofs);
  const double stages = clusters ? static_cast<double>(clusters->updates()) / static_cast<double>(plan.elements) : plan.stages;
  plan.seconds = stage * static_cast<double>(plan.steps) * stages;
  plan.clusters = clusters;
  plan.waves = wave_resolution(problem, elements, material, device, plan.end);
  plan.cells_with_jumps = cells_with_jumps(problem, elements, material);
  if (levelset && plan.device_bytes < device.info().memory / 2) {
    plan.reinitialisation_seconds = levelset->reinitialisation_seconds(plan.steps);
    plan.seconds += plan.reinitialisation_seconds;
  }
  return plan;
}

Planner planner_of(const Case& c) {
  if (is_diffusion(c)) return {[](const Case& heat, Device& device) { return plan_heat(heat, device); }, plan_heat_parts};
  return {plan_waves, plan_wave_parts};
}

std::string seconds_in_words(double seconds) {
  constexpr double hour = 3600, day = 24 * hour;
  if (seconds < hour) return fmt::format("{:.3g} s", seconds);
  return seconds < 2 * day ? fmt::format("{:.3g} hours", seconds / hour) : fmt::format("{:.3g} days", seconds / day);
}

std::string describe_solver(const Plan& p) {
  const SolverPlan& solver = *p.solver;
  const bool steady = p.dt == 0;
  std::string text = fmt::format("solver     {} with {}, {:.3g} ms an iteration\n", solver.form, solver.preconditioner,
                                 1e3 * solver.iteration_seconds);
  if (!steady) text += fmt::format("time step  {:.6g}\nsteps      {} to t = {:.6g}\n", p.dt, p.steps, p.end);
  if (solver.converged)
    return text + fmt::format("iterations {}{}\ntime       about {}{}\n", solver.iterations,
                              steady ? "" : " in the first step", seconds_in_words(p.seconds),
                              steady ? "" : "; less where later steps begin from better guesses");
  return text + fmt::format("iterations more than {}{}; how many is known only when the solver has converged\n"
                            "time       about {:.3g} s for every 100 iterations{}\n",
                            solver.iterations, steady ? "" : " in the first step", 100 * solver.iteration_seconds,
                            steady ? "" : " of a step");
}

}  // namespace

Plan plan_case(const Case& c, Device& device) {
  Plan plan = planner_of(c).whole(c, device);
  plan.device_memory = device.info().memory;
  plan.host_memory = total_memory();
  return plan;
}

std::string Plan::excess() const {
  std::string text;
  if (host_memory > 0 && process_bytes > host_memory)
    text = fmt::format("{} of the {} that this machine has", bytes_in_words(process_bytes), bytes_in_words(host_memory));
  else if (device_memory > 0 && device_bytes > device_memory)
    text = fmt::format("{} of the {} that the device has", bytes_in_words(device_bytes), bytes_in_words(device_memory));
  if (text.empty()) return text;
  return "It does not fit: it needs " + text + "; fewer elements, a lower model.order, --precision single or more ranks help.";
}

std::vector<PartsPlan> plan_parts(const Case& c, const std::vector<int>& ranks, Device& device) {
  return ranks.empty() ? std::vector<PartsPlan>() : planner_of(c).parts(c, ranks, device);
}

std::string describe(const Plan& p) {
  std::string text = fmt::format("model      {}, order {}\nelements   {} {}", p.model, p.order, p.elements, p.element);
  if (p.curved > 0) text += fmt::format(", {} curved", p.curved);
  if (p.varying > 0) text += fmt::format(", {} with material that varies inside them", p.varying);
  text += fmt::format("\nunknowns   {}", p.dofs);
  if (p.solver) text += fmt::format(", {} of them given", p.solver->given);
  text += fmt::format("\nmemory     {} on the device, {} in all\n", bytes_in_words(p.device_bytes), bytes_in_words(p.process_bytes));
  if (const std::string excess = p.excess(); !excess.empty()) text += excess + "\n";
  if (p.solver) return text + describe_solver(p);
  if (p.clusters)
    text += fmt::format("time step  {:.6g} of the last cluster\nsteps      {} of it to t = {:.6g}\n", p.dt, p.steps, p.end);
  else
    text += fmt::format("time step  {:.6g}{}\nsteps      {} to t = {:.6g}, {} right-hand sides each\n", p.dt,
                        p.follows_state ? " at the beginning; later ones follow the state" : "", p.steps, p.end, p.stages);
  if (p.clusters) text += "clusters   " + clusters_in_words(*p.clusters) + '\n';
  text += fmt::format("time       about {}", seconds_in_words(p.seconds));
  if (p.reinitialisation_seconds > 0)
    text += fmt::format(", at most {} of it to restore the profile", seconds_in_words(p.reinitialisation_seconds));
  text += '\n';
  if (p.waves)
    text += fmt::format("waves      {:.3g} points a wavelength at {:.3g}, the highest frequency of {}\n", p.waves->points, p.waves->frequency, p.waves->key);
  for (const auto& sentence : resolution_in_words(p.waves, p.cells_with_jumps)) text += sentence + "\n";
  if (!p.hint.empty()) text += p.hint + "\n";
  return p.growth.empty() ? text : text + p.growth + "\n";
}

}  // namespace swell
