// SPDX-License-Identifier: Apache-2.0
#include "model/separated.hpp"

namespace swell {

std::optional<Separated> separate(const std::vector<std::vector<Expression>>& parts) {
  Separated result;
  bool first = true;
  for (const auto& region : parts) {
    auto& row = result.field.emplace_back();
    for (const Expression& u : region) {
      const auto factors = u.separated("t");
      if (!factors) return std::nullopt;
      row.push_back(factors->second);
      if (u.is_constant() && u.constant() == 0) continue;
      if (!first && factors->first.c_text() != result.factor.c_text()) return std::nullopt;
      result.factor = factors->first;
      first = false;
    }
  }
  return result;
}

std::optional<Separated> separated_material(const Problem& problem) {
  if (!problem.material_in_time() || static_cast<int>(problem.model.material.size()) > problem.mesh->dim) return std::nullopt;
  return separate(problem.material);
}

}  // namespace swell
