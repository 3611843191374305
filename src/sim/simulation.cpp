// SPDX-License-Identifier: Apache-2.0
// long because one class sets a case in motion, steps it, watches it and remembers it, and all of that shares its state.
#include "sim/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "base/host_threads.hpp"
#include "base/set_up_phase.hpp"
#include "case/problem_of_case.hpp"
#include "device/compile_error.hpp"
#include "dg/halo.hpp"
#include "dg/measures.hpp"
#include "model/model_probe.hpp"
#include "sim/advice/boundaries.hpp"
#include "sim/advice/resolution.hpp"
#include "sim/cell_projection.hpp"
#include "sim/local/clusters_of_case.hpp"
#include "sim/rank_problem.hpp"
#include "sim/run_parts.hpp"
#include "sim/samples/flow_sampler.hpp"
#include "sim/time_step.hpp"
#include "sim/wave_probes.hpp"
#include "sim/whole_mesh.hpp"

namespace swell {

namespace {

// Steps between two looks at whether the state is finite: cheap, and soon enough.
constexpr std::int64_t watch_every = 10;
// The host waits for the device after about so long, that progress is true and a run that blew up or was interrupted ends
// soon; counted in steps, since the host is far ahead of the device. The count grows at most by this factor at once.
constexpr double seconds_between_checks = 0.2;
constexpr std::int64_t patience_growth = 4;
constexpr std::int64_t cells_of_piece = 256;  // whose initial state one thread finds

}  // namespace

Simulation::Simulation(Case c, Device& device, Ranks& ranks) : Evolution(std::move(c), ranks) {
  const Stopwatch clock;
  SetUpPhase phase("the mesh and its operator");
  set_up_problem(device);
  phase.next("the initial state");
  problem_ = &dg_->problem();
  reference_ = std::make_unique<Elements>(dg_->elements());
  to_nodes_ = dg_->states().evaluation(element().nodes);
  dofs_ = reference().whole_first_node(elements_) * dg_->fields();
  const std::string name = case_.file.empty() ? "the case" : case_.file.filename().string();
  if (!case_.exact.empty()) {
    auto [exact, in_variables] = state_expressions(case_.exact, problem().model, "exact", name);
    exact_ = std::move(exact);
    exact_in_variables_ = in_variables;
  }
  for (const auto& known : exact_names()) exact_known_.push_back(case_.exact.contains(known));
  set_outputs();
  integrator_ = make_integrator(case_.scheme, *dg_);
  set_initial();
  check_initial();
  limit_initial();
  set_steps();
  end_ = case_.end ? *case_.end : static_cast<double>(*case_.steps) * now_.dt;
  dg_->observer().monitor();
  quantities_ = make_quantities(*this);
  const auto extras = dg_->extras();
  if (extras.row) tables_.push_back({extras.file, extras.columns, [this, row = extras.row] { return row(state(), now_.time); }});
  if (extras.fields) extra_fields_ = [this, fields = extras.fields] { return fields(state()); };
  setup_seconds_ = clock.seconds();
}

// The case is checked against the whole mesh, of which several ranks keep their parts.
void Simulation::set_up_problem(Device& device) {
  Problem problem;
  if (ranks_.single()) {
    mesh_ = mesh_of_case(case_);
    elements_ = mesh_.cell_count();
    mesh_fingerprint_ = fingerprint(mesh_);
    problem = problem_of_case(case_, mesh_);
  } else {
    RankProblem mine = problem_of_rank(case_, device, ranks_);
    clusters_ = std::move(mine.clusters);
    mesh_ = std::move(mine.mesh);
    elements_ = mine.elements;
    mesh_fingerprint_ = mine.mesh_fingerprint;
    problem = std::move(mine.problem);
  }
  problem.mesh = &mesh_;
  problem.ranks = &ranks_;
  try {
    if (ranks_.single()) clusters_ = take_clusters(case_, problem, device);
    dg_ = make_operator(std::move(problem), device);
  } catch (const CompileError& refused) {
    if (case_.model_file.empty()) throw;
    throw InputError("The model file {} does not compile: {}.{}", case_.model_file.string(), refused.what(), refused.errors());
  }
}

std::int64_t Simulation::predicted_steps() const {
  if (case_.steps) return *case_.steps;
  return static_cast<std::int64_t>(std::ceil(end_ / now_.dt - step_tolerance));
}

// Linear problems have one stable step; where speeds depend on the state, the steps follow it.
void Simulation::set_steps() {
  Measures* measures = dg_->observer().measures();
  steady_length_ = case_.dt.has_value() || dg_->problem().model.linear || !measures;
  if (steady_length_) {
    std::vector<Stiffness> of_cells;
    now_.dt = clusters_ ? clusters_->longest()
                        : time_step(case_, case_.dt ? StiffnessOfShapes{} : dg_->stiffness_of_shapes(case_.end.value_or(0), &of_cells));
    if (!of_cells.empty()) hint_ = hint_in_words(case_, dg_->problem(), dg_->layout(), dg_->material(), dg_->device(), of_cells);
    control_ = std::make_unique<EqualSteps>(case_.steps.has_value());
    return;
  }
  auto control = std::make_unique<StableSteps>(*measures, nonlinear_fraction(case_, reference().first().shape));
  control->begin(state(), now_);
  check_stable_step(case_, dg_->problem().model, now_.dt);
  control_ = std::move(control);
}

void Simulation::set_initial() {
  const Model& model = dg_->problem().model;
  const auto [initial, in_variables] =
      state_expressions(case_.initial, model, "initial", case_.file.empty() ? "the case" : case_.file.filename().string());
  const auto& names = in_variables ? model.variables : model.fields;
  const int dim = mesh_.dim, fields = dg_->fields();
  // A jump that lies on faces is seen by each cell from its own side, as in the material.
  const CellProjection::Values evaluate = [&, &initial = initial](std::int64_t cell, const double* x, int points, double* values) {
    for (int n = 0; n < points; ++n) {
      double place[4] = {0, 0, 0, 0};
      dg_->material().inside(cell, x + n * dim, place);
      for (int f = 0; f < fields; ++f) {
        values[n * fields + f] = initial[f](place);
        if (!std::isfinite(values[n * fields + f]))
          throw InputError("initial.{} = {} is {} at ({}, {}, {}).", names[f], initial[f].text(), values[n * fields + f], place[0],
                           place[1], place[2]);
      }
    }
  };
  struct OfShape {
    std::optional<CellProjection> l2;
    std::optional<CellMap> map;  // of nodes, or of the points of the projection's rule
  };
  std::map<Shape, OfShape> shapes;
  const bool jumps = std::any_of(initial.begin(), initial.end(), may_jump);
  for (const auto& [shape, element] : reference().all()) {
    OfShape& of = shapes[shape];
    if (case_.projection == "l2") of.l2.emplace(mesh_, element, fields, jumps);
    of.map.emplace(mesh_, shape, of.l2 ? of.l2->rule().points : element.nodes);
  }
  const auto of_cell = [&](std::int64_t cell) -> const OfShape& { return shapes.at(mesh_.shape_of(cell)); };
  const auto coordinates = [&](std::int64_t cell) {
    const CellMap& map = *of_cell(cell).map;
    std::vector<double> x(static_cast<std::size_t>(map.point_count() * dim));
    map.coordinates(cell, x.data());
    return x;
  };
  if (!in_variables)
    return dg_->states().write_state(state(), [&](std::int64_t cell, double* values) {
      if (const auto& l2 = of_cell(cell).l2) {
        Eigen::Map<Matrix>(values, reference().node_count(cell), fields) = l2->solved(cell, l2->moments(cell, evaluate));
        return;
      }
      const std::vector<double> x = coordinates(cell);
      evaluate(cell, x.data(), static_cast<int>(std::ssize(x)) / dim, values);
    });
  std::vector<std::int64_t> first{0};  // [cell] row of its first point
  for (std::int64_t cell = 0; cell < mesh_.own_count(); ++cell) first.push_back(first.back() + of_cell(cell).map->point_count());
  Matrix given(first.back(), fields), material = Matrix::Zero(given.rows(), std::max(1, dg_->material().parameters()));
  for_pieces(mesh_.own_count(), cells_of_piece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t cell = begin; cell < end; ++cell) {
      const std::vector<double> x = coordinates(cell);
      const int points = static_cast<int>(std::ssize(x)) / dim;
      evaluate(cell, x.data(), points, given.row(first[cell]).data());
      for (int n = 0; n < points; ++n) dg_->material().sample(cell, x.data() + n * dim, 0, material.row(first[cell] + n).data());
    }
  });
  const Matrix states = ModelProbe(model, dg_->device()).fields_of(given, material);
  dg_->states().write_state(state(), [&](std::int64_t cell, double* values) {
    const Matrix here = states.middleRows(first[cell], first[cell + 1] - first[cell]);
    const auto& l2 = of_cell(cell).l2;
    Eigen::Map<Matrix>(values, reference().node_count(cell), fields) = l2 ? l2->solved(cell, l2->moments_of(cell, here)) : here;
  });
}

