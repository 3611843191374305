// SPDX-License-Identifier: Apache-2.0
// Memory of this process and of the machine, in bytes; 0 where the system does not say.
#pragma once

#include <cstdint>

namespace swell {

std::int64_t resident_memory();       // of this process now
std::int64_t peak_resident_memory();  // the most it has held
std::int64_t total_memory();          // of the machine

}  // namespace swell
