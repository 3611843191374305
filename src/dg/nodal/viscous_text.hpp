// SPDX-License-Identifier: Apache-2.0
// Kernel source of viscous terms, made like that of the other terms (dg/text.hpp).
#pragma once

#include "dg/group_data.hpp"

namespace swell {

// How the viscous kernels are shared out.
struct ViscousTeams {
  int rows = 1, fields = 1;       // CPUs: of the tile that is kept in registers
  int threads = 0, elements = 1;  // GPUs: of a group; a team of threads / elements has an element
  int room = 0;                   // words of an element
};
// On one group: kernels gradients, divergence.
ProgramText viscous_text(const Problem& problem, const ReferenceElement& element, const Layout& layout, const Group& group,
                         const GroupPoints& points, const ViscousTeams& teams);
// Values and fluxes behind boundaries: kernels wall_values, wall_fluxes.
ProgramText viscous_walls_text(const Problem& problem, const ReferenceElement& element, const Layout& layout);

}  // namespace swell