// Interpolated jumps may be inadmissible between nodes, where the first fluxes are taken.
void Simulation::limit_initial() {
  const Problem& problem = dg_->problem();
  if (!problem.positivity && problem.shocks != ShockDevice::filter) return;
  const auto before = dg_->make_state("initial state"), rate = dg_->make_state("initial rate");
  dg_->combine(*before, std::array{RightHandSide::Term{1, &state()}});
  dg_->rate(0, *before, *rate);  // for what it fills behind faces
  dg_->limit(0, *before, state());
}

bool Simulation::step(double until) {
  const Stopwatch clock;
  const double step = control_->next(now_, until);
  if (step == 0) return false;
  if (unchecked_ >= patience_) check();
  if (unchecked_ == 0) since_check_ = {};
  if (now_.done == 0) integrator_->restart();
  if ((now_.steps + 1) % watch_every == 0) dg_->observer().expect_watch();
  integrator_->step(now_.time, step);
  control_->stepped(now_, step);
  ++unchecked_;
  ++steps_here_;
  const bool last = case_.steps ? now_.steps == *case_.steps : now_.time == until && until >= end_;
  if (dg_->after_step(state(), now_.steps, last)) integrator_->restart();
  control_->look(state(), now_);
  if (now_.steps % watch_every == 0) watch();
  solve_seconds_ += clock.seconds();
  return true;
}

