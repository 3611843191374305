// SPDX-License-Identifier: Apache-2.0
#include "app/case_options.hpp"
#include "app/commands.hpp"
#include "sim/outputs/view_folder.hpp"

namespace swell {

void add_view(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("view", "Look at a finished run in the browser");
  auto folder = std::make_shared<std::string>();
  auto port = std::make_shared<std::string>("any");
  command->add_option("folder", *folder, "The output folder of the run")->required();
  command->add_option("--port", *port, "The port of the address that is printed");
  command->callback([=, &code] { code = view_folder(*folder, port_of(*port)); });
}

}  // namespace swell
