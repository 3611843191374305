// SPDX-License-Identifier: Apache-2.0
// The time step of a case: what it gives, or cfl times the largest stable one.
#pragma once

#include "dg/stiffness.hpp"
#include "sim/case.hpp"

namespace swell {

// Throws InputError where nothing moves and the case gives no step.
double time_step(const Case& c, Shape shape, const Stiffness& stiffness);

}  // namespace swell
