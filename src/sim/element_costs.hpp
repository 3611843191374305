// SPDX-License-Identifier: Apache-2.0
// What the elements of a mesh cost, for those who share it out.
#pragma once

#include <vector>

#include "model/problem.hpp"

namespace swell {

// Operations of each element, as the operator counts them: curved simplices are integrated at points, the others are alike.
// Empty: all are alike.
std::vector<double> element_costs(const Problem& problem);

}  // namespace swell
