// SPDX-License-Identifier: Apache-2.0
// Kernel source for one problem: constants and tables, the model, the case's own expressions, then the kernels. It is kept on
// disk beside what it compiles to, so it is written to be read.
#pragma once

#include <string>

#include "dg/group_data.hpp"

namespace swell {

// Names the operation on a group, without its variant: the key of the tuner.
std::string operator_name(const Problem& problem, const ReferenceElement& element, const Group& group);
// The operator on one group: kernels stage, rate, energy.
ProgramText operator_text(const Problem& problem, const ReferenceElement& element, const Layout& layout,
                          const Group& group, const Variant& variant, const GroupPoints& points, const GroupData& data,
                          const FluxCover& cover);
// How the viscous kernels are shared out.
struct ViscousTeams {
  int rows = 1, fields = 1;  // CPUs: of the tile that is kept in registers
  int threads = 0, elements = 1;  // GPUs: of a group; a team of threads / elements has an element
  int room = 0;                   // words of an element
};
// The viscous terms on one group: kernels gradients, divergence.
ProgramText viscous_text(const Problem& problem, const ReferenceElement& element, const Layout& layout, const Group& group,
                         const GroupPoints& points, const ViscousTeams& teams);
// What they find behind boundaries: kernels wall_values, wall_fluxes.
ProgramText viscous_walls_text(const Problem& problem, const ReferenceElement& element, const Layout& layout);
// All other kernels, without vectors.
ProgramText pointwise_text(const Problem& problem, const ReferenceElement& element, const Layout& layout);

// The page's own measures of states: kernels rates, largest, and where the page has them conditions and quantities. Materials
// have so many rows for each element.
ProgramText measures_text(const Problem& problem, const ReferenceElement& element, const Layout& layout, int material_rows,
                          bool material_in_time);

}  // namespace swell
