// SPDX-License-Identifier: Apache-2.0
// The case's own expressions as kernel source: material in time, sources, boundary states. Only parsed expressions get here.
#pragma once

#include <string>

#include "model/problem.hpp"

namespace swell {

// material_factor(t) and material_at(region, what MaterialField::changing() gives, that factor, t, m).
std::string material_text(const Problem& problem);
std::string source_text(const Problem& problem);    // source_at(x, t, value), signal_at(point, t)
std::string boundary_text(const Problem& problem);  // boundary_state(spec, own, behind, m, n, x, t, state)
// For viscous terms: wall_value(spec, own, m, n, x, t, value), and wall_flux(spec, own, value, dq, m, n, x, t, f) through the wall.
std::string viscous_boundary_text(const Problem& problem);

// The numerical flux, from the model's text before it and the problem's choice.
std::string flux_text(const Problem& problem);

}  // namespace swell
