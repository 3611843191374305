// SPDX-License-Identifier: Apache-2.0
// States between host and device, and what is measured on them: energy and finiteness.
#include <algorithm>

#include "dg/nodal.hpp"

namespace swell {

namespace {

constexpr std::int64_t slots_at_once = 4096;
constexpr std::int64_t watch_chunks = 256;

}  // namespace

std::size_t NodalOperator::state_bytes() const {
  return (layout_->slots + layout_->ghost_slots) * element_.node_count * fields() * bytes_of(problem_.precision);
}

std::unique_ptr<Buffer> NodalOperator::make_state(std::string_view label) {
  return device_.allocate(state_bytes(), label);
}

void NodalOperator::write_state(Buffer& state, const std::function<void(std::int64_t, double*)>& of_cell) const {
  const std::int64_t scalars = element_.node_count * fields();
  std::vector<double> values;
  std::vector<float> single;
  for (std::int64_t first = 0; first < layout_->slots; first += slots_at_once) {
    const auto count = std::min(slots_at_once, layout_->slots - first);
    values.assign(count * scalars, 0.0);
    for (std::int64_t i = 0; i < count; ++i)
      if (layout_->cell_of_slot[first + i] >= 0) of_cell(layout_->cell_of_slot[first + i], values.data() + i * scalars);
    if (problem_.precision == Precision::double_) {
      state.write(values.data(), values.size() * sizeof(double), first * scalars * sizeof(double));
    } else {
      single.assign(values.begin(), values.end());
      state.write(single.data(), single.size() * sizeof(float), first * scalars * sizeof(float));
    }
  }
}

void NodalOperator::read_state(const Buffer& state,
                               const std::function<void(std::int64_t, const double*)>& of_cell) const {
  const std::int64_t scalars = element_.node_count * fields();
  std::vector<double> values;
  std::vector<float> single;
  for (std::int64_t first = 0; first < layout_->slots; first += slots_at_once) {
    const auto count = std::min(slots_at_once, layout_->slots - first);
    values.resize(count * scalars);
    if (problem_.precision == Precision::double_) {
      state.read(values.data(), values.size() * sizeof(double), first * scalars * sizeof(double));
    } else {
      single.resize(count * scalars);
      state.read(single.data(), single.size() * sizeof(float), first * scalars * sizeof(float));
      std::copy(single.begin(), single.end(), values.begin());
    }
    for (std::int64_t i = 0; i < count; ++i)
      if (layout_->cell_of_slot[first + i] >= 0) of_cell(layout_->cell_of_slot[first + i], values.data() + i * scalars);
  }
}

double NodalOperator::energy(Buffer& q, double t) {
  if (material_->in_time()) update_material(t);
  if (!energies_) energies_ = device_.allocate(layout_->slots * bytes_of(problem_.precision), "energies");
  for (const auto& g : groups_) {
    device_.queue().launch(g.program->kernel("energy"), g.group.batches(layout_->lanes),
                           {q, *g.geometry, *g.material, *g.matrix, *energies_, g.group.first / layout_->lanes});
  }
  device_.queue().finish();
  const auto values = download(*energies_, layout_->slots);
  double sum = 0;
  for (const auto slot : layout_->slot_of_cell) sum += values[slot];
  return sum;
}

bool NodalOperator::finite(const Buffer& q) {
  if (!largest_) largest_ = device_.allocate(watch_chunks * bytes_of(problem_.precision), "largest");
  const std::int64_t count = layout_->slots * element_.node_count * fields();
  device_.queue().launch(pointwise_->kernel("watch"), watch_chunks,
                         {q, *largest_, (count + watch_chunks - 1) / watch_chunks, count});
  device_.queue().finish();
  const auto values = download(*largest_, watch_chunks);
  return std::none_of(values.begin(), values.end(), [](double v) { return v < 0; });
}

Stiffness NodalOperator::stiffness(double end) {
  return measure_stiffness(problem_, element_, *material_, device_, *pointwise_, end);
}

Work NodalOperator::stage_work() const {
  Work all;
  for (const auto& g : groups_) all.bytes += g.work.bytes, all.flops += g.work.flops;
  return all;
}

}  // namespace swell
