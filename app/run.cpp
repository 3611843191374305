// SPDX-License-Identifier: Apache-2.0
#include "sim/run.hpp"
#include "comm/launch.hpp"
#include "app/case_options.hpp"
#include "app/commands.hpp"

namespace swell {

void add_run(CLI::App& app, int& code) {
  auto* command = app.add_subcommand("run", "Solve a case");
  auto options = std::make_shared<CaseOptions>();
  options->add_to(*command);
  auto profile = std::make_shared<bool>(false);
  auto quiet = std::make_shared<bool>(false);
  command->add_flag("--profile", *profile, "Time every kernel and compare it with the roofline");
  command->add_flag("--quiet", *quiet, "Say nothing but warnings");
  auto restart = std::make_shared<std::string>();
  command->add_option("--restart", *restart, "Go on from a checkpoint: a file, or latest for the last whole one of the output folder");
  auto view = std::make_shared<std::string>();
  auto* with_view = command->add_flag("--view{any}", *view, "Show the run in the browser at the address that is printed; a port may follow");
  auto hold = std::make_shared<bool>(false);
  command->add_flag("--hold", *hold, "Go on showing the last state after the run, until Ctrl-C")->needs(with_view);
  command->callback([=, &code] {
    Case c = options->read();
    c.profile = *profile;
    RunOptions run{*quiet, *restart, &world()};
    if (*with_view) run.view = port_of(*view);
    run.hold = *hold;
    code = run_case(c, run);
  });
}

}  // namespace swell
