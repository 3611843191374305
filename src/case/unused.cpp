// SPDX-License-Identifier: Apache-2.0
// Values that a model has no use for are refused, so that nobody waits for their effect.
#include "base/error.hpp"
#include "case/section.hpp"

namespace swell {

namespace {

void check_diffusion(const CaseSection& root, const Case& c) {
  const CaseSection model = root.section("model");
  const bool other_flux = !c.flux.empty() && c.flux != "upwind";
  if (other_flux || c.alpha != 1)
    throw InputError("{} goes with models of waves, and model.name = \"{}\" has none: leave it out",
                     model.place(other_flux ? "flux" : "alpha"), c.model);
  const CaseSection time = root.section("time");
  if (time.has("cfl"))
    throw InputError("{} is for explicit schemes; heat has no stable step to take a part of, so give dt", time.place("cfl"));
  if (root.has("farfield"))
    throw InputError("{} goes with Maxwell's equations and acoustics, and model.name = \"{}\" has no waves: leave it out",
                     root.place("farfield"), c.model);
}

void check_levelset(const CaseSection& model, const Case& c) {
  if (!c.flux.empty() && c.flux != "upwind")
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
  if (is_diffusion(c))
    check_diffusion(root, c);
  else if (root.has("solver"))
    throw InputError("{} goes with model.name = \"heat\" or \"poisson\"", root.place("solver"));
  if (c.kind == PageKind::interface) check_levelset(root.section("model"), c);
}

}  // namespace swell
