// SPDX-License-Identifier: Apache-2.0
// Flows through boundaries of a discontinuous right-hand side.
#pragma once

#include "sim/simulation.hpp"

namespace swell {

// nullptr where the operator knows no flows.
std::unique_ptr<FlowSampler> make_flow_sampler(Simulation& simulation, const std::vector<std::int32_t>& boundaries);

}  // namespace swell
