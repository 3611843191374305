// SPDX-License-Identifier: Apache-2.0
// Whether a problem's right-hand side is one linear map for all times: no sources but points for "ader", no boundary data, nothing
// in time.
#pragma once

#include "dg/layout.hpp"

namespace swell {

bool is_autonomous(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device);

}  // namespace swell
