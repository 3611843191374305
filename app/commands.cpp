// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"

namespace swell {

void add_commands(CommandLine& line) {
  line.add(run_command());
  line.add(plan_command());
  line.add(verify_command());
  line.add(bench_command());
  line.add(tune_command());
  line.add(info_command());
  line.add(mesh_command());
  line.add(view_command());
  line.add(plot_command());
  line.add(help_command(line));
  line.add(completion_command(line));
  line.add(manual_command(line));
}

}  // namespace swell
