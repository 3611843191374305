// SPDX-License-Identifier: Apache-2.0
// Samples, spectra and energy of a simulation with discontinuous elements, on its device. Private to sim/simulation.cpp.
#pragma once

#include "sim/simulation.hpp"

namespace swell {

// The energy first, then the other quantities of the page.
std::vector<std::unique_ptr<Quantity>> make_quantities(Simulation& simulation);
std::unique_ptr<PointSampler> make_sampler(Simulation& simulation, const std::vector<Locator::Hit>& points, std::int64_t rows);
std::unique_ptr<PointSpectrum> make_spectrum(Simulation& simulation, const std::vector<Locator::Hit>& points,
                                             const std::vector<double>& frequencies);

}  // namespace swell