void Simulation::settle() {
  const Stopwatch clock;
  if (now_.steps % watch_every != 0) watch();
  check();
  solve_seconds_ += clock.seconds();
}

void Simulation::watch() {
  dg_->observer().watch(state(), now_.steps, now_.time);
  watched_.emplace_back(now_.steps, now_.time);
}

void Simulation::check() {
  const Finding finding = dg_->observer().finding();
  ++checks_;
  if (unchecked_ >= patience_) {
    const double seconds = ranks_.largest(since_check_.seconds());  // all ranks come back after the same steps
    const double wanted = static_cast<double>(unchecked_) * seconds_between_checks / std::max(1e-9, seconds);
    patience_ = std::clamp(static_cast<std::int64_t>(wanted), std::int64_t{1}, patience_growth * unchecked_);
  }
  unchecked_ = 0;
  since_check_ = {};
  blow_up(finding);
  watched_.clear();
  if (!boundaries_may_fail(problem())) return;
  const std::string fault = boundary_fault_in_words(problem(), reference(), std::span(&now_.time, 1));
  if (fault.empty()) return;
  failed_together_ = true;
  throw RunError("The run cannot go on: the boundary {}; correct it in [boundary].", fault);
}

// The first step that any rank saw a state which is no good, then the cell with the smallest number: on every rank the same
// sentence.
void Simulation::blow_up(const Finding& finding) {
  constexpr double never = std::numeric_limits<double>::infinity();
  double step = finding.good ? never : static_cast<double>(finding.step);
  ranks_.smallest(std::span(&step, 1));
  if (step == never) return;
  failed_together_ = true;
  const std::size_t conditions = dg_->problem().model.admissible.size();
  std::vector<double> seen(7 + conditions, never);  // cell, field, place, the element's name; of a bad mean its time and quantities
  double earliest = finding.mean.empty() ? never : finding.time;
  ranks_.smallest(std::span(&earliest, 1));
  const bool mine = earliest < never ? finding.time == earliest && !finding.mean.empty() : static_cast<double>(finding.step) == step;
  if (!finding.good && mine) {
    const auto [cell, node, field] = finding.place;
    const ReferenceElement& element = reference().of_cell(cell);
    std::vector<double> x(element.node_count * mesh_.dim);
    CellMap(mesh_, element.shape, element.nodes).coordinates(cell, x.data());
    const double* at = x.data() + node * mesh_.dim;
    const auto name = mesh_.tag_of(cell);
    std::ranges::copy(std::array<double, 6>{static_cast<double>(mesh_.number_of(cell)), static_cast<double>(field), 0, 0, 0, static_cast<double>(name)},
                      seen.begin());
    std::copy_n(at, mesh_.dim, seen.begin() + 2);
    if (!finding.mean.empty()) seen[6] = finding.time;
    for (std::size_t k = 0; k < finding.mean.size(); ++k) seen[7 + k] = std::isfinite(finding.mean[k]) ? finding.mean[k] : never_seen;
  }
  double first = seen[0];
  ranks_.smallest(std::span(&first, 1));
  if (seen[0] != first) std::ranges::fill(seen, never);
  ranks_.smallest(seen);
  now_.steps = static_cast<std::int64_t>(step);
  for (const auto& [at_step, time] : watched_)
    if (at_step == now_.steps) now_.time = time;
  watched_.clear();
  dg_->observer().forget();
  const Model& model = dg_->problem().model;
  const auto field = static_cast<std::size_t>(seen[1]), fields = model.fields.size();
  const double failed = seen[6] < never ? seen[6] : now_.time;
  if (const std::string fault = boundary_fault(failed); !fault.empty())
    throw RunError("The run failed at t = {:.6g} (noticed at step {}) in element {} at {}: the boundary {}; correct it in [boundary].", failed,
                   now_.steps, static_cast<std::int64_t>(seen[5]), place_text(mesh_.dim, &seen[2]), fault);
  if (seen[6] < never) throw bad_mean(seen);
  throw RunError(
      "The run blew up at t = {:.6g} (step {}): {} in element {} at {}; try {}, or look at the material and the "
      "boundaries there.",
      now_.time, now_.steps,
      field < fields ? fmt::format("field {} is not finite", model.fields[field])
                     : fmt::format("{} is not positive", model.admissible[field - fields]),
      static_cast<std::int64_t>(seen[5]), place_text(mesh_.dim, &seen[2]),
      case_.dt ? "a smaller time.dt" : "a smaller time.cfl");
}

