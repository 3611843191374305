// SPDX-License-Identifier: Apache-2.0
// A run's way into checkpoints and out of them: the state of its elements as they keep it, the point in time, how far the
// outputs have come. Nothing in them depends on the device, the number of ranks or the order of the elements in memory.
#pragma once

#include <filesystem>
#include <string>

#include "io/checkpoint.hpp"
#include "sim/evolution.hpp"
#include "sim/outputs/outputs.hpp"

namespace swell {

// Writes checkpoint-STEP.h5 into the folder of a run and keeps the last few.
class Checkpoints {
 public:
  Checkpoints(Evolution& evolution, std::filesystem::path folder, const CheckpointCase& options);
  // A step has reached the time of the next checkpoint.
  bool due() const;
  // The state must be known to be good (Evolution::settle). Older files than the last `keep` are removed once the new one is
  // safely on the disk, and so are those of later steps: they belong to a run that was given up.
  void write(const OutputsSoFar& outputs);

 private:
  void set_next();
  Evolution& evolution_;
  std::filesystem::path folder_;
  CheckpointCase options_;
  double next_ = 0;
  std::int64_t last_ = -1;  // step of the last one
};

// The file that `given` names: a path, or "latest" for the last whole one in the folder. Throws InputError, and names the last
// whole one that could be used instead.
std::filesystem::path chosen_checkpoint(const std::string& given, const std::filesystem::path& folder);

// Puts the state, the time and the memory of the scheme in place. Another order is reached by projection, of continuous
// elements by interpolation, another precision by rounding; another mesh or model is wrong input. Returns how far the outputs
// had come.
OutputsSoFar restore(Evolution& evolution, const std::filesystem::path& file);

}  // namespace swell
