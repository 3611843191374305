// SPDX-License-Identifier: Apache-2.0
// Pages of nonlinear equations that only the tests have, and problems and states for them.
#pragma once

#include "problems.hpp"

namespace swell {

// "euler", or "burgers" in tests/data/models.
Model load_page(const std::string& name, int dim);
const ModelProbe& probe_of_page(const std::string& name, int dim);

// Random materials in each region, and every boundary kind of the page besides dirichlet, on the sides in turn.
Problem page_problem(const Mesh& mesh, const std::string& name, int order, Random& random);
// Random values around a state at which the page has a meaning, in every cell.
State page_state(const Problem& problem, int nodes, Random& random);

}  // namespace swell
