// SPDX-License-Identifier: Apache-2.0
// Samples and stored heat of a simulation of diffusion, on its device. Private to sim/heat/.
#pragma once

#include "sim/heat/heat.hpp"

namespace swell {

// The integral of rhoC T.
std::unique_ptr<Quantity> make_stored_heat(HeatSimulation& simulation);
std::unique_ptr<PointSampler> make_sampler(HeatSimulation& simulation, const std::vector<Locator::Hit>& points, std::int64_t rows);

}  // namespace swell
