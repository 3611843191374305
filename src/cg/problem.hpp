// SPDX-License-Identifier: Apache-2.0
// What the continuous family solves: rhoC dT/dt = div(k grad T) + f, or its steady form, with conditions on each boundary.
#pragma once

#include <vector>

#include "base/expression.hpp"
#include "device/device.hpp"
#include "mesh/mesh.hpp"

namespace swell {

inline const std::vector<std::string> heat_variables{"x", "y", "z", "t"};

struct HeatMaterial {
  Expression capacity{1.0};      // rhoC, in x, y, z
  Expression conductivity{1.0};  // k, in x, y, z
};

struct HeatBoundary {
  enum class Kind : unsigned char { temperature, flux, robin };
  Kind kind = Kind::flux;
  Expression value;     // temperature: T; flux: q into the domain; robin: the T outside
  Expression transfer;  // robin: h, in x, y, z
};

// How the operator is applied; the answer is the same up to rounding.
enum class HeatForm : unsigned char {
  elements,  // each element's product, then a sum over the elements of each unknown
  vertices,  // each unknown's rows of the elements that hold it
};

struct HeatProblem {
  const Mesh* mesh = nullptr;
  int order = 1;
  Precision precision = Precision::double_;
  std::vector<HeatMaterial> material;  // [region]
  std::vector<HeatBoundary> boundary;  // [boundary of the mesh], then the one of sides without a name
  Expression source;                   // f, in x, y, z, t
  HeatForm form = HeatForm::elements;
};

}  // namespace swell
