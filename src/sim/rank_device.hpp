// SPDX-License-Identifier: Apache-2.0
// The choice of a rank's device on its machine.
#pragma once

#include <string>

#include "comm/ranks.hpp"

namespace swell {

// A device with its number, or with its threads, is used as named. Else rank i of a machine uses its device i, beginning again
// where there are fewer, and processors that several ranks may run on are shared out among them.
std::string device_of_rank(const std::string& asked, Ranks& ranks);

}  // namespace swell
