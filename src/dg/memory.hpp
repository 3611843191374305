// SPDX-License-Identifier: Apache-2.0
// The device memory that a problem will need, counted before anything is allocated.
#pragma once

#include "dg/layout.hpp"

namespace swell {

struct MemoryNeed {
  std::int64_t device = 0;     // bytes of all buffers, `states` states among them
  std::int64_t transient = 0;  // bytes on the host while the largest group is set up
  std::int64_t setup = 0;      // bytes of the buffers that are not states
};

MemoryNeed memory_need(const Problem& problem, const Elements& elements, const Layout& layout,
                       bool material_in_time, const Device& device, int states);
// The memory need of the modal family.
MemoryNeed modal_memory_need(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device,
                             int states);
// States that the problem's scheme keeps, the one that it advances among them. Done by all ranks together, as the next.
int states_kept(const Problem& problem, const Layout& layout, const MaterialField& material, Device& device);
// Those of its limiter besides.
int limiter_states(const Problem& problem, const DeviceInfo& info);
// Throws RunError, on every rank, where a device has less memory than the ranks that share it need.
void check_memory(const MemoryNeed& need, const Problem& problem, const Device& device);

}  // namespace swell
