// SPDX-License-Identifier: Apache-2.0
// The command line described for shells and for man, from the same texts as --help.
#pragma once

#include <string>
#include <vector>

namespace swell {

struct OptionWords {
  std::vector<std::string> names;   // "--device", "-D"
  std::string value;                // "DEVICE"; empty: a flag
  std::vector<std::string> values;  // that it may take, where they are few
  std::string about;
};

struct CommandWords {
  std::string name, about;
  std::vector<OptionWords> options;
  std::vector<OptionWords> positionals;  // names: one, "case"
};

std::string completion(std::vector<CommandWords> commands, const std::string& shell);
std::string manual(const std::vector<CommandWords>& commands, const std::string& about);

}  // namespace swell
