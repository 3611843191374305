// SPDX-License-Identifier: Apache-2.0
// Temperatures at points: sampled on the device of the rank that has them, fetched when its room is full.
#pragma once

#include "io/receivers.hpp"
#include "sim/heat/heat.hpp"
#include "sim/outputs/outputs.hpp"

namespace swell {

class HeatReceivers {
 public:
  // Finds the points; throws InputError for those outside the mesh.
  explicit HeatReceivers(HeatSimulation& simulation);
  // Creates receivers/NAME.csv in the folder, or goes on with it.
  void open_files(const std::filesystem::path& folder, const OutputsSoFar& before = {});
  // Everything sampled has reached the disk then.
  void save(OutputsSoFar& so_far);
  // Keeps the samples in memory, with files or without.
  void keep();
  // What was kept of a receiver up to the last flush().
  const SignalTable& table(std::size_t receiver) const { return kept_[receiver]; }
  void sample();
  void flush();
  void set_listener(SignalListener listener) { listener_ = std::move(listener); }

 private:
  HeatSimulation& simulation_;
  std::vector<ReceiverFile> files_;
  std::vector<SignalTable> kept_;
  std::vector<double> next_, times_;
  std::int64_t mine_ = 0;                                    // how many lie in this rank's cells
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // on the first rank, of each: its rank, its number there
  std::unique_ptr<Buffer> unknown_, weight_, samples_;
  SignalListener listener_;
};

}  // namespace swell
