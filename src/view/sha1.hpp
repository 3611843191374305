// SPDX-License-Identifier: Apache-2.0
// SHA-1 (FIPS 180-4), which the handshake of WebSockets requires; it protects nothing here.
#pragma once

#include <string>
#include <string_view>

namespace swell {

// 20 bytes.
std::string sha1(std::string_view bytes);

}  // namespace swell
