// SPDX-License-Identifier: Apache-2.0
#include "sim/heat_receivers.hpp"

#include <cmath>

#include "base/error.hpp"
#include "case/problem_of_case.hpp"
#include "io/files.hpp"

namespace swell {

namespace {

constexpr std::int64_t samples_on_device = 512;

std::string file_name(const ReceiverCase& receiver) { return fmt::format("receivers/{}.csv", receiver.name); }

}  // namespace

HeatReceivers::HeatReceivers(HeatSimulation& simulation) : simulation_(simulation) {
  const auto& receivers = simulation.given().receivers;
  if (receivers.empty()) return;
  const int nodes = simulation.element().node_count, dim = simulation.mesh().dim;
  std::vector<std::int32_t> unknowns;
  std::vector<double> weights, mine;
  for (const auto& r : receivers) {
    if (static_cast<int>(r.at.size()) != dim)
      throw InputError("{} has {} numbers, but the mesh has {} dimensions.", place_of(r.key, "at"), r.at.size(), dim);
    for (const auto& field : r.fields)
      if (field != simulation.field())
        throw InputError("{}: the model '{}' has no field '{}'; it has {}.", place_of(r.key, "fields"),
                         simulation.given().model, field, simulation.field());
    const auto hit = simulation.locate(r.at, place_of(r.key, "at"));
    if (hit.cell < 0) continue;
    mine.push_back(static_cast<double>(&r - receivers.data()));
    Matrix at(1, dim);
    for (int d = 0; d < dim; ++d) at(0, d) = hit.reference[d];
    const Matrix w = simulation.element().interpolation(at);
    weights.insert(weights.end(), w.data(), w.data() + w.size());
    for (int n = 0; n < nodes; ++n) unknowns.push_back(simulation.unknown(hit.cell, n));
  }
  next_.resize(receivers.size());
  unknown_ = simulation.vectors().upload(unknowns, "receiver unknowns");
  weight_ = simulation.vectors().upload(weights, "receiver weights");
  mine_ = static_cast<std::int64_t>(mine.size());
  samples_ = simulation.vectors().make(samples_on_device * mine_, "samples");
  places_.resize(receivers.size());
  const auto of_ranks = simulation.ranks().gather(mine);
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
    for (std::size_t i = 0; i < of_ranks[rank].size(); ++i) places_[static_cast<std::size_t>(of_ranks[rank][i])] = {rank, i};
}

void HeatReceivers::open_files(const std::filesystem::path& folder, const OutputsSoFar& before) {
  if (before.next_samples.size() == next_.size()) next_ = before.next_samples;
  if (next_.empty() || !simulation_.ranks().first()) return;
  create_folder(folder / "receivers");
  for (const auto& r : simulation_.given().receivers)
    files_.push_back(before.file(folder, file_name(r), {simulation_.field()}));
}

void HeatReceivers::save(OutputsSoFar& so_far) {
  flush();
  so_far.next_samples = next_;
  for (std::size_t i = 0; i < files_.size(); ++i)
    so_far.bytes[file_name(simulation_.given().receivers[i])] = files_[i].sync();
}

void HeatReceivers::keep() { kept_.assign(next_.size(), {{"time", simulation_.field()}, {}}); }

void HeatReceivers::sample() {
  if (next_.empty()) return;
  const auto taken = static_cast<std::int64_t>(times_.size());
  if (mine_ > 0) simulation_.sample(*unknown_, *weight_, *samples_, mine_, taken * mine_);
  times_.push_back(simulation_.time());
  if (taken + 1 == samples_on_device) flush();
}

void HeatReceivers::flush() {
  if (times_.empty()) return;
  const auto of_ranks = simulation_.ranks().gather(
      simulation_.vectors().download(*samples_, static_cast<std::int64_t>(times_.size()) * mine_));
  const bool first = simulation_.ranks().first();
  for (std::size_t s = 0; s < times_.size(); ++s)
    for (std::size_t r = 0; r < next_.size() && first; ++r) {
      if (times_[s] < next_[r]) continue;
      // The next sample is the first one at or after a multiple of `every`; rounding must not skip one.
      const double every = simulation_.given().receivers[r].every;
      if (every > 0) next_[r] = (std::floor(times_[s] / every + 1e-9) + 1 - 1e-9) * every;
      const auto [rank, number] = places_[r];
      const std::size_t width = of_ranks[rank].size() / times_.size();
      const std::span<const double> row(&of_ranks[rank][s * width + number], 1);
      if (!files_.empty()) files_[r].append(times_[s], row);
      if (!kept_.empty()) kept_[r].append(times_[s], row);
      if (listener_) listener_(r, times_[s], row);
    }
  times_.clear();
  for (auto& file : files_) file.flush();
}

}  // namespace swell
