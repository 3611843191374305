// SPDX-License-Identifier: Apache-2.0
#include "sim/heat/heat.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/set_up_phase.hpp"
#include "base/timer.hpp"
#include "comm/scatter.hpp"
#include "mesh/part_bytes.hpp"
#include "mesh/partition.hpp"
#include "sim/cell_projection.hpp"
#include "sim/heat/loads.hpp"
#include "sim/heat/options.hpp"
#include "sim/heat/probes.hpp"
#include "sim/rank_mesh.hpp"
#include "sim/run_parts.hpp"
#include "sim/whole_mesh.hpp"

namespace swell {

namespace {

// Ranks share a grid by slabs, so that a case which asks for other parts gets elements.
std::optional<std::string> obstacle_of_parts(const Case& c, int ranks) {
  if (ranks == 1 || c.partition == PartitionKind::automatic || c.partition == PartitionKind::slabs) return std::nullopt;
  return "ranks share a grid by slabs, and mesh.partition.method asks for other parts";
}

}  // namespace

bool on_fixed_grid(const Case& c, const DiffusionProblem& problem, bool steady, int ranks) {
  const bool asked = c.solver.form == "grid", multigrid = c.solver.preconditioner == "multigrid";
  if (c.solver.form != "auto" && !asked) return false;
  auto obstacle = GridHeat::obstacle(problem, c.box, steady, ranks);
  if (!obstacle && multigrid) obstacle = "solver.preconditioner is \"multigrid\", which works on elements";
  if (!obstacle && c.projection == "l2" && !steady) obstacle = "initial.projection is \"l2\", which works on elements";
  if (!obstacle) obstacle = obstacle_of_parts(c, ranks);
  if (asked && obstacle) throw InputError("solver.form is \"grid\", but {}; take \"elements\".", *obstacle);
  return !obstacle;
}

HeatSimulation::HeatSimulation(Case c, Device& device, Ranks& ranks) : Evolution(std::move(c), ranks) {
  const Stopwatch clock;
  const SetUpPhase phase("the mesh and its operator");
  vectors_ = std::make_unique<Vectors>(device, case_.precision, ranks);
  DiffusionProblem problem = set_up_problem();
  problem_ = &page_;
  exact_known_.assign(1, has_exact());
  if (steady_ && (case_.end || case_.steps || case_.dt || !case_.initial.empty()))
    log_warning("The model '{}' is steady: [time] and [initial] have no effect.", model());
  if (case_.family == "discontinuous")
    set_up_discontinuous(std::move(problem));
  else
    set_up_continuous(std::move(problem));
  begin();
  if (!steady_) quantities_.push_back(make_stored_heat(*this));
  setup_seconds_ = clock.seconds();
}

// The page is read where the mesh tells its dimension, and then kept: other cases on the mesh have the same one.
DiffusionProblem HeatSimulation::problem_on(const Case& c, const Mesh& mesh, Extent extent) {
  if (page_.model.name.empty()) {
    page_.model = model_of_case(c, mesh.dim);
    form_ = read_diffusion_page(page_.model, vectors_->device());
    steady_ = form_.capacity < 0;
  }
  page_ = problem_of_case(c, mesh, std::move(page_.model), extent);
  read_formulas(c);
  return diffusion_problem(page_, form_);
}

void HeatSimulation::read_formulas(const Case& c) {
  const std::string name = c.file.empty() ? "the case" : c.file.filename().string();
  for (const auto& [section, formulas] : {std::pair{"initial", &c.initial}, {"exact", &c.exact}, {"source", &c.source}})
    for (const auto& [field, formula] : *formulas)
      if (page_.model.field_index(field) < 0)
        throw InputError("{} in [{}]: the model '{}' has the field {} only.", formula.key, section, page_.model.name, page_.model.fields.front());
  exact_.clear();
  if (!c.exact.empty()) exact_ = field_expressions(c.exact, page_.model, "exact", name);
  if (!c.initial.empty()) field_expressions(c.initial, page_.model, "initial", name);
}

// The case is checked against the whole mesh, of which several ranks keep their parts.
DiffusionProblem HeatSimulation::set_up_problem() {
  if (ranks_.single()) {
    mesh_ = mesh_of_case(case_);
    elements_ = mesh_.cell_count();
    mesh_fingerprint_ = fingerprint(mesh_);
    return problem_on(case_, mesh_, Extent::whole);
  }
  RankMesh shared = share_mesh(case_, ranks_, [&](const Mesh& whole) {
    const DiffusionProblem problem = problem_on(case_, whole, Extent::whole);
    if (case_.family == "discontinuous" || !on_fixed_grid(case_, problem, steady_, ranks_.count())) return MeshLook();
    return MeshLook{{}, slab_owners(*case_.box, slab_layers(case_.box->cells[2], ranks_.count(), case_.fractions))};
  });
  mesh_ = std::move(shared.part);
  elements_ = shared.elements;
  mesh_fingerprint_ = shared.fingerprint;
  whole_ = std::move(shared.whole);
  owner_ = std::move(shared.owner);
  DiffusionProblem problem = problem_on(case_, mesh_, Extent::part);
  place_points(problem, case_);
  return problem;
}

// In a part of a mesh the rank that has a point's cell finds it there. (Our own locator comes later, for the mesh as it then is.)
void HeatSimulation::place_points(DiffusionProblem& problem, const Case& c) {
  if (ranks_.single() || problem.points.empty()) return;
  const Locator locator(mesh_);
  for (std::size_t i = 0; i < problem.points.size(); ++i) {
    PointSourceSpec& point = problem.points[i];
    const auto hit = swell::locate(locator, mesh_, ranks_, {point.position.begin(), point.position.begin() + mesh_.dim},
                                   place_of(c.points[i].key, "at"));
    point.cell = hit.cell;
    point.reference = hit.reference;
  }
}

void HeatSimulation::set_up_discontinuous(DiffusionProblem problem) {
  if (case_.solver.form == "grid")
    throw InputError("solver.form is \"grid\", but model.family is \"discontinuous\"; take \"elements\".");
  if (!multigrid()) whole_.reset();
  const auto shared = shared_mesh();
  interior_penalty_ = std::make_unique<DiscontinuousPoisson>(std::move(problem), *vectors_, options_of(case_), multigrid(), case_.box,
                                               shared ? &*shared : nullptr);
  reference_ = std::make_unique<Elements>(mesh_, interior_penalty_->of().element().order);
  dofs_ = elements_ * element().node_count;
}

// With other ranks: this one's planes, and mesh_ without the cells of others.
std::optional<GridPart> HeatSimulation::share_grid() {
  if (ranks_.single()) return std::nullopt;
  const BoxOptions& box = *case_.box;
  const auto layers = slab_layers(box.cells[2], ranks_.count(), case_.fractions);
  const auto surface_of = [&](int rank) { return bytes_of(slab_surface(*whole_, box, slab_of(box, layers, rank))); };
  GridPart part{slab_of(box, layers, ranks_.rank()), mesh_of_bytes(scatter(surface_of, ranks_))};
  mesh_ = without_halo(std::move(mesh_));
  whole_.reset();
  return part;
}

std::optional<SharedMesh> HeatSimulation::shared_mesh() const {
  if (ranks_.single()) return std::nullopt;
  return SharedMesh{whole_.get(), &owner_};
}

void HeatSimulation::set_up_continuous(DiffusionProblem problem) {
  if (on_fixed_grid(case_, problem, steady_, ranks_.count())) {
    auto part = share_grid();
    continuous_ = std::make_unique<GridHeat>(std::move(problem), *case_.box, *vectors_, steady_, std::move(part));
  } else if (ranks_.single()) {
    set_elements(std::make_unique<ContinuousOperator>(std::move(problem), *vectors_, steady_));
  } else {
    mesh_ = without_halo(std::move(mesh_));
    RankNodes nodes = rank_nodes(problem, *shared_mesh(), ranks_, space_filling_order(mesh_));
    if (!multigrid()) whole_.reset();
    set_elements(std::make_unique<ContinuousOperator>(std::move(problem), *vectors_, steady_, std::move(nodes)));
  }
  reference_ = std::make_unique<Elements>(mesh_, continuous_->elements().order());
  dofs_ = continuous_->all_nodes();
  if (steady_)
    solver_ = std::make_unique<SteadySolver>(*continuous_, options_of(case_));
  else
    stepper_ = std::make_unique<HeatStepper>(*continuous_, scheme_of(case_), options_of(case_));
  make_levels();
}

void HeatSimulation::set_elements(std::unique_ptr<ContinuousOperator> elements) {
  elements_form_ = elements.get();
  continuous_ = std::move(elements);
}

bool HeatSimulation::floating() const { return steady_ && (interior_penalty_ ? interior_penalty_->of().floating() : solver_->floating()); }

void HeatSimulation::make_levels() {
  if (!multigrid()) return;
  const auto shared = shared_mesh();
  levels_ = std::make_unique<HeatLevels>(*elements_form_, case_.box, steady_, shared ? &*shared : nullptr);
  if (solver_) solver_->precondition(*levels_);
  if (stepper_) stepper_->precondition(*levels_);
}

void HeatSimulation::begin() {
  now_.time = now_.origin = solve_seconds_ = 0;
  now_.steps = now_.origin_step = iterations_ = 0;
  first_iteration_ = 0;
  predicted_ = 1;
  last_ = {};
  if (const HaloExchange* halo = exchange()) exchanged_before_ = halo->times();
  if (steady_) return;
  predicted_ = case_.steps ? *case_.steps
                           : static_cast<std::int64_t>(std::ceil(*case_.end / *case_.dt - step_tolerance));
  now_.dt = case_.steps ? *case_.dt : *case_.end / static_cast<double>(predicted_);
  end_ = static_cast<double>(predicted_) * now_.dt;
  Expression initial;
  if (const auto given = case_.initial.find(field()); given != case_.initial.end())
    initial = Expression::parse(given->second.text, {"x", "y", "z"}, given->second.key);
  std::string wanted = initial.text();
  const bool project = case_.projection == "l2" && !initial.is_constant();
  if (project)
    for (const DiffusionMaterial& material : continuous_->problem().material) wanted += "; " + material.capacity.text();
  if (start_.empty() || started_ != wanted) start_ = project ? projected(initial) : interpolated(initial);
  started_ = wanted;
  stepper_->begin(start_);
}

double HeatSimulation::initial_value(const Expression& initial, const double* x) const {
  const double value = initial(x);
  if (!std::isfinite(value)) throw InputError("initial.{} = {} is {} at ({}, {}, {}).", field(), initial.text(), value, x[0], x[1], x[2]);
  return value;
}

std::vector<double> HeatSimulation::interpolated(const Expression& initial) const {
  return continuous_->nodal_values([&](const double* x) { return initial_value(initial, x); });
}

// The continuous function with the heat of the initial one against each test function, (rhoC T, v) = (rhoC T_0, v); boundaries that
// give a temperature keep it.
std::vector<double> HeatSimulation::projected(const Expression& initial) {
  const auto& material = continuous_->problem().material;
  const auto jumps = [](const DiffusionMaterial& m) { return may_jump(m.capacity); };
  const bool halved = may_jump(initial) || std::any_of(material.begin(), material.end(), jumps);
  std::map<Shape, CellProjection> cells;
  for (const auto& [shape, element] : reference_->all()) cells.emplace(std::piecewise_construct, std::tuple(shape), std::tuple(std::cref(mesh_), std::cref(element), 1, halved));
  std::vector<double> right(static_cast<std::size_t>(continuous_->length()), 0.0);
  for (std::int64_t cell = 0; cell < mesh_.own_count(); ++cell) {
    const Expression& capacity = material[mesh_.region_of(cell)].capacity;
    const Matrix moments = cells.at(mesh_.shape_of(cell)).moments(cell, [&](std::int64_t, const double* x, int points, double* values) {
      for (int p = 0; p < points; ++p) {
        double place[4] = {0, 0, 0, 0};
        std::copy_n(x + p * mesh_.dim, mesh_.dim, place);
        values[p] = capacity(place) * initial_value(initial, place);
      }
    });
    for (int n = 0; n < reference_->node_count(cell); ++n) right[unknown(cell, n)] += moments(n, 0);
  }
  return stepper_->projected(right, interpolated(initial));
}

Buffer& HeatSimulation::temperature() {
  return interior_penalty_ ? interior_penalty_->values() : steady_ ? solver_->temperature() : stepper_->temperature();
}

std::int32_t HeatSimulation::unknown(std::int64_t cell, int node) const {
  const std::int64_t place = reference_->first_node(cell) + node;
  return interior_penalty_ ? static_cast<std::int32_t>(place) : continuous_->numbering().of_node[place];
}

bool HeatSimulation::step(double until) {
  if (steady_ ? now_.steps > 0 : !(now_.time < until - step_tolerance * now_.dt)) return false;
  const Stopwatch clock;
  try {
    last_ = interior_penalty_ ? interior_penalty_->solve() : steady_ ? solver_->solve() : stepper_->step(now_.time, now_.dt);
  } catch (const NotConverged& failure) {
    last_ = failure.report();
    iterations_ += last_.iterations;
    solve_seconds_ += clock.seconds();
    failed_together_ = true;  // residuals are sums over all ranks
    if (std::isfinite(last_.residual)) throw;
    const std::string why = unfit_load(diffusion_problem(page_, form_), field(), {now_.time, now_.time + now_.dt}, ranks_);
    throw NotConverged(why.empty() ? failure.what() : why, last_);
  }
  if (floating()) {
    check_balance(last_, case_.precision);
    log_warning("No boundary gives a temperature or a heat transfer: {} is known up to a constant only, and comes with "
                "the mean 0.",
                field());
    remove_mean();
  }
  iterations_ += last_.iterations;
  ++now_.steps;
  now_.time = now_.origin + static_cast<double>(now_.steps - now_.origin_step) * now_.dt;
  ++checks_;
  solve_seconds_ += clock.seconds();
  return true;
}

double HeatSimulation::stored_heat() { return steady_ ? 0 : stepper_->stored_heat(); }

std::vector<double> HeatSimulation::of_cells(const Buffer& vector) {
  if (interior_penalty_) return vectors_->download(vector, interior_penalty_->of().size());
  const auto values = vectors_->download(vector, continuous_->length());
  const auto& of_node = continuous_->numbering().of_node;
  std::vector<double> all(of_node.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = values[of_node[i]];
  return all;
}

// The fixed grid keeps zeros around and between its unknowns. The first cell of a node decides.
std::vector<double> HeatSimulation::of_unknowns(const std::vector<double>& of_cells) const {
  const auto& of_node = continuous_->numbering().of_node;
  std::vector<double> all(continuous_->length(), 0.0);
  for (std::size_t i = of_node.size(); i-- > 0;) all[of_node[i]] = of_cells[i];
  return all;
}

std::vector<double> HeatSimulation::nodal_values() { return of_cells(temperature()); }

void HeatSimulation::read(const CellVisitor& visit) {
  const auto all = nodal_values();
  for (std::int64_t cell = 0; cell < mesh_.own_count(); ++cell) visit(cell, all.data() + reference_->first_node(cell));
}

Memory HeatSimulation::memory() {
  const auto scheme = stepper_->memory();
  Memory memory;
  memory.now = now_;
  memory.numbers = {{"iterations", static_cast<double>(iterations_)}, {"last_dt", scheme.last_dt}, {"load_time", scheme.load_time}};
  memory.states.push_back(nodal_values());
  for (const Buffer* before : scheme.before) memory.states.push_back(of_cells(*before));
  return memory;
}

void HeatSimulation::resume(const Memory& memory) {
  std::vector<std::vector<double>> before;
  for (std::size_t i = 1; i < memory.states.size(); ++i) before.push_back(of_unknowns(memory.states[i]));
  stepper_->resume(of_unknowns(memory.states.front()), before, memory.numbers.at("last_dt"), memory.numbers.at("load_time"));
  iterations_ = first_iteration_ = static_cast<std::int64_t>(memory.numbers.at("iterations"));
  const double dt = now_.dt;
  now_ = memory.now;
  if (now_.dt != dt) {
    now_.dt = dt;
    now_.origin = now_.time;
    now_.origin_step = now_.steps;
    const double left = end_ - now_.time;
    if (!case_.steps) {
      predicted_ = now_.steps + std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(left / *case_.dt - step_tolerance)));
      if (predicted_ > now_.steps) now_.dt = left / static_cast<double>(predicted_ - now_.steps);
    }
  }
  end_ = std::max(now_.time, now_.origin + static_cast<double>(predicted_ - now_.origin_step) * now_.dt);
}

