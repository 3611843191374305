// SPDX-License-Identifier: Apache-2.0
// Sums over ranks that have the same bits on every rank and in every run on as many of them.
#pragma once

#include <span>

#include "comm/ranks.hpp"

namespace swell {

// Each entry becomes its sum over all ranks, added up in their order. Something that is not finite stays so.
void add_up(Ranks& ranks, std::span<double> values);
double added_up(Ranks& ranks, double value);

}  // namespace swell
