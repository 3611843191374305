// SPDX-License-Identifier: Apache-2.0
// The choice of a rank's device on its machine.
#pragma once

#include <string>

#include "comm/ranks.hpp"
#include "device/device.hpp"

namespace swell {

// A device with its number, or with its threads, is used as named. Else rank i of a machine uses its device i, beginning again
// where there are fewer, and processors that several ranks may run on are shared out among them.
std::string device_of_rank(const std::string& asked, Ranks& ranks);

// How many threads of the host set a run up: those of a processor as device; beside a GPU all processors, of which ranks that may run on
// the same ones take their shares. All ranks call it together.
int host_threads_of_rank(const Device& device, Ranks& ranks);

}  // namespace swell
