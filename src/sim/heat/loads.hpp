// SPDX-License-Identifier: Apache-2.0
// Checks of the loads of a heat or Poisson problem: finite values everywhere and, where the problem is singular, their balance.
#pragma once

#include <initializer_list>
#include <string>

#include "comm/ranks.hpp"
#include "model/diffusion.hpp"
#include "solve/pcg.hpp"

namespace swell {

// A sentence that names an expression of the problem which is not finite at one of these times, and the place; empty: all are
// finite. All ranks get an equal answer.
std::string unfit_load(const DiffusionProblem& problem, const std::string& field, std::initializer_list<double> times, Ranks& ranks);

// Where no temperature is given and no heat leaves by transfer, sources and fluxes must add up to 0. A difference within
// rounding and integration on the mesh is logged; a larger one throws InputError.
void check_balance(const SolveReport& report, Precision precision);

}  // namespace swell
