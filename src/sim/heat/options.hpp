// SPDX-License-Identifier: Apache-2.0
// The case's options for solvers and time schemes of heat, in the form that these accept.
#pragma once

#include "case/case.hpp"
#include "cg/heat.hpp"

namespace swell {

inline SolverOptions options_of(const Case& c) { return {c.solver.tolerance, c.solver.iterations}; }

inline ImplicitScheme scheme_of(const Case& c) {
  return {c.scheme == "bdf2" ? ImplicitScheme::Kind::bdf2 : ImplicitScheme::Kind::theta, c.theta};
}

}  // namespace swell