Matrix HeatSimulation::conversion(int order, const Matrix& to_nodes) const {
  return ReferenceElement(element().shape, order).interpolation(element().nodes) * to_nodes;
}

void HeatSimulation::write(int, const std::vector<double>& values) {
  if (steady_) throw InputError("The model '{}' is solved from nothing, so its field cannot be set.", model());
  // The difference that rounding may make between values that are meant to be one.
  constexpr double rounding = 1e-9;
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const std::vector<double> all = of_unknowns(values);
  for (std::int64_t cell = 0; cell < mesh_.own_count(); ++cell)
    for (int n = 0; n < reference_->node_count(cell); ++n) {
      const double here = values[reference_->first_node(cell) + n], there = all[unknown(cell, n)];
      if (std::abs(there - here) > rounding * largest)
        throw InputError("{} is continuous, but element {} gives {} where another one gives {} at the same node.", field(), cell, here, there);
    }
  stepper_->begin(all, now_.time);
}

void HeatSimulation::remove_mean() {
  const auto all = nodal_values();
  const double mean = mean_value(mesh_, reference(), [&](std::int64_t cell) { return all.data() + reference_->first_node(cell); }, ranks_);
  if (interior_penalty_)
    interior_penalty_->add(-mean);
  else
    solver_->add(-mean);
}

