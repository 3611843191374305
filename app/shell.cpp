// SPDX-License-Identifier: Apache-2.0
// `swell completion` and `swell manual`: the command line described for shells and for man.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/shell_words.hpp"

namespace swell {

Command completion_command(const CommandLine& line) {
  Command command{"completion", "Print the completion of this command for a shell"};
  auto shell = std::make_shared<std::string>();
  command.option("shell", *shell, "bash, zsh or fish").required();
  command.run = [shell, &line](const Given&) {
    fmt::print("{}", completion(line.in_words(), *shell));
    return 0;
  };
  return command;
}

Command manual_command(const CommandLine& line) {
  Command command{"manual", "Print the page of the manual, for man -l -"};
  command.run = [&line](const Given&) {
    fmt::print("{}", manual(line.in_words(), line.about()));
    return 0;
  };
  return command;
}

}  // namespace swell
