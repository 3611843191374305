// SPDX-License-Identifier: Apache-2.0
// Keys that a model has no use for. They are refused, so that nobody waits for their effect.
#include "base/error.hpp"
#include "sim/case_section.hpp"

namespace swell {

namespace {

[[noreturn]] void fail_steady(const std::string& place) {
  throw InputError("{} has no meaning with model.name = \"poisson\", which is steady: leave it out", place);
}

void check_steady(const CaseSection& root) {
  for (const char* const name : {"time", "initial"})
    if (const CaseSection section = root.section(name); !section.table().empty())
      fail_steady(section.place(section.table().begin()->first.str()));
  const CaseSection output = root.section("output");
  if (output.has("energy_every")) fail_steady(output.place("energy_every"));
  std::vector<CaseSection> repeated = root.sections("receiver");
  for (const char* const name : {"fields", "picture"}) repeated.push_back(output.section(name));
  for (const CaseSection& section : repeated)
    if (section.real("every").value_or(0) > 0) fail_steady(section.place("every"));
}

void check_diffusion(const CaseSection& root, const Case& c) {
  const CaseSection model = root.section("model");
  for (const char* const name : {"flux", "alpha"})
    if (model.has(name))
      throw InputError("{} goes with models of waves, and model.name = \"{}\" has none: leave it out", model.place(name),
                       c.model);
  if (root.has("farfield"))
    throw InputError("{} goes with Maxwell's equations and acoustics, and model.name = \"{}\" has no waves: leave it out",
                     root.place("farfield"), c.model);
}

void check_levelset(const CaseSection& model, const Case& c) {
  if (c.flux != "upwind")
    throw InputError("{} is \"{}\", but the model 'levelset' takes upwind", model.place("flux"), c.flux);
  if (c.alpha != 1)
    throw InputError("{} is {}, but the model 'levelset' takes the whole upwind flux: leave it out",
                     model.place("alpha"), c.alpha);
  if (c.coefficient_order != c.order)
    throw InputError("{} is {}, but the model 'levelset' takes its velocity to model.order: leave it out",
                     model.place("coefficient_order"), c.coefficient_order);
}

}  // namespace

void check_unused(const CaseSection& root, const Case& c) {
  if (is_diffusion(c)) check_diffusion(root, c);
  if (c.model == "poisson") check_steady(root);
  if (c.model == "levelset") check_levelset(root.section("model"), c);
}

}  // namespace swell
