// SPDX-License-Identifier: Apache-2.0
// `swell help KEY`: the reference of the case file at hand; the name of a command gives that command's words.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "case/schema.hpp"
#include "case/schema_help.hpp"

namespace swell {

Command help_command(const CommandLine& line) {
  Command command{"help", "Explains a key of the case file and its values; without one: lists the sections"};
  auto key = std::make_shared<std::string>();
  command.option("key", *key, "A key such as model.order, a section such as model, or a command");
  command.run = [key, &line](const Given&) {
    const std::string of_command = line.help_of(*key);
    const bool section = find_schema_key("", *key) != nullptr;
    if (key->empty()) {
      fmt::print("{}", help_of_sections());
    } else if (!of_command.empty() && !section) {
      fmt::print("{}", of_command);
    } else {
      fmt::print("{}", help_of_key(*key));
      if (!of_command.empty()) fmt::print("\nThere is a command of this name too: `swell {} --help`.\n", *key);
    }
    return 0;
  };
  return command;
}

}  // namespace swell
