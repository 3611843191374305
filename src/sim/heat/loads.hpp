// SPDX-License-Identifier: Apache-2.0
// What is said of sources and boundaries that a heat or Poisson problem cannot be solved with.
#pragma once

#include <initializer_list>
#include <string>

#include "comm/ranks.hpp"
#include "model/diffusion.hpp"
#include "solve/pcg.hpp"

namespace swell {

// Which of the problem's expressions is not finite at one of these times, and where, in a sentence; empty: none is. The same on
// all ranks.
std::string unfit_load(const DiffusionProblem& problem, const std::string& field, std::initializer_list<double> times, Ranks& ranks);

// Where no temperature is given and no heat leaves by transfer, sources and fluxes must add up to 0. What they miss it by through
// rounding and integration on the mesh is told; more of it throws InputError.
void check_balance(const SolveReport& report, Precision precision);

}  // namespace swell
