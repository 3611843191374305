// SPDX-License-Identifier: Apache-2.0
// Modal states between host and device, and what is measured on them: values at points, energy, finiteness.
#include <algorithm>

#include "base/host_threads.hpp"
#include "base/timer.hpp"
#include "dg/element_sum.hpp"
#include "dg/modal/operator.hpp"
#include "dg/transfer.hpp"
#include "element/dense.hpp"

namespace swell {

namespace {

// The host holds so many at a time; its threads fill them in pieces.
constexpr std::int64_t batches_at_once = 512, slots_of_piece = 256;

}  // namespace

std::size_t ModalOperator::state_bytes() const {
  return layout_->slots * modes_->count * fields() * bytes_of(problem_.precision);
}

std::unique_ptr<Buffer> ModalOperator::make_state(std::string_view label) { return device_.allocate(state_bytes(), label); }

void ModalOperator::write_state(Buffer& state, const Write& of_cell) const {
  const Matrix to_modes = inverse(modes_->evaluate(element_.nodes));
  write_numbers(state, [&](std::int64_t cell, double* numbers) {
    Matrix nodal(modes_->count, fields());
    of_cell(cell, nodal.data());
    Eigen::Map<Matrix>(numbers, modes_->count, fields()) = to_modes * nodal;
  });
}

void ModalOperator::read_state(const Buffer& state, const Read& of_cell) const {
  const Matrix to_nodes = modes_->evaluate(element_.nodes);
  Matrix nodal(element_.node_count, fields());
  read_numbers(state, [&](std::int64_t cell, const double* numbers) {
    // Sums in place: Eigen would pack such small matrices first.
    nodal.noalias() = to_nodes.lazyProduct(Eigen::Map<const Matrix>(numbers, modes_->count, fields()));
    of_cell(cell, nodal.data());
  });
}

void ModalOperator::write_numbers(Buffer& state, const Write& of_cell) const {
  const std::int64_t scalars = modes_->count * fields(), at_once = batches_at_once * batch_.width;
  std::vector<double> values;
  for (std::int64_t first = 0; first < layout_->slots; first += at_once) {
    const auto count = std::min(at_once, layout_->slots - first);
    values.assign(count * scalars, 0.0);
    for_pieces(count, slots_of_piece, [&](std::int64_t begin, std::int64_t end) {
      Matrix modal(modes_->count, fields());
      for (std::int64_t i = begin; i < end; ++i) {
        const auto cell = layout_->cell_of_slot[first + i];
        if (cell < 0) continue;
        of_cell(cell, modal.data());
        const Matrix by_field = modal.transpose();
        for (std::int64_t k = 0; k < scalars; ++k)
          values[(i / batch_.width * scalars + k) * batch_.width + i % batch_.width] = by_field.data()[k];
      }
    });
    write_reals(problem_.precision, state, values, first * scalars);
  }
}

void ModalOperator::read_numbers(const Buffer& state, const Read& of_cell) const {
  const std::int64_t scalars = modes_->count * fields(), at_once = batches_at_once * batch_.width;
  std::vector<double> values;
  Matrix by_field(fields(), modes_->count), modal(modes_->count, fields());
  for (std::int64_t first = 0; first < layout_->slots; first += at_once) {
    const auto count = std::min(at_once, layout_->slots - first);
    values.resize(count * scalars);
    read_reals(problem_.precision, state, values, first * scalars);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto cell = layout_->cell_of_slot[first + i];
      if (cell < 0) continue;
      for (std::int64_t k = 0; k < scalars; ++k)
        by_field.data()[k] = values[(i / batch_.width * scalars + k) * batch_.width + i % batch_.width];
      modal = by_field.transpose();
      of_cell(cell, modal.data());
    }
  }
}

void ModalOperator::sample(Buffer& q, const Buffer& slots, const Buffer& weights, Buffer& samples, std::int64_t count,
                           std::int64_t offset) const {
  const std::int64_t values = count * modes_->count * fields();
  device_.queue().launch(pointwise_->kernel("receivers"), count * fields(), {q, slots, weights, samples, offset},
                         moved(values, 2 * values));
}

Monitor& ModalOperator::monitor() {
  if (monitor_) return *monitor_;
  const Stopwatch clock;
  monitor_ = std::make_unique<Monitor>(device_, problem_.precision, layout_->groups.size());
  compile_seconds_ += clock.seconds();
  energies_ = device_.allocate(layout_->slots * bytes_of(problem_.precision), "energies");
  energy_ = monitor_->make_log(1);
  marks_ = device_.allocate(layout_->slots * bytes_of(problem_.precision), "marks of the watch");
  return *monitor_;
}

void ModalOperator::note_energy(Buffer& q, double t, Buffer& log, std::int64_t place) {
  if (material_->in_time()) update_material(t);
  Monitor& keeper = monitor();
  const std::int64_t unknowns = layout_->slots * modes_->count * fields();
  device_.queue().launch(
      pointwise_->kernel("energy"), layout_->slots,
      {q, *material_of_, *rule_.material, *rule_.at, *rule_.weights, *volume_, *energies_},
      moved(unknowns, unknowns * (modes_->varying ? 2 * modes_->rule.points.rows() : 4)));
  keeper.sum(*energies_, element_ranges(), log, place);
}

// Without the padding behind each group.
std::vector<Range> ModalOperator::element_ranges() const {
  std::vector<Range> elements;
  for (const auto& group : layout_->groups) elements.push_back({group.first, group.count});
  return elements;
}

double ModalOperator::energy(Buffer& q, double t) {
  monitor();
  note_energy(q, t, *energy_, 0);
  device_.queue().finish();
  return element_sum(*this, *energies_, element_ranges());
}

void ModalOperator::expect_watch() {
  monitor();
  look_ = true;
}

// Padding lies between the elements of a batch, and stays finite: it has the first cell's shape and material.
void ModalOperator::watch(const Buffer& q, std::int64_t step, double /*t*/) {
  const std::int64_t numbers = modes_->count * fields();
  if (marked_)
    monitor().watch(q, *marks_, layout_->slots, batch_.width, numbers, step);
  else
    monitor().watch(q, {{0, layout_->slots * numbers}}, step);
  look_ = marked_ = false;
}

Finding ModalOperator::finding() {
  const Verdict verdict = monitor().verdict();
  return verdict.finite ? Finding{} : Finding{false, verdict.step, place(verdict.index)};
}

States::Place ModalOperator::place(std::int64_t index) const {
  const std::int64_t scalars = modes_->count * fields(), batch = index / (scalars * batch_.width), rest = index % (scalars * batch_.width);
  const auto cell = layout_->cell_of_slot[batch * batch_.width + rest % batch_.width];
  return {std::max<std::int64_t>(0, cell), element_.node_count / 2, static_cast<int>(rest / batch_.width / modes_->count)};
}

StiffnessOfShapes ModalOperator::stiffness_of_shapes(double end, std::vector<Stiffness>* of_cells) {
  return {{element_.shape, measure_stiffness(problem_, element_, *material_, device_, *common_, end, of_cells)}};
}

}  // namespace swell
