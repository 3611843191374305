// SPDX-License-Identifier: Apache-2.0
// Answers to a name that is not known: the nearest one that is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace swell {

// Insertions, deletions, replacements and swaps of neighbours that turn one name into the other.
int edit_distance(std::string_view a, std::string_view b);

// The known name with the smallest edit distance, or "" where none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

// " (did you mean 'epsilon'?)" where one is near, else " (known: a, b, c)".
std::string name_hint(std::string_view name, const std::vector<std::string>& known);

// Foreign text fit for a message: at most `longest` characters, one line, bytes that do not print written as \xNN.
std::string shown(std::string_view text, std::size_t longest = 60);

}  // namespace swell
