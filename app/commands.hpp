// SPDX-License-Identifier: Apache-2.0
// The commands of `swell`, one function each.
#pragma once

#include "app/command_line.hpp"

namespace swell {

void add_commands(CommandLine& line);

Command run_command();
Command plan_command();
Command verify_command();
Command bench_command();
Command tune_command();
Command info_command();
Command mesh_command();
Command view_command();
Command plot_command();
// These speak of the command line itself.
Command help_command(const CommandLine& line);
Command completion_command(const CommandLine& line);
Command manual_command(const CommandLine& line);

}  // namespace swell
