// SPDX-License-Identifier: Apache-2.0
// The kernel sources of this room that travel inside the library, by their path below src/.
#pragma once

#include <string_view>

namespace swell {

// Empty for a path that is not there. Written by cmake/embed.cmake.
std::string_view device_texts(std::string_view path);

}  // namespace swell
