// SPDX-License-Identifier: Apache-2.0
// The swirling flow of LeVeque (1996) as in Castro, Behrens and Pelties (2013), test 3: exact values at any time, and measures
// of a run against them.
#pragma once

namespace swell {

class Simulation;

// The velocity is g(t) times a steady field without divergence, so that values are carried along the steady flow for the
// integral of g.
double swirl_exact(double x, double y, double t);

// Relative L2 error at t = 0.75, where the flow turns.
double swirl_error_at_half_time(Simulation& simulation);
// The larger error at t = 0.75 of two known values: the images of the Gaussian's peak and of the point one width from it.
double swirl_at_points(Simulation& simulation);

}  // namespace swell
