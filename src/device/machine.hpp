// SPDX-License-Identifier: Apache-2.0
// Processor and memory as the operating system describes them.
#pragma once

#include <cstdint>
#include <string>

namespace swell {

// "Intel(R) Xeon(R) Processor @ 2.80GHz".
std::string processor_name();
// Name and instruction sets: what -march=native depends on.
std::string processor_identity();
// Bytes that this process may use: the machine's, or less where a control group says so.
std::int64_t machine_memory();
// Bytes of the last-level cache, 0 where nothing says.
std::int64_t last_cache_bytes();

}  // namespace swell
