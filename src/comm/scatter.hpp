// SPDX-License-Identifier: Apache-2.0
// Bytes that the first rank has for the others: the same for all, or something else for each.
#pragma once

#include <functional>
#include <vector>

#include "comm/ranks.hpp"

namespace swell {

// The first rank's, whatever their number.
void broadcast(std::vector<std::byte>& bytes, Ranks& ranks);

// What make(rank) gives for this rank, on the first rank: there it is called for one rank after the other, so that only the bytes
// of one are held at a time.
std::vector<std::byte> scatter(const std::function<std::vector<std::byte>(int)>& make, Ranks& ranks);

}  // namespace swell
