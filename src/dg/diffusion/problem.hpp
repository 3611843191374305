// SPDX-License-Identifier: Apache-2.0
// What discontinuous elements solve at rest: div(k grad u) + f = 0, with a condition on each boundary.
#pragma once

#include <vector>

#include "base/expression.hpp"
#include "device/device.hpp"
#include "mesh/mesh.hpp"

namespace swell {

struct DiffusionBoundary {
  enum class Kind : unsigned char { value, flux, robin };
  Kind kind = Kind::flux;
  Expression value;     // value: u; flux: q into the domain; robin: the u outside
  Expression transfer;  // robin: h, in x, y, z
};

struct DiffusionProblem {
  const Mesh* mesh = nullptr;
  int order = 1;
  Precision precision = Precision::double_;
  std::vector<Expression> conductivity;      // [region], in x, y, z
  std::vector<DiffusionBoundary> boundary;   // [boundary of the mesh], then the one of sides without a name
  Expression source;                         // f, in x, y, z, t
  double penalty = 1;                        // times the one that makes the operator coercive
};

}  // namespace swell