std::vector<double> Simulation::coefficients_of(const Buffer& state) const {
  const std::int64_t fields = dg_->fields();
  std::vector<double> all(reference().first_node(mesh_.own_count()) * fields);
  dg_->states().read_numbers(state, [&](std::int64_t cell, const double* of_cell) {
    std::copy_n(of_cell, reference().node_count(cell) * fields, all.begin() + reference().first_node(cell) * fields);
  });
  return all;
}

void Simulation::put_coefficients(Buffer& state, const std::vector<double>& all) const {
  const std::int64_t fields = dg_->fields();
  dg_->states().write_numbers(state, [&](std::int64_t cell, double* of_cell) {
    std::copy_n(all.begin() + reference().first_node(cell) * fields, reference().node_count(cell) * fields, of_cell);
  });
}

void Simulation::write(int field, const std::vector<double>& values) {
  const std::int64_t fields = dg_->fields();
  const auto given = dg_->make_state("given field");
  dg_->states().write_state(*given, [&](std::int64_t cell, double* at) {
    for (std::int64_t n = 0; n < reference().node_count(cell); ++n) at[n * fields + field] = values[reference().first_node(cell) + n];
  });
  // Families keep other coefficients than values at nodes: these go over as they are, so that nothing else is rounded.
  const std::vector<double> written = coefficients_of(*given);
  std::vector<double> all = coefficients_of(state());
  for (std::int64_t i = field; i < static_cast<std::int64_t>(all.size()); i += fields) all[i] = written[i];
  put_coefficients(state(), all);
  now_.done = 0;
}

Memory Simulation::memory() {
  Memory memory;
  memory.now = now_;
  control_->save(memory.now);
  memory.states.push_back(coefficients_of(state()));
  for (const Buffer* remembered : integrator_->memory()) memory.states.push_back(coefficients_of(*remembered));
  for (const auto& [name, counter] : dg_->extras().counters) memory.numbers[name] = static_cast<double>(*counter);
  return memory;
}