const HaloExchange* HeatSimulation::exchange() const {
  return interior_penalty_ ? interior_penalty_->of().exchange() : continuous_->exchange();
}

double HeatSimulation::compile_seconds() const {
  return (interior_penalty_ ? interior_penalty_->of().compile_seconds() : continuous_->compile_seconds()) - compiled_before_ +
         prepare_seconds_;
}

std::unique_ptr<PointSampler> HeatSimulation::sampler(const std::vector<Locator::Hit>& points, std::int64_t rows) {
  return make_sampler(*this, points, rows);
}

Introduction HeatSimulation::introduction() {
  return {{fmt::format("{} on {} {} {} elements of order {} ({}): {} unknowns, {} of them given", model(), elements_, case_.family,
                       mesh_.shapes_in_words(), element().order, form(), dofs_, given_values()),
           fmt::format("set up in {:.2f} s ({:.2f} s compiling)", setup_seconds_, compile_seconds())},
          {}};
}

void HeatSimulation::describe(Summary& s) {
  s.seconds_compile = compile_seconds();
  s.dof_per_second = static_cast<double>(dofs_) * static_cast<double>(iterations_ - first_iteration_) / solve_seconds_;
  s.solver = SolverSummary{iterations_, last_.residual, last_.history};
  if (const HaloExchange* halo = exchange()) s.exchange = exchange_summary(*halo, ranks_, exchanged_before_);
}

}  // namespace swell
