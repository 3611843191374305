// SPDX-License-Identifier: Apache-2.0
// Whether the parameters of a boundary kind are what the model allows.
#pragma once

#include "model/problem.hpp"

namespace swell {

// Checks at the start of the run, at a place on the boundary with this number. Throws InputError for a value out of range.
void check_boundary_data(const Problem& problem, int spec, const double* at);

}  // namespace swell
