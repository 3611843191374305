// SPDX-License-Identifier: Apache-2.0
// `swell help KEY`: the reference of the case file at hand; the name of a command gives that command's words.
#include <fmt/format.h>

#include "app/commands.hpp"
#include "case/schema.hpp"
#include "case/schema_help.hpp"

namespace swell {

void add_help(CLI::App& app, int&) {
  auto* command = app.add_subcommand("help", "What a key of the case file means and takes; without one: the sections");
  auto key = std::make_shared<std::string>();
  command->add_option("key", *key, "A key such as model.order, a section such as model, or a command");
  command->callback([=, &app] {
    if (key->empty()) {
      fmt::print("{}", help_of_sections());
      return;
    }
    const auto named = app.get_subcommands([&](const CLI::App* one) { return one->get_name() == *key; });
    const bool section = find_schema_key("", *key) != nullptr;
    if (!named.empty() && !section) {
      fmt::print("{}", named[0]->help("swell"));
      return;
    }
    fmt::print("{}", help_of_key(*key));
    if (!named.empty()) fmt::print("\nThere is a command of this name too: `swell {} --help`.\n", *key);
  });
}

}  // namespace swell
