// SPDX-License-Identifier: Apache-2.0
// The numerical flux of a case, and what nonlinear models need besides: volume form, shocks, positivity, filter.
#pragma once

#include <string>

#include "case/case.hpp"
#include "model/problem.hpp"

namespace swell {

std::string case_name(const Case& c);  // for messages
void take_flux(const Case& c, Problem& p);
// Throws InputError for what the model has no use for, or no function for.
void take_nonlinear(const Case& c, Problem& p);

}  // namespace swell
