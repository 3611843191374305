// SPDX-License-Identifier: Apache-2.0
// Whether a mesh resolves what its case puts into it: sentences with figures and the key that helps, for runs and plans.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mesh/elements.hpp"
#include "model/material.hpp"

namespace swell {

// Nodes for each of the shortest waves that a signal makes, in the cell where they are fewest.
struct WaveResolution {
  std::string key;       // of the signal
  double frequency = 0;  // the highest within 20 dB of the strongest
  double points = 0;
};

// Waves of incident pulses and point sources of a linear model; nothing where there are none or nothing moves. `end`: of the run.
std::optional<WaveResolution> wave_resolution(const Problem& problem, const Elements& elements, const MaterialField& material,
                                              Device& device, double end);
// Cells of all ranks inside which a material parameter jumps.
std::int64_t cells_with_jumps(const Problem& problem, const Elements& elements, const MaterialField& material);

// Both as sentences where they are worth one.
std::vector<std::string> resolution_in_words(const std::optional<WaveResolution>& waves, std::int64_t cells_with_jumps);

// A sentence where much of a field's initial state lies in the highest polynomial degree of its elements; else nothing.
std::string initial_in_words(const Problem& problem, const Elements& elements,
                             const std::function<void(const std::function<void(std::int64_t cell, const double* values)>&)>& read);

}  // namespace swell
