// SPDX-License-Identifier: Apache-2.0
// The kinds of runs that are advanced piece by piece. Private to sim/stepped_*.
#pragma once

#include "case/case.hpp"
#include "sim/stepped_run.hpp"

namespace swell {

std::unique_ptr<SteppedRun> make_stepped_wave(const Case& c);
std::unique_ptr<SteppedRun> make_stepped_heat(const Case& c);

// [element][node][dim]
std::vector<double> node_places(const Mesh& mesh, const ReferenceElement& element);

}  // namespace swell
