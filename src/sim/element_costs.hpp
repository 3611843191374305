// SPDX-License-Identifier: Apache-2.0
// Costs of the elements of a mesh, as weights of its partition.
#pragma once

#include <vector>

#include "model/problem.hpp"

namespace swell {

// The relative cost of each element: elements whose map is not affine are integrated at points,
// and ADER predicts those near a point source with their neighbours. Empty: all cost the same.
std::vector<double> element_costs(const Problem& problem);

}  // namespace swell
