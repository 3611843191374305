// SPDX-License-Identifier: Apache-2.0
#include "model/problem.hpp"

namespace swell {

bool reacts(const Problem& problem) {
  if (!problem.model.has("reaction")) return false;
  if (problem.model.reaction.empty()) return true;
  for (const auto& region : problem.material)
    for (const auto& name : problem.model.reaction) {
      const auto& e = region[problem.model.material_index(name)];
      if (!e.is_constant() || e.constant() != 0) return true;
    }
  return false;
}

}  // namespace swell
