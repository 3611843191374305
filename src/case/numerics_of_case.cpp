// SPDX-License-Identifier: Apache-2.0
#include "case/numerics_of_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"

namespace swell {

std::string case_name(const Case& c) { return c.file.empty() ? "the case" : c.file.filename().string(); }

// "upwind" is derived where a linear model has none; central and rusanov every model has.
void take_flux(const Case& c, Problem& p) {
  std::vector<std::string> known{"upwind", "central", "rusanov"};
  for (const auto& name : p.model.fluxes)
    if (name != "upwind") known.push_back(name);
  const std::string& flux = c.flux.empty() ? p.model.default_flux : c.flux;
  if (std::find(known.begin(), known.end(), flux) == known.end())
    throw InputError("model.flux in {} must be one of {}, not \"{}\"{}.", case_name(c), fmt::join(known, ", "), flux, name_hint(flux, known));
  const double whole = flux == "central" ? 0 : 1;
  if (flux != "upwind" && c.flux.empty() && c.alpha != whole)
    throw InputError("model.alpha in {} blends the central and the upwind flux, but the model '{}' takes the flux \"{}\": leave it out.",
                     case_name(c), p.model.name, flux);
  p.flux = flux == "rusanov" ? FluxKind::rusanov : FluxKind::blend;
  p.alpha = flux == "central" ? 0 : c.alpha;
  if (flux != "central" && flux != "rusanov") p.riemann = flux;
}

namespace {

[[noreturn]] void no_use(const char* key, const Case& c, const Model& model) {
  throw InputError("model.{} in {} goes with nonlinear models and family = \"nodal\", and '{}' has no use for it: leave it out.", key,
                   case_name(c), model.name);
}

void take_form(const Case& c, Problem& p) {
  if (c.form == "auto") p.volume_form = c.pair.empty() ? VolumeForm::automatic : VolumeForm::split;
  if (c.form == "quadrature") p.volume_form = VolumeForm::quadrature;
  if (c.form == "split") p.volume_form = VolumeForm::split;
  p.degree = c.degree.value_or(0);
  const auto& pairs = p.model.pairs;
  if (p.volume_form == VolumeForm::split && pairs.empty())
    throw InputError("model.form = \"split\" in {} needs a two-point flux, but the model '{}' has no function pair_NAME.", case_name(c),
                     p.model.name);
  if (!c.pair.empty() && std::find(pairs.begin(), pairs.end(), c.pair) == pairs.end())
    throw InputError("model.pair in {} must be one of {}, not \"{}\"{}.", case_name(c), fmt::join(pairs, ", "), c.pair, name_hint(c.pair, pairs));
  p.pair = !c.pair.empty() ? c.pair : pairs.empty() ? "" : pairs.front();
}

// Limiters and filters, which change the state after a stage.
void take_limits(const Case& c, Problem& p) {
  const bool staged = c.scheme == "lsrk54" || c.scheme == "ssprk33", judged = !p.model.admissible.empty();
  const bool asks = c.positivity.value_or(false) || (c.shocks != "auto" && c.shocks != "none");
  const char* const key = c.positivity.value_or(false) ? "positivity" : "shocks";
  if (asks && !staged)
    throw InputError("model.{} in {} changes the state after each stage, which time.scheme = \"lsrk54\" and \"ssprk33\" take, not \"{}\".", key,
                     case_name(c), c.scheme);
  if (asks && !judged)
    throw InputError("model.{} in {} needs to know which states are admissible, and the model '{}' has no function admissible.", key,
                     case_name(c), p.model.name);
  if (c.shocks == "filter" && !p.model.has("entropy"))
    throw InputError("model.shocks = \"filter\" in {} keeps the entropy from falling, and the model '{}' has no function entropy.", case_name(c),
                     p.model.name);
  if (c.positivity && !*c.positivity && c.shocks != "auto" && c.shocks != "none")
    throw InputError("model.shocks = \"{}\" in {} needs model.positivity: leave \"positivity = false\" out.", c.shocks, case_name(c));
  p.positivity = c.positivity.value_or(staged && judged);
  const bool automatic = c.shocks == "auto" && p.positivity && p.model.has("entropy");
  if (automatic || c.shocks == "filter") p.shocks = ShockDevice::filter;
  if (c.filter) p.filter = {c.filter->strength, c.filter->order, c.filter->cutoff};
}

}  // namespace

void take_nonlinear(const Case& c, Problem& p) {
  if (!p.model.linear && p.model.kind() == PageKind::hyperbolic && p.family == Family::nodal) {
    take_form(c, p);
    take_limits(c, p);
    return;
  }
  const std::pair<const char*, bool> given[] = {{"form", c.form != "auto"},
                                                {"pair", !c.pair.empty()},
                                                {"shocks", c.shocks != "auto" && c.shocks != "none"},
                                                {"positivity", c.positivity.value_or(false)},
                                                {"filter", c.filter.has_value()}};
  for (const auto& [key, is_given] : given)
    if (is_given) no_use(key, c, p.model);
}

}  // namespace swell
