// SPDX-License-Identifier: Apache-2.0
#include "sim/run.hpp"
#include "comm/launch.hpp"
#include "sim/sweep.hpp"
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
  command->callback([=, &code] {
    std::vector<Case> cases{options->read()};
    for (std::size_t run = 1; run < cases[0].sweep.values.size(); ++run) cases.push_back(options->read(run));
    for (Case& c : cases) c.profile = *profile;
    const RunOptions how{*quiet, *restart, &world()};
    code = cases[0].sweep.keys.empty() ? run_case(cases[0], how) : run_sweep(cases, how);
  });
}

}  // namespace swell
