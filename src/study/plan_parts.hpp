// SPDX-License-Identifier: Apache-2.0
// The partition of a case and the messages between its ranks: the part of `swell plan` for several ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "case/case.hpp"
#include "device/device.hpp"
#include "mesh/partition.hpp"

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
  // For heat and Poisson: what one rank has on its device, and which: that with the most elements and the most faces at
  // others'.
  std::optional<std::int64_t> device_bytes;
  int largest = 0;
};

// One for each count. Throws InputError where a mesh has fewer cells than ranks.
std::vector<PartsPlan> plan_parts(const Case& c, const std::vector<int>& ranks, Device& device);
// For explicit schemes, from sizes; for heat and Poisson, whose largest part is set up to measure its memory.
std::vector<PartsPlan> plan_wave_parts(const Case& c, const std::vector<int>& ranks, Device& device);
std::vector<PartsPlan> plan_heat_parts(const Case& c, const std::vector<int>& ranks, Device& device);

// `sent`: bytes to each neighbour in one exchange, of a rank with its part and the faces that it shares.
PartsPlan count_parts(const Mesh& whole, const std::vector<std::int32_t>& owner, int ranks,
                      const std::function<std::vector<std::int64_t>(int, const Mesh&, const std::vector<NeighbourRank>&)>& sent);
std::string describe(const PartsPlan& plan);

}  // namespace swell
