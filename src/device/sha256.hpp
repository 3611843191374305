// SPDX-License-Identifier: Apache-2.0
// The SHA-256 digest (FIPS 180-4) that names and guards the entries of the kernel cache.
#pragma once

#include <string>
#include <string_view>

namespace swell {

// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace swell
