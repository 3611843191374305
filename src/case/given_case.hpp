// SPDX-License-Identifier: Apache-2.0
// A case as another program gives it: a file or a text, values for its keys, perhaps a model of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace swell {

struct Case;

struct GivenCase {
  std::string text;                    // TOML
  std::string name = "the case";       // of the text, in messages
  std::filesystem::path folder = ".";  // in which file names are resolved
  std::vector<std::string> overrides;  // "model.order=7"
  std::string model;                   // the text of a model in place of model.name and model.file; empty: as the case says

  // Throws InputError where the file cannot be read.
  static GivenCase of_file(const std::filesystem::path& file);
};

// Whether it is TOML and the overrides have a form, no more; throws InputError.
void check_form(const GivenCase& given);

// Throws InputError as read_case() does.
Case read_given(const GivenCase& given);

}  // namespace swell
