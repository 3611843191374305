// SPDX-License-Identifier: Apache-2.0
// The reference of the case file in words, as `swell help` prints it, from the table against which cases are checked.
#pragma once

#include <string>
#include <string_view>

namespace swell {

// The sections and the keys outside of them.
std::string help_of_sections();

// The description of a key such as "model.order", or of all that a table holds. "receiver.name" stands for "receiver[].name"
// and any name for "*". Throws InputError, with the nearest name, where there is no such key.
std::string help_of_key(std::string_view words);

}  // namespace swell
