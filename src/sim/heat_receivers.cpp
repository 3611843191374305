// SPDX-License-Identifier: Apache-2.0
#include "sim/heat_receivers.hpp"

#include <cmath>

#include "base/error.hpp"
#include "io/files.hpp"
#include "sim/problem_of_case.hpp"

namespace swell {

namespace {

constexpr std::int64_t samples_on_device = 512;

}  // namespace

HeatReceivers::HeatReceivers(HeatSimulation& simulation) : simulation_(simulation) {
  const auto& receivers = simulation.given().receivers;
  if (receivers.empty()) return;
  const Locator locator(simulation.mesh());
  const int nodes = simulation.element().node_count, dim = simulation.mesh().dim;
  std::vector<std::int32_t> unknowns;
  std::vector<double> weights;
  for (const auto& r : receivers) {
    if (static_cast<int>(r.at.size()) != dim)
      throw InputError("{} has {} numbers, but the mesh has {} dimensions.", place_of(r.key, "at"), r.at.size(), dim);
    for (const auto& field : r.fields)
      if (field != simulation.field())
        throw InputError("{}: the model '{}' has no field '{}'; it has {}.", place_of(r.key, "fields"),
                         simulation.given().model, field, simulation.field());
    const auto hit = locator.find(r.at.data());
    if (hit.cell < 0)
      throw InputError("{}: the point ({}) lies outside the mesh.", place_of(r.key, "at"), fmt::join(r.at, ", "));
    Matrix at(1, dim);
    for (int d = 0; d < dim; ++d) at(0, d) = hit.reference[d];
    const Matrix w = simulation.element().interpolation(at);
    weights.insert(weights.end(), w.data(), w.data() + w.size());
    for (int n = 0; n < nodes; ++n) unknowns.push_back(simulation.unknown(hit.cell, n));
  }
  next_.resize(receivers.size());
  unknown_ = simulation.vectors().upload(unknowns, "receiver unknowns");
  weight_ = simulation.vectors().upload(weights, "receiver weights");
  samples_ = simulation.vectors().make(samples_on_device * static_cast<std::int64_t>(receivers.size()), "samples");
}

void HeatReceivers::open_files(const std::filesystem::path& folder) {
  if (next_.empty()) return;
  create_folder(folder / "receivers");
  for (const auto& r : simulation_.given().receivers)
    files_.emplace_back(folder / "receivers" / (r.name + ".csv"), std::vector<std::string>{simulation_.field()});
}

void HeatReceivers::keep() { kept_.assign(next_.size(), {{"time", simulation_.field()}, {}}); }

void HeatReceivers::sample() {
  const auto count = static_cast<std::int64_t>(next_.size()), taken = static_cast<std::int64_t>(times_.size());
  if (count == 0) return;
  simulation_.sample(*unknown_, *weight_, *samples_, count, taken * count);
  times_.push_back(simulation_.time());
  if (taken + 1 == samples_on_device) flush();
}

void HeatReceivers::flush() {
  if (times_.empty()) return;
  const std::size_t count = next_.size();
  const auto values = simulation_.vectors().download(*samples_, static_cast<std::int64_t>(times_.size() * count));
  for (std::size_t s = 0; s < times_.size(); ++s)
    for (std::size_t r = 0; r < count; ++r) {
      if (times_[s] < next_[r]) continue;
      // The next sample is the first one at or after a multiple of `every`; rounding must not skip one.
      const double every = simulation_.given().receivers[r].every;
      if (every > 0) next_[r] = (std::floor(times_[s] / every + 1e-9) + 1 - 1e-9) * every;
      const std::span<const double> row(&values[s * count + r], 1);
      if (!files_.empty()) files_[r].append(times_[s], row);
      if (!kept_.empty()) kept_[r].append(times_[s], row);
      if (listener_) listener_(r, times_[s], row);
    }
  times_.clear();
  for (auto& file : files_) file.flush();
}

}  // namespace swell
