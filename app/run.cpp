// SPDX-License-Identifier: Apache-2.0
#include "app/case_options.hpp"
#include "app/commands.hpp"
#include "comm/launch.hpp"
#include "sim/run.hpp"
#include "sim/sweep.hpp"

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
    std::vector<Case> cases{options->read()};
    for (std::size_t run = 1; run < cases[0].sweep.values.size(); ++run) cases.push_back(options->read(run));
    for (Case& c : cases) c.profile = *profile;
    RunOptions how{*quiet, *restart, &world()};
    if (*with_view) how.view = port_of(*view);
    how.hold = *hold;
    code = cases[0].sweep.keys.empty() ? run_case(cases[0], how) : run_sweep(cases, how);
  });
}

}  // namespace swell
