// SPDX-License-Identifier: Apache-2.0
#include "app/case_options.hpp"
#include "app/commands.hpp"
#include "comm/launch.hpp"
#include "sim/run.hpp"
#include "sim/sweep.hpp"

namespace swell {

namespace {

struct RunWords {
  CaseOptions of_case;
  bool profile = false, quiet = false, hold = false;
  std::string restart, view;
};

int run(const RunWords& words, bool with_view) {
  std::vector<Case> cases{words.of_case.read()};
  for (std::size_t i = 1; i < cases[0].sweep.values.size(); ++i) cases.push_back(words.of_case.read(i));
  for (Case& c : cases) c.profile = words.profile;
  RunOptions how{words.quiet, words.restart, &world()};
  if (with_view) how.view = port_of(words.view);
  how.hold = words.hold;
  return cases[0].sweep.keys.empty() ? run_case(cases[0], how) : run_sweep(cases, how);
}

}  // namespace

Command run_command() {
  Command command{"run", "Solve a case"};
  auto words = std::make_shared<RunWords>();
  words->of_case.add_to(command);
  command.option("--profile", words->profile, "Time every kernel and compare it with the roofline");
  command.option("--quiet", words->quiet, "Say nothing but warnings");
  command.option("--restart", words->restart, "Go on from a checkpoint: a file, or latest for the last whole one of the output folder");
  command.option("--view", words->view, "Show the run in the browser at the address that is printed; a port may follow").flag("any");
  command.option("--hold", words->hold, "Go on showing the last state after the run, until Ctrl-C").needs("--view");
  command.run = [words](const Given& given) { return run(*words, given.contains("--view")); };
  return command;
}

}  // namespace swell
