// SPDX-License-Identifier: Apache-2.0
// States between host and device, and what is measured on them: energy and finiteness.
#include <algorithm>

#include "base/host_threads.hpp"
#include "base/timer.hpp"
#include "dg/element_sum.hpp"
#include "dg/nodal/limiter.hpp"
#include "dg/nodal/operator.hpp"
#include "dg/transfer.hpp"

namespace swell {

namespace {

// The host holds so many at a time; its threads fill them in pieces.
constexpr std::int64_t slots_at_once = 4096, slots_of_piece = 256;

}  // namespace

std::size_t NodalOperator::state_bytes() const {
  return layout_->all_nodes * fields() * bytes_of(problem_.precision);
}

std::unique_ptr<Buffer> NodalOperator::make_state(std::string_view label) {
  return device_.allocate(state_bytes(), label);
}

void NodalOperator::write_state(Buffer& state, const Write& of_cell) const {
  std::vector<double> values;
  for (const Group& group : layout_->groups) {
    const std::int64_t scalars = elements_.of(group.shape).node_count * fields();
    for (std::int64_t first = 0; first < group.padded; first += slots_at_once) {
      const auto count = std::min(slots_at_once, group.padded - first);
      values.assign(count * scalars, 0.0);
      for_pieces(std::min(count, group.count - first), slots_of_piece, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) of_cell(layout_->cell_of_slot[group.first + first + i], values.data() + i * scalars);
      });
      write_reals(problem_.precision, state, values, (group.place + first) * scalars);
    }
  }
}

void NodalOperator::read_state(const Buffer& state, const Read& of_cell) const {
  std::vector<double> values;
  for (const Group& group : layout_->groups) {
    const std::int64_t scalars = elements_.of(group.shape).node_count * fields();
    for (std::int64_t first = 0; first < group.count; first += slots_at_once) {
      const auto count = std::min(slots_at_once, group.count - first);
      values.resize(count * scalars);
      read_reals(problem_.precision, state, values, (group.place + first) * scalars);
      for (std::int64_t i = 0; i < count; ++i) of_cell(layout_->cell_of_slot[group.first + first + i], values.data() + i * scalars);
    }
  }
}

Monitor& NodalOperator::monitor() {
  if (monitor_) return *monitor_;
  const Stopwatch clock;
  monitor_ = std::make_unique<Monitor>(device_, problem_.precision, groups_.size());
  compile_seconds_ += clock.seconds();
  energies_ = device_.allocate(layout_->slots * bytes_of(problem_.precision), "energies");
  energy_ = monitor_->make_log(1);
  return *monitor_;
}

// The elements of each group without the padding behind them.
std::vector<Range> NodalOperator::ranges() const {
  std::vector<Range> all;
  for (std::size_t g = 0; g < groups_.size(); ++g) all.push_back(group_scalars(g));
  return all;
}

std::vector<Range> NodalOperator::element_ranges() const {
  std::vector<Range> all;
  for (const auto& g : groups_) all.push_back({g.group.first, g.group.count});
  return all;
}

Measures* NodalOperator::measures() {
  const Model& model = problem_.model;
  if (!measures_ && !(model.linear && model.admissible.empty() && model.quantities.empty())) {
    measures_ = std::make_unique<Measures>(problem_, elements_, *layout_, *material_, device_);
    compile_seconds_ += measures_->compile_seconds();
  }
  return measures_.get();
}

// Where the model has a quantity `energy` of its own.
std::optional<std::size_t> NodalOperator::own_energy() const {
  const auto& all = problem_.model.quantities;
  const auto found = std::find(all.begin(), all.end(), "energy");
  return found == all.end() ? std::nullopt : std::optional<std::size_t>(found - all.begin());
}

