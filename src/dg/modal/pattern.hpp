// SPDX-License-Identifier: Apache-2.0
// Which entries of a linear model's matrices there are, and which of them change with the material: found by probing with
// unit states and random materials.
#pragma once

#include <array>
#include <vector>

#include "model/model_probe.hpp"

namespace swell {

struct ModalPattern {
  struct Entry {
    int row, column, coefficient;
  };
  // Coefficients of the flux count one for each reference direction.
  std::vector<Entry> flux, mass, reaction;
  int coefficients = 0;

  bool flux_changes() const { return !flux.empty(); }
};

// Lists hold entries only where the matrix as a whole depends on the material.
ModalPattern find_pattern(const ModelProbe& probe, bool reacts);

}  // namespace swell
