// SPDX-License-Identifier: Apache-2.0
// Who gets which cells of a mesh, and what they cost.
#pragma once

#include "comm/ranks.hpp"
#include "dg/problem.hpp"
#include "mesh/mesh.hpp"
#include "sim/case.hpp"

namespace swell {

// The rank of each cell, as the case says, the same on every rank; `costs` of the cells, or empty. Tells the log how many each has.
std::vector<std::int32_t> shared_out(const Mesh& whole, const Case& c, std::vector<double> costs, Ranks& ranks);

// Operations of each element, as the operator counts them: curved simplices are integrated at points, the others are alike.
// Empty: all are alike.
std::vector<double> element_costs(const Problem& problem);

}  // namespace swell
