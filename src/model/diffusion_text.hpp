// SPDX-License-Identifier: Apache-2.0
// Kernel source that continuous and discontinuous elements of diffusion problems share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace swell {

// FUNCTION scalar HEAD(int boundary, scalar x, scalar y, scalar z, double t): an expression for each boundary.
std::string boundary_switch_text(std::string_view head, const std::vector<std::string>& cases);
// LINE, the tables to_gauss, gauss_slope and node_slope of a line of this order, and the kernels' functions on them.
std::string gauss_lines_text(int order);

}  // namespace swell
