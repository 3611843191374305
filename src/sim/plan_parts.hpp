// SPDX-License-Identifier: Apache-2.0
// How a case would be shared out to ranks, and what they would send each other: the part of `swell plan` for many of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/case.hpp"

namespace swell {

// The parts that a run on so many ranks would have.
struct PartsPlan {
  int ranks = 1;
  std::int64_t fewest = 0, most = 0;      // elements of a rank
  std::int64_t most_border = 0;           // elements of a rank that wait for others
  int most_neighbours = 0;
  std::int64_t shared_faces = 0;          // between two ranks, each once
  std::int64_t messages = 0, bytes = 0;   // of all ranks in one exchange
  std::int64_t most_bytes = 0;            // sent by one of them
};

// One for each count. Throws InputError where a mesh has fewer cells than ranks.
std::vector<PartsPlan> plan_parts(const Case& c, const std::vector<int>& ranks);
std::string describe(const PartsPlan& plan);

}  // namespace swell
