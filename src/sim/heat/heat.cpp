// SPDX-License-Identifier: Apache-2.0
#include "sim/heat/heat.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/exact_sum.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"
#include "comm/scatter.hpp"
#include "mesh/part_bytes.hpp"
#include "mesh/partition.hpp"
#include "sim/heat/loads.hpp"
#include "sim/heat/options.hpp"
#include "sim/rank_mesh.hpp"
#include "sim/whole_mesh.hpp"

namespace swell {

namespace {

// A step may be longer than asked by this part, so that rounding does not add one.
constexpr double step_tolerance = 1e-9;

// Ranks share a grid by slabs, so that a case which asks for other parts gets elements.
std::optional<std::string> obstacle_of_parts(const Case& c, int ranks) {
  if (ranks == 1 || c.partition == PartitionKind::automatic || c.partition == PartitionKind::slabs) return std::nullopt;
  return "ranks share a grid by slabs, and mesh.partition.method asks for other parts";
}

}  // namespace

bool on_fixed_grid(const Case& c, const HeatProblem& problem, int ranks) {
  const bool asked = c.solver.form == "grid", multigrid = c.solver.preconditioner == "multigrid";
  if (c.solver.form != "auto" && !asked) return false;
  auto obstacle = GridHeat::obstacle(problem, c.box, c.model == "poisson", ranks);
  if (!obstacle && multigrid) obstacle = "solver.preconditioner is \"multigrid\", which works on elements";
  if (!obstacle) obstacle = obstacle_of_parts(c, ranks);
  if (asked && obstacle) throw InputError("solver.form is \"grid\", but {}; take \"elements\".", *obstacle);
  return !obstacle;
}

HeatSimulation::HeatSimulation(Case c, Device& device, Ranks& ranks) : case_(std::move(c)), ranks_(ranks) {
  const Stopwatch clock;
  field_ = std::string(1, steady() ? 'u' : 'T');  // a literal makes g++ 12 warn of overlapping copies
  HeatProblem problem = set_up_problem();
  vectors_ = std::make_unique<Vectors>(device, case_.precision, ranks);
  if (case_.family == "discontinuous")
    set_up_discontinuous(std::move(problem));
  else
    set_up_continuous(std::move(problem));
  setup_seconds_ = clock.seconds();
}

// The case is checked against the whole mesh, of which several ranks keep their parts.
HeatProblem HeatSimulation::set_up_problem() {
  if (steady() && (case_.end || case_.steps || case_.dt || !case_.initial.empty()))
    log_warning("The model 'poisson' is steady: [time] and [initial] have no effect.");
  if (ranks_.alone()) {
    mesh_ = mesh_of_case(case_);
    elements_ = mesh_.cell_count();
    mesh_fingerprint_ = fingerprint(mesh_);
    return heat_of_case(case_, mesh_);
  }
  RankMesh shared = share_mesh(case_, ranks_, [&](const Mesh& whole) {
    const HeatProblem problem = heat_of_case(case_, whole);
    if (case_.family == "discontinuous" || !on_fixed_grid(case_, problem, ranks_.count())) return MeshLook();
    return MeshLook{{}, slab_owners(*case_.box, slab_layers(case_.box->cells[2], ranks_.count(), case_.fractions))};
  });
  mesh_ = std::move(shared.part);
  elements_ = shared.elements;
  mesh_fingerprint_ = shared.fingerprint;
  whole_ = std::move(shared.whole);
  owner_ = std::move(shared.owner);
  return heat_of_case(case_, mesh_, Extent::part);
}

void HeatSimulation::set_up_discontinuous(HeatProblem problem) {
  if (case_.solver.form == "grid")
    throw InputError("solver.form is \"grid\", but model.family is \"discontinuous\"; take \"elements\".");
  if (!multigrid()) whole_.reset();
  const auto shared = shared_mesh();
  dg_ = std::make_unique<DiscontinuousPoisson>(std::move(problem), *vectors_, options_of(case_), multigrid(), case_.box,
                                               shared ? &*shared : nullptr);
}

// With other ranks: this one's planes, and mesh_ without the cells of others.
std::optional<GridPart> HeatSimulation::share_grid() {
  if (ranks_.alone()) return std::nullopt;
  const BoxOptions& box = *case_.box;
  const auto layers = slab_layers(box.cells[2], ranks_.count(), case_.fractions);
  const auto surface_of = [&](int rank) { return bytes_of(slab_surface(*whole_, box, slab_of(box, layers, rank))); };
  GridPart part{slab_of(box, layers, ranks_.rank()), mesh_of_bytes(scatter(surface_of, ranks_))};
  mesh_ = without_halo(std::move(mesh_));
  whole_.reset();
  return part;
}

std::optional<SharedMesh> HeatSimulation::shared_mesh() const {
  if (ranks_.alone()) return std::nullopt;
  return SharedMesh{whole_.get(), &owner_};
}

void HeatSimulation::set_up_continuous(HeatProblem problem) {
  if (on_fixed_grid(case_, problem, ranks_.count())) {
    auto part = share_grid();
    cg_ = std::make_unique<GridHeat>(std::move(problem), *case_.box, *vectors_, steady(), std::move(part));
  } else if (ranks_.alone()) {
    cg_ = std::make_unique<ContinuousOperator>(std::move(problem), *vectors_, steady());
  } else {
    mesh_ = without_halo(std::move(mesh_));
    RankNodes nodes = rank_nodes(problem, *shared_mesh(), ranks_, space_filling_order(mesh_));
    if (!multigrid()) whole_.reset();
    cg_ = std::make_unique<ContinuousOperator>(std::move(problem), *vectors_, steady(), std::move(nodes));
  }
  if (steady())
    solver_ = std::make_unique<SteadySolver>(*cg_, options_of(case_));
  else
    stepper_ = std::make_unique<HeatStepper>(*cg_, scheme_of(case_), options_of(case_));
  make_levels();
  begin();
}

bool HeatSimulation::floating() const { return steady() && (dg_ ? dg_->of().floating() : solver_->floating()); }

void HeatSimulation::make_levels() {
  if (!multigrid()) return;
  const auto shared = shared_mesh();
  levels_ = std::make_unique<HeatLevels>(dynamic_cast<ContinuousOperator&>(*cg_), case_.box, steady(), shared ? &*shared : nullptr);
  if (solver_) solver_->precondition(*levels_);
  if (stepper_) stepper_->precondition(*levels_);
}

void HeatSimulation::begin() {
  time_ = origin_ = solve_seconds_ = 0;
  steps_ = origin_step_ = iterations_ = 0;
  predicted_ = 1;
  last_ = {};
  if (steady()) return;
  predicted_ = case_.steps ? *case_.steps
                           : static_cast<std::int64_t>(std::ceil(*case_.end / *case_.dt - step_tolerance));
  dt_ = case_.steps ? *case_.dt : *case_.end / static_cast<double>(predicted_);
  end_ = static_cast<double>(predicted_) * dt_;
  Expression initial;
  if (const auto given = case_.initial.find(field_); given != case_.initial.end())
    initial = Expression::parse(given->second.text, {"x", "y", "z"}, given->second.key);
  if (start_.empty() || started_ != initial.text())
    start_ = cg_->nodal_values([&](const double* x) {
      const double value = initial(x);
      if (!std::isfinite(value))
        throw InputError("initial.{} = {} is {} at ({}, {}, {}).", field_, initial.text(), value, x[0], x[1], x[2]);
      return value;
    });
  started_ = initial.text();
  stepper_->begin(start_);
}

Buffer& HeatSimulation::temperature() {
  return dg_ ? dg_->values() : steady() ? solver_->temperature() : stepper_->temperature();
}

std::int32_t HeatSimulation::unknown(std::int64_t cell, int node) const {
  const std::int64_t place = cell * element().node_count + node;
  return dg_ ? static_cast<std::int32_t>(place) : cg_->numbering().of_node[place];
}

void HeatSimulation::sample(const Buffer& unknown, const Buffer& weight, Buffer& out, std::int64_t count,
                            std::int64_t offset) {
  if (dg_)
    dg_->of().sample(temperature(), unknown, weight, out, count, offset);
  else
    cg_->sample(temperature(), unknown, weight, out, count, offset);
}

void HeatSimulation::step() {
  const Stopwatch clock;
  try {
    last_ = dg_ ? dg_->solve() : steady() ? solver_->solve() : stepper_->step(time_, dt_);
  } catch (const NotConverged& failure) {
    last_ = failure.report();
    iterations_ += last_.iterations;
    solve_seconds_ += clock.seconds();
    if (std::isfinite(last_.residual)) throw;
    const HeatProblem problem = heat_of_case(case_, mesh_, Extent::part);
    const std::string why = unfit_load(problem, field_, {time_, time_ + dt_}, ranks_);
    throw NotConverged(why.empty() ? failure.what() : why, last_);
  }
  if (floating()) {
    check_balance(last_, case_.precision);
    log_warning("No boundary gives a temperature or a heat transfer: {} is known up to a constant only, and comes with "
                "the mean 0.",
                field_);
    remove_mean();
  }
  iterations_ += last_.iterations;
  ++steps_;
  time_ = origin_ + static_cast<double>(steps_ - origin_step_) * dt_;
  solve_seconds_ += clock.seconds();
}

void HeatSimulation::finish() {
  while (!done()) step();
}

double HeatSimulation::stored_heat() { return steady() ? 0 : stepper_->stored_heat(); }

std::vector<double> HeatSimulation::of_cells(const Buffer& vector) {
  if (dg_) return vectors_->download(vector, dg_->of().size());
  const auto values = vectors_->download(vector, cg_->length());
  const auto& of_node = cg_->numbering().of_node;
  std::vector<double> all(of_node.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = values[of_node[i]];
  return all;
}

// The fixed grid keeps zeros around and between its unknowns. The first cell of a node decides.
std::vector<double> HeatSimulation::of_unknowns(const std::vector<double>& of_cells) const {
  const auto& of_node = cg_->numbering().of_node;
  std::vector<double> all(cg_->length(), 0.0);
  for (std::size_t i = of_node.size(); i-- > 0;) all[of_node[i]] = of_cells[i];
  return all;
}

std::vector<double> HeatSimulation::nodal_values() { return of_cells(temperature()); }

std::vector<std::vector<double>> HeatSimulation::earlier_values() {
  std::vector<std::vector<double>> all;
  for (const Buffer* before : stepper_->memory().before) all.push_back(of_cells(*before));
  return all;
}

HeatSimulation::Moment HeatSimulation::moment() const {
  const auto memory = stepper_->memory();
  return {steps_, origin_step_, iterations_, time_, dt_, origin_, memory.last_dt, memory.load_time};
}

void HeatSimulation::resume(const Moment& moment, const std::vector<double>& values,
                            const std::vector<std::vector<double>>& earlier) {
  std::vector<std::vector<double>> before;
  for (const auto& of_cells : earlier) before.push_back(of_unknowns(of_cells));
  stepper_->resume(of_unknowns(values), before, moment.last_dt, moment.load_time);
  steps_ = moment.steps;
  iterations_ = moment.iterations;
  time_ = moment.time;
  if (moment.dt == dt_) {
    origin_ = moment.origin;
    origin_step_ = moment.origin_step;
  } else {
    origin_ = moment.time;
    origin_step_ = moment.steps;
    const double left = end_ - time_;
    if (!case_.steps) {
      predicted_ = steps_ + std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(left / *case_.dt - step_tolerance)));
      if (predicted_ > steps_) dt_ = left / static_cast<double>(predicted_ - steps_);
    }
  }
  end_ = std::max(time_, origin_ + static_cast<double>(predicted_ - origin_step_) * dt_);
}

