// SPDX-License-Identifier: Apache-2.0
// Fields that depend on time by one factor only: the rest need not be evaluated again at every time.
#pragma once

#include <optional>
#include <vector>

#include "model/problem.hpp"

namespace swell {

struct Separated {
  Expression factor{1.0};                      // of t
  std::vector<std::vector<Expression>> field;  // [region][part], without t
};

// [region][part], where all parts share the factor.
std::optional<Separated> separate(const std::vector<std::vector<Expression>>& parts);

// Material in time whose field has no more numbers than a place has coordinates: the kernel `coefficients` then reads the field
// where it would read places.
std::optional<Separated> separated_material(const Problem& problem);

}  // namespace swell
