// SPDX-License-Identifier: Apache-2.0
// Kernel source of the interior penalty method: constants and tables, the case's own expressions, then kernels/sipg*.h.
#pragma once

#include "dg/diffusion/rules.hpp"

namespace swell {

// sipg_trace, sipg_apply, sipg_inverse_diagonal; lanes are cells. `listed`: the first two run over a list of batches.
ProgramText diffusion_text(const DiffusionRules& rules, Precision precision, bool listed);
// sipg_load_volume, sipg_load_sides, sipg_sample: `load_points` points in a cell.
ProgramText diffusion_load_text(const DiffusionProblem& problem, const DiffusionRules& rules, int load_points);

}  // namespace swell