void HeatSimulation::set_values(const std::vector<double>& values) {
  if (steady()) throw InputError("The model '{}' is solved from nothing, so its field cannot be set.", case_.model);
  // What rounding may set apart of values that are meant to be one.
  constexpr double rounding = 1e-9;
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const std::vector<double> all = of_unknowns(values);
  const int nodes = element().node_count;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double there = all[cg_->numbering().of_node[i]];
    if (std::abs(there - values[i]) > rounding * largest)
      throw InputError("{} is continuous, but element {} gives {} where another one gives {} at the same node.", field_,
                       i / nodes, values[i], there);
  }
  stepper_->begin(all, time_);
}

ErrorNorms HeatSimulation::errors() {
  const auto all = nodal_values();
  const Formula& formula = case_.exact.at(field_);
  const std::vector<Expression> exact{Expression::parse(formula.text, heat_variables, formula.key)};
  const auto read = [&](const auto& visit) {
    for (std::int64_t cell = 0; cell < mesh_.own_count(); ++cell) visit(cell, all.data() + cell * element().node_count);
  };
  return measure_errors(mesh_, element(), read, exact, {1}, time_, ranks_);
}

void HeatSimulation::remove_mean() {
  const auto all = nodal_values();
  const double mean = mean_value(mesh_, element(), [&](std::int64_t cell) { return all.data() + cell * element().node_count; }, ranks_);
  if (dg_)
    dg_->add(-mean);
  else
    solver_->add(-mean);
}

Locator::Hit HeatSimulation::locate(const std::vector<double>& point, const std::string& place) {
  if (!locator_) locator_ = std::make_unique<Locator>(mesh_);
  return swell::locate(*locator_, mesh_, ranks_, point, place);
}

double HeatSimulation::value_at(const std::vector<double>& point) {
  const auto hit = locate(point, "A value");
  const auto values = nodal_values();
  ExactSum sum;  // of one term, on the rank that has it
  if (hit.cell >= 0) {
    Matrix at(1, mesh_.dim);
    for (int d = 0; d < mesh_.dim; ++d) at(0, d) = hit.reference[d];
    const Matrix weights = element().interpolation(at);
    double value = 0;
    for (int n = 0; n < element().node_count; ++n) value += weights(0, n) * values[hit.cell * element().node_count + n];
    sum.add(value);
  }
  ranks_.sum(sum.digits());
  return sum.value();
}

}  // namespace swell
