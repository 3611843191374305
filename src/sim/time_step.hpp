// SPDX-License-Identifier: Apache-2.0
// The time step of a case: what it gives, or cfl times the largest stable one.
#pragma once

#include <string>

#include "case/case.hpp"
#include "dg/stiffness.hpp"

namespace swell {

// One over the largest stable step of a cell. Transport and reaction each take their part of the stability region.
double stable_rate(const Case& c, Shape shape, const Stiffness& stiffness);

// Throws InputError where nothing moves and the case gives no step.
double time_step(const Case& c, const StiffnessOfShapes& stiffness);

// dt times the largest rate of a nonlinear state's waves, with a part kept back for waves that are faster before they are measured.
double nonlinear_fraction(const Case& c, Shape shape);
// Throws InputError where nothing moves in the initial state, or its speeds are not finite.
void check_stable_step(const Case& c, const Model& model, double dt);

// A sentence where the case gives a longer step than the stable one; else nothing.
std::string long_step_in_words(const Case& c, const StiffnessOfShapes& stiffness);

// A sentence where so many steps of ADER may more than double a wave that nothing damps, with the way out; else nothing.
std::string growth_in_words(const Case& c, Shape shape, std::int64_t steps);

}  // namespace swell
