// SPDX-License-Identifier: Apache-2.0
// What a case says of solvers and schemes of heat, as they take it.
#pragma once

#include "case/case.hpp"
#include "cg/heat.hpp"

namespace swell {

inline SolverOptions options_of(const Case& c) { return {c.solver.tolerance, c.solver.iterations}; }

inline ImplicitScheme scheme_of(const Case& c) {
  return {c.scheme == "bdf2" ? ImplicitScheme::Kind::bdf2 : ImplicitScheme::Kind::theta, c.theta};
}

}  // namespace swell
