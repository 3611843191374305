// SPDX-License-Identifier: Apache-2.0
// The head of a model file: a comment, one word a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"

namespace swell {

// The comment at the head of a page, without its first words; empty where there is none.
std::string_view head_of(std::string_view text);
std::vector<std::string> words(std::string_view line);
std::vector<std::string> split(const std::string& text, char at);

// Reads the head's statements into the model. Throws InputError for words that are not known.
void read_head(std::string_view text, const std::string& origin, Model& model);
// Checks that head and functions agree, once both are in the model.
void check_head(const std::string& origin, Model& model);

}  // namespace swell
