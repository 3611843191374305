// SPDX-License-Identifier: Apache-2.0
#include "app/case_options.hpp"
#include "app/commands.hpp"
#include "sim/outputs/view_folder.hpp"

namespace swell {

Command view_command() {
  Command command{"view", "Look at a finished run in the browser"};
  auto folder = std::make_shared<std::string>();
  auto port = std::make_shared<std::string>("any");
  command.option("folder", *folder, "The output folder of the run").required();
  command.option("--port", *port, "The port of the address that is printed");
  command.run = [=](const Given&) { return view_folder(*folder, port_of(*port)); };
  return command;
}

}  // namespace swell
