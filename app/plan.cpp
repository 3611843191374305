// SPDX-License-Identifier: Apache-2.0
#include "study/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "app/case_options.hpp"
#include "app/commands.hpp"
#include "base/log.hpp"
#include "study/plan_parts.hpp"

namespace swell {

namespace {

using Json = nlohmann::ordered_json;

Json as_json(const Plan& p) {
  return {{"model", p.model},         {"element", p.element},
          {"order", p.order},         {"elements", p.elements},
          {"dofs", p.dofs},           {"device_bytes", p.device_bytes},
          {"process_bytes", p.process_bytes}, {"dt", p.dt}, {"follows_state", p.follows_state},
          {"end", p.end},             {"steps", p.steps},
          {"stages", p.stages},       {"seconds", p.seconds},
          {"clusters", p.clusters ? Json(p.clusters->cells) : Json()},
          {"speedup", p.clusters ? Json(p.clusters->gain) : Json()},
          {"reinitialisation_seconds", p.reinitialisation_seconds},
          {"growth", p.growth},
          {"excess", p.excess()},
          {"points_per_wavelength", p.waves ? Json(p.waves->points) : Json()},
          {"highest_frequency", p.waves ? Json(p.waves->frequency) : Json()},
          {"cells_with_jumps", p.cells_with_jumps}};
}

Json as_json(const PartsPlan& p) {
  Json all{{"ranks", p.ranks},         {"fewest_elements", p.fewest},
          {"most_elements", p.most},  {"most_border_elements", p.most_border},
          {"most_neighbours", p.most_neighbours}, {"shared_faces", p.shared_faces},
          {"messages", p.messages},   {"bytes", p.bytes},
          {"most_bytes", p.most_bytes}};
  if (p.device_bytes) {
    all["largest_rank"] = p.largest;
    all["device_bytes"] = *p.device_bytes;
  }
  return all;
}

struct PlanWords {
  CaseOptions of_case;
  std::vector<int> ranks;
  bool json = false;
};

void plan(const PlanWords& words) {
  const Log quiet(true);
  const Case c = words.of_case.read();
  const auto device = open_device(c.backend);
  const Plan whole = plan_case(c, *device);
  const auto parts = plan_parts(c, words.ranks, *device);
  if (words.json) {
    Json all = as_json(whole);
    for (const PartsPlan& p : parts) all["parts"].push_back(as_json(p));
    fmt::print("{}\n", all.dump(2));
    return;
  }
  if (!c.sweep.keys.empty())
    fmt::print("runs       {} of a sweep over {}; the first:\n", c.sweep.values.size(), fmt::join(c.sweep.keys, ", "));
  fmt::print("{}", describe(whole));
  for (const PartsPlan& p : parts) fmt::print("{}", describe(p));
}

}  // namespace

Command plan_command() {
  Command command{"plan", "Predicts the cost of a run: elements, unknowns, memory, time step, steps, time; writes nothing"};
  auto words = std::make_shared<PlanWords>();
  words->of_case.add_to(command);
  command.option("--ranks", words->ranks, "Also how the mesh is shared out to so many ranks, and what they send each other and, of heat, hold")
      .within(2, 1 << 20)
      .list();
  command.option("--json", words->json, "As JSON");
  command.run = [words](const Given&) {
    plan(*words);
    return 0;
  };
  return command;
}

}  // namespace swell
