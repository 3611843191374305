// SPDX-License-Identifier: Apache-2.0
// The runs of a [sweep], one after the other, and the table of their results.
#pragma once

#include "sim/run.hpp"

namespace swell {

// Runs into numbered folders inside the output folder of the first case, with sweep.csv and sweep.json there, renewed after
// each run. Several ranks make every run together, and the first writes. Heat keeps mesh, numbering, kernels and memory from
// run to run where it can. Returns 0, or 130 where interrupted. Throws RunError where some run failed, once all have been done.
int run_sweep(const std::vector<Case>& cases, const RunOptions& options);

}  // namespace swell
