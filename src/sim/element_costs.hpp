// SPDX-License-Identifier: Apache-2.0
// What the elements of a mesh cost, for those who share it out.
#pragma once

#include <vector>

#include "model/problem.hpp"

namespace swell {

// What each element costs beside the others: those whose map is not affine are integrated at points.
// Empty: all are alike.
std::vector<double> element_costs(const Problem& problem);

}  // namespace swell
