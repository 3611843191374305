// SPDX-License-Identifier: Apache-2.0
// The files of the page, built from web/ and carried inside the program.
#pragma once

#include <string_view>

namespace swell {

// By name, such as "index.html"; empty where there is none. The list has a name a line.
std::string_view view_bundle(std::string_view name);
std::string_view view_bundle_list();

}  // namespace swell