void NodalOperator::note_energy(Buffer& q, double t, Buffer& log, std::int64_t place) {
  if (const auto own = own_energy()) return measures()->note_quantity(*own, q, t, log, place);
  if (material_->in_time()) update_material(t);
  Monitor& keeper = monitor();
  const double word = static_cast<double>(bytes_of(problem_.precision));
  for (const auto& g : groups_) {
    // The product with the mass matrix on simplices, the way to the Gauss points elsewhere; then the scalar product.
    const double nodes = g.element->node_count, unknowns = nodes * fields() * static_cast<double>(g.group.count);
    const double flops = unknowns * (is_tensor(g.group.shape) ? 2 * g.element->dim * (g.element->order + 1) + 4 : 2 * nodes + 3);
    const Work work{word * unknowns + static_cast<double>(g.geometry->bytes() + g.material->bytes()), flops};
    device_.queue().launch(
        g.program->kernel("energy"), g.group.batches(g.variant.batch),
        {q, *g.geometry, *g.material, *g.material_face, *g.matrix, *energies_, g.group.place / layout_->lanes,
         g.group.first / layout_->lanes}, work);
  }
  keeper.sum(*energies_, element_ranges(), log, place);
}

double NodalOperator::energy(Buffer& q, double t) {
  if (const auto own = own_energy()) return measures()->quantity(*own, q, t);
  monitor();
  note_energy(q, t, *energy_, 0);
  device_.queue().finish();
  return element_sum(*this, *energies_, element_ranges());
}

void NodalOperator::watch(const Buffer& q, std::int64_t step, double t) {
  monitor().watch(q, ranges(), step);
  if (Measures* own = measures()) own->watch(q, step, t);
  if (limiter_) limiter_->watch(step);
}

// A value that is not finite follows from one that was not admissible, and this from a mean that was not: the first is named where
// several are found at once.
Finding NodalOperator::finding() {
  const Verdict values = monitor().verdict();
  const Verdict conditions = measures() ? measures()->verdict() : Verdict{};
  if (limiter_)
    if (Finding means = limiter_->finding();
        !means.good && (values.finite || means.step <= values.step) && (conditions.finite || means.step <= conditions.step))
      return means;
  if (!conditions.finite && (values.finite || conditions.step <= values.step)) {
    const auto count = static_cast<std::int64_t>(problem_.model.admissible.size());
    Place found = place(conditions.index / count * fields());
    found.field = fields() + static_cast<int>(conditions.index % count);
    return {false, conditions.step, found};
  }
  return values.finite ? Finding{} : Finding{false, values.step, place(values.index)};
}

void NodalOperator::forget() {
  monitor().forget();
  if (Measures* own = measures()) own->forget();
  if (limiter_) limiter_->forget();
}

States::Place NodalOperator::place(std::int64_t index) const {
  const GroupOnDevice* g = groups_.data();
  const auto size = [&] { return std::int64_t{g->element->node_count} * fields(); };
  while (index >= (g->group.place + g->group.padded) * size()) ++g;
  const std::int64_t within = index % size();
  return {layout_->cell_of_slot[g->group.first + index / size() - g->group.place], static_cast<int>(within / fields()),
          static_cast<int>(within % fields())};
}

void NodalOperator::sample(Buffer& q, const Buffer& slots, const Buffer& weights, Buffer& samples, std::int64_t count,
                           std::int64_t offset) const {
  const std::int64_t values = count * layout_->most_nodes * fields();
  device_.queue().launch(pointwise().kernel("receivers"), count * fields(), {q, slots, weights, samples, offset},
                         moved(values, 2 * values));
}

std::vector<std::string> NodalOperator::kernels_in_words() const {
  std::vector<std::string> all;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    all.push_back(group_key(g).kernel + ": " + group_variant(g).name());
  return all;
}

StiffnessOfShapes NodalOperator::stiffness_of_shapes(double end, std::vector<Stiffness>* of_cells) {
  StiffnessOfShapes all;
  for (const auto& [shape, element] : elements_.all())
    all[shape] = measure_stiffness(problem_, element, *material_, device_, pointwise(), end, of_cells);
  return all;
}

Work NodalOperator::stage_work() const {
  Work all;
  for (const auto& g : groups_) all.bytes += g.work.bytes, all.flops += g.work.flops;
  add_viscous_work(all);
  return all;
}

}  // namespace swell
