// SPDX-License-Identifier: Apache-2.0
// Kernel text for one problem: constants and tables, the model, the case's own expressions, then the kernels. It is kept on
// disk beside what it compiles to, so it is written to be read.
#pragma once

#include <string>

#include "dg/layout.hpp"

namespace swell {

// How the operator's product is cut into blocks of registers.
struct Tile {
  int rows = 1;
  int fields = 1;
};
// The block with the most multiplications for each load that fits into the registers.
Tile choose_tile(int fields, int rows, int registers);

// Sizes of the points at which curved or varying elements are integrated; 0 for groups that do not need them.
struct PointCounts {
  int volume = 0;
  int face = 0;
};

// Names of fields and materials as indices, for the model's functions.
std::string names_text(const Model& model);

// The operator on one group, with vectors: kernels stage, rate, energy.
ProgramText operator_text(const Problem& problem, const ReferenceElement& element, const Layout& layout,
                          const Group& group, Tile tile, PointCounts points, const Vector& weights);
// Everything around it, without vectors.
ProgramText pointwise_text(const Problem& problem, const ReferenceElement& element, const Layout& layout);

}  // namespace swell
