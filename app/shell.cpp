// SPDX-License-Identifier: Apache-2.0
// `swell completion` and `swell manual`: the command line told to shells and to man.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/shell_words.hpp"

namespace swell {

void add_completion(CLI::App& app, int&) {
  auto* command = app.add_subcommand("completion", "Print the completion of this command for a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")->required();
  command->callback([=, &app] { fmt::print("{}", completion(commands_in_words(app), *shell)); });
}

void add_manual(CLI::App& app, int&) {
  auto* command = app.add_subcommand("manual", "Print the page of the manual, for man -l -");
  command->callback([&app] { fmt::print("{}", manual(commands_in_words(app), app.get_description())); });
}

}  // namespace swell