void Simulation::resume(const Memory& memory) {
  put_coefficients(state(), memory.states.front());
  // In another basis it would be something else: a scheme that remembers then begins anew.
  const bool remembers = memory.same_basis && memory.same_scheme;
  const auto remembered = integrator_->resume(remembers ? static_cast<int>(memory.states.size()) - 1 : 0);
  for (std::size_t i = 0; i < remembered.size(); ++i) put_coefficients(*remembered[i], memory.states[i + 1]);
  for (const auto& [name, counter] : dg_->extras().counters) *counter = static_cast<std::int64_t>(memory.numbers.at(name));
  const double dt = now_.dt;
  now_ = memory.now;
  control_->resume(now_);
  if (now_.dt == dt || !steady_length_) return;
  now_.dt = dt;
  now_.origin = now_.time;
  now_.origin_step = now_.steps;
  now_.done = 0;
  if (case_.steps) end_ = now_.time + static_cast<double>(*case_.steps - now_.steps) * dt;
}

Matrix Simulation::conversion(int order, const Matrix& to_nodes) const {
  const ReferenceElement& here = element();
  const Cubature rule = cubature(here.shape, here.order + std::max(order, here.order));
  const Matrix to = dg_->states().evaluation(rule.points), from = ReferenceElement(here.shape, order).interpolation(rule.points) * to_nodes;
  const Matrix weighted = rule.weights.asDiagonal() * to;
  return (weighted.transpose() * to).ldlt().solve(weighted.transpose() * from);
}

std::unique_ptr<PointSampler> Simulation::sampler(const std::vector<Locator::Hit>& points, std::int64_t rows) {
  return make_sampler(*this, points, rows);
}

std::unique_ptr<PointSpectrum> Simulation::spectrum(const std::vector<Locator::Hit>& points, const std::vector<double>& frequencies) {
  return make_spectrum(*this, points, frequencies);
}

std::unique_ptr<FlowSampler> Simulation::flows(const std::vector<std::int32_t>& boundaries) {
  return make_flow_sampler(*this, boundaries);
}

Introduction Simulation::introduction() {
  Introduction of;
  of.lines.push_back(fmt::format("{} on {} {} elements of order {}: {} unknowns", model(), elements_,
                                 mesh_.shapes_in_words(), reference().order(), dofs_));
  for (const auto& kernel : dg_->kernels_in_words()) of.lines.push_back("kernel " + kernel);
  of.lines.push_back(fmt::format("dt = {:.6g}, {} steps to t = {:.6g}; set up in {:.2f} s ({:.2f} s compiling)", now_.dt,
                                 predicted_steps(), end_, setup_seconds_, dg_->compile_seconds()));
  if (case_.dt && problem().model.linear)
    of.warnings.push_back(long_step_in_words(case_, dg_->stiffness_of_shapes(case_.end.value_or(0))));
  if (clusters_) of.lines.push_back("clusters of local time stepping: " + clusters_in_words(*clusters_));
  if (!hint_.empty()) of.lines.push_back(hint_);
  of.warnings.push_back(growth_in_words(case_, element().shape, predicted_steps() * (clusters_ ? clusters_->steps(0) : 1)));
  const MaterialField& material = dg_->material();
  for (const auto& sentence : resolution_in_words(wave_resolution(problem(), reference(), material, dg_->device(), end_),
                                                  cells_with_jumps(problem(), reference(), material)))
    of.warnings.push_back(sentence);
  if (now_.steps == 0)
    of.warnings.push_back(initial_in_words(problem(), reference(), [this](const auto& visit) { read(visit); }));
  if (page_)
    for (const auto& sentence : boundary_warnings(problem(), reference(), material, *page_, now_.time, [this](const auto& visit) { read(visit); }))
      of.warnings.push_back(sentence);
  std::erase(of.warnings, std::string());
  return of;
}

void Simulation::describe(Summary& s) {
  s.seconds_compile = dg_->compile_seconds();
  const double updates = clusters_ ? static_cast<double>(clusters_->updates()) / static_cast<double>(elements_) : stages();
  s.dof_per_second = static_cast<double>(dofs_) * static_cast<double>(steps_here_) * updates / solve_seconds_;
  if (clusters_) s.clusters = cluster_summary(*clusters_);
  if (const HaloExchange* halo = dg_->halo()) s.exchange = exchange_summary(*halo, ranks_);
}

}  // namespace swell
