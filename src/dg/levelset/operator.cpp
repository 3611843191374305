// SPDX-License-Identifier: Apache-2.0
#include "dg/levelset/operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/timer.hpp"
#include "dg/element_sum.hpp"
#include "model/transport.hpp"

namespace swell {

namespace {

constexpr int time_samples = 65;  // at which the velocity is looked at for the largest step

LevelSetProblem levelset_problem(const Problem& problem, const TransportPage& page) {
  LevelSetProblem p;
  p.mesh = problem.mesh;
  p.ranks = problem.ranks;
  p.order = problem.order;
  p.precision = problem.precision;
  p.thickness = problem.levelset.thickness;
  for (const auto& region : problem.material) {
    auto& velocity = p.velocity.emplace_back();
    for (const int i : page.velocity) velocity.push_back(region[i]);
  }
  if (!problem.source.empty() || !problem.points.empty() || problem.total_field)
    throw InputError("A level set takes no sources and no incident wave.");
  for (const BoundarySpec& side : problem.boundary) {
    const BoundaryKind* kind = side.kind == BoundarySpec::Kind::model ? problem.model.boundary(side.name) : nullptr;
    if (!kind) throw InputError("A level set has the boundary kinds of its page, not '{}'.", side.name);
    p.closed.push_back(page.closed[kind - problem.model.boundaries.data()]);
  }
  return p;
}

}  // namespace

LevelSetOperator::LevelSetOperator(Problem problem, Device& device) : Operator(std::move(problem), device) {
  LevelSetProblem given = levelset_problem(problem_, read_transport_page(problem_.model, device));
  material_ = std::make_unique<MaterialField>(problem_, element_.nodes);
  layout_ = std::make_unique<Layout>(problem_, elements(), *material_, device_);
  levelset_ = std::make_unique<LevelSet>(std::move(given), device_, layout_->cell_of_slot);
}

void LevelSetOperator::stage(double t, Buffer& q, Buffer& next, Buffer& residual, double a, double b, double dt) {
  levelset_->transport(t, q, next, LevelSet::Update::low_storage(residual, a, b, dt));
}

void LevelSetOperator::rate(double t, Buffer& q, Buffer& out) { levelset_->transport(t, q, out, {}); }

void LevelSetOperator::combine(Buffer& out, std::span<const Term> terms) {
  std::vector<std::pair<double, const Buffer*>> all;
  for (const Term& term : terms) all.emplace_back(term.factor, term.buffer);
  levelset_->combine(out, all);
}

// A profile that is thinner than it should be is left alone: a flow that draws drops to threads makes it so, and takes it
// back, while restoring it would fill threads that are thinner than the profile. So a look asks for what is too thick
// alone, wherever it is: on average over all the interface thin threads would hide it.
bool LevelSetOperator::after_step(Buffer& q, std::int64_t step, bool last) {
  const LevelSetSpec& spec = problem_.levelset;
  const bool at_end = last && spec.at_end > 0;
  if (!at_end) {
    if (spec.every == 0 || step % spec.every != 0) return false;
    if (spec.tolerance > 0 && thick_part(q) < spec.tolerance) return false;
    levelset_->reinitialise(q, spec.length, LevelSet::Restore::thick);
  } else {
    levelset_->reinitialise(q, spec.at_end);
  }
  ++reinitialisations_;
  return true;
}

double LevelSetOperator::reinitialisation_seconds(std::int64_t steps) {
  const LevelSetSpec& spec = problem_.levelset;
  const double looks = spec.every > 0 ? static_cast<double>(steps / spec.every) : 0;
  const double in_pseudo_time = looks * static_cast<double>(levelset_->reinitialisation_steps(spec.length)) +
                                static_cast<double>(levelset_->reinitialisation_steps(spec.at_end));
  if (in_pseudo_time == 0) return 0;
  constexpr double one_step = 1e-12;  // thicknesses
  constexpr int tries = 4;            // the first compiles
  const auto q = make_state("trial");
  q->fill_zero();
  double least = INFINITY;
  for (int again = 0; again < tries; ++again) {
    const Stopwatch clock;
    levelset_->reinitialise(*q, one_step);
    device_.queue().finish();
    least = std::min(least, clock.seconds());
  }
  return least * in_pseudo_time;
}

void LevelSetOperator::write_state(Buffer& state, const Write& of_cell) const {
  Vector nodal(element_.node_count);
  levelset_->write_modes(state, [&](std::int64_t cell, double* out) {
    of_cell(cell, nodal.data());
    Eigen::Map<Vector>(out, element_.node_count) = element_.inverse_vandermonde * nodal;
  });
}

void LevelSetOperator::read_state(const Buffer& state, const Read& of_cell) const {
  levelset_->read_modes(state, [&](std::int64_t cell, const double* own) {
    const Vector nodal = element_.vandermonde * Eigen::Map<const Vector>(own, element_.node_count);
    of_cell(cell, nodal.data());
  });
}

Monitor& LevelSetOperator::monitor() {
  if (monitor_) return *monitor_;
  const Stopwatch clock;
  monitor_ = std::make_unique<Monitor>(device_, problem_.precision, 1);
  compile_seconds_ += clock.seconds();
  measures_ = device_.allocate(LevelSet::measures * layout_->slots * bytes_of(problem_.precision), "measures");
  return *monitor_;
}

void LevelSetOperator::note(LevelSet::Measure kind, Buffer& log, std::int64_t place) {
  monitor_->sum(*measures_, {{kind * layout_->slots, layout_->slots}}, log, place);
}

std::array<double, LevelSet::measures> LevelSetOperator::measure(Buffer& q) {
  monitor();
  levelset_->measure(q, *measures_);
  device_.queue().finish();
  std::array<double, LevelSet::measures> result;
  for (int kind = 0; kind < LevelSet::measures; ++kind)
    result[kind] = element_sum(*this, *measures_, {{kind * layout_->slots, layout_->slots}});
  return result;
}

double LevelSetOperator::thickness(Buffer& q) {
  const auto all = measure(q);
  return all[LevelSet::spread] / all[LevelSet::surface];
}

double LevelSetOperator::thick_part(Buffer& q) {
  const auto all = measure(q);
  return all[LevelSet::excess] / (problem_.levelset.thickness * all[LevelSet::surface]);
}

double LevelSetOperator::energy(Buffer& q, double) { return measure(q)[LevelSet::energy]; }

void LevelSetOperator::note_energy(Buffer& q, double, Buffer& log, std::int64_t place) {
  monitor();
  levelset_->measure(q, *measures_);
  note(LevelSet::energy, log, place);
}

void LevelSetOperator::watch(const Buffer& q, std::int64_t step, double /*t*/) {
  monitor().watch(q, {{0, layout_->slots * element_.node_count}}, step);
}

Finding LevelSetOperator::finding() {
  const Verdict verdict = monitor().verdict();
  return verdict.finite ? Finding{} : Finding{false, verdict.step, place(verdict.index)};
}

States::Place LevelSetOperator::place(std::int64_t index) const {
  const std::int64_t width = levelset_->size().width, batch = index / (element_.node_count * width);
  const auto cell = layout_->cell_of_slot[batch * width + index % width];
  return {std::max<std::int64_t>(0, cell), element_.node_count / 2, 0};
}

StiffnessOfShapes LevelSetOperator::stiffness_of_shapes(double end, std::vector<Stiffness>* /*of_cells*/) {
  Stiffness result;
  for (int i = 0; i < (levelset_->velocity_in_time() ? time_samples : 1); ++i)
    result.transport = std::max(result.transport, levelset_->largest_rate(end * i / (time_samples - 1)));
  return {{element_.shape, result}};
}

std::size_t LevelSetOperator::state_bytes() const {
  return layout_->slots * element_.node_count * bytes_of(problem_.precision);
}

MemoryNeed LevelSetOperator::memory_need(int states) const {
  const auto bytes = static_cast<std::int64_t>(bytes_of(problem_.precision));
  const LevelSetSpec& spec = problem_.levelset;
  MemoryNeed need;
  need.setup =
      levelset_->words(spec.every > 0 || spec.at_end > 0) * bytes + LevelSet::measures * layout_->slots * bytes;
  need.device = need.setup + states * static_cast<std::int64_t>(state_bytes()) + Monitor::bytes(device_, 1);
  return need;
}

std::vector<std::string> LevelSetOperator::kernels_in_words() const {
  const LevelSetSize& size = levelset_->size();
  std::string words = is_simplex(element_.shape) ? "levelset: matrices at points that are exact for the triple products"
                                                 : "levelset: triple products of the line, one direction at a time";
  if (size.team > 0)
    words += fmt::format(", {} threads an element, {} elements a group", size.team, size.elements);
  else if (device_.info().simt)
    words += ", a thread an element: it has no room in shared memory";
  return {words};
}

}  // namespace swell
