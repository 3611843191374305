// SPDX-License-Identifier: Apache-2.0
#include "sim/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/case_options.hpp"
#include "app/commands.hpp"
#include "base/log.hpp"

namespace swell {

void add_plan(CLI::App& app, int&) {
  auto* command = app.add_subcommand(
      "plan", "What a run would cost: elements, unknowns, memory, time step, steps, time; writes nothing");
  auto options = std::make_shared<CaseOptions>();
  options->add_to(*command);
  command->callback([=] {
    const Log quiet(true);
    const Case c = options->read();
    const auto device = open_device(c.backend);
    if (!c.sweep.keys.empty()) fmt::print("runs       {} of a sweep over {}; the first:\n", c.sweep.values.size(), fmt::join(c.sweep.keys, ", "));
    fmt::print("{}", describe(plan_case(c, *device)));
  });
}

}  // namespace swell
