// SPDX-License-Identifier: Apache-2.0
// The modal family with ADER at cfl = 0.9: Castro, Behrens and Pelties (2013), CUDA-C implementation of the ADER-DG method,
// tests 1 to 3 and the elastic one.
#include <algorithm>
#include <stdexcept>

#include "sim/verify.hpp"

namespace swell {

namespace {

// Test 2: the velocity changes along x' = (x + y) / sqrt(2), with lambda = sqrt(2) / 2, which makes it periodic (with the
// printed 2 / sqrt(2) it is not). Every orbit has the period integral of dx' / v over sqrt(2).
constexpr const char* shear = R"toml(
[mesh.box]
low = [-0.5, -0.5]
high = [0.5, 0.5]
cells = [$N, $N]
element = "$element"
periodic = [true, true]
[model]
name = "advection"
family = "modal"
order = $order
coefficient_order = $m
[material]
ax = "sqrt(0.5)*(1 + 0.2*cos(2*pi*(x + y)))"
ay = "sqrt(0.5)*(1 + 0.2*cos(2*pi*(x + y)))"
[initial]
u = "$u"
[exact]
u = "$u"
[time]
end = 1.443375672974065
scheme = "ader"
cfl = $cfl
)toml";

void replace(std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("a case has no " + from);
  text.replace(at, from.size(), to);
}

// An entry of the nodal family again, in modes and with ADER.
VerifyEntry in_modes(const std::vector<VerifyEntry>& entries, const std::string& name, const std::string& as) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
  if (found == entries.end()) throw std::logic_error("there is no entry " + name);
  VerifyEntry entry = *found;
  entry.name = as;
  entry.about += ", modal with ADER";
  replace(entry.text, "[model]", "[model]\nfamily = \"modal\"");
  replace(entry.text, "[time]", "[time]\nscheme = \"ader\"");
  entry.series.clear();
  return entry;
}

VerifySeries with(VerifySeries series, std::map<std::string, std::string> words) {
  series.words = std::move(words);
  return series;
}

std::vector<VerifySeries> at_full_step(std::vector<VerifySeries> all) {
  for (auto& series : all) series.cfl = 0.9;
  return all;
}

}  // namespace

std::vector<VerifyEntry> verify_modal() {
  const auto transport = verify_advection(), waves = verify_elastic();
  VerifyEntry first = in_modes(transport, "advection-gaussian", "modal-gaussian");
  first.series = at_full_step({study("triangle", 1, {64, 128}), below(study("triangle", 2, {32, 64}), 1.6e-3),
                               below(study("triangle", 3, {16, 32}, {16, 32}), 8e-4),
                               study("triangle", 4, {16, 32}), study("triangle", 5, {12, 24}),
                               study("triangle", 6, {20, 40}), study("triangle", 7, {16, 32}),
                               study("quadrilateral", 1, {128, 256}), below(study("quadrilateral", 2, {32, 64}), 1.5e-3),
                               below(study("quadrilateral", 3, {16, 32}, {16, 32}), 6e-4),
                               study("quadrilateral", 4, {16, 32}), study("quadrilateral", 5, {16, 32}),
                               study("quadrilateral", 6, {16, 32}), study("quadrilateral", 7, {12, 24})});

  const std::string images = "(exp(-$1^2/0.005) + exp(-($1 + 1)^2/0.005) + exp(-($1 - 1)^2/0.005))";
  const std::map<std::string, std::string> start{
      {"u", "0.2*" + filled(images, {{"1", "x"}}) + "*" + filled(images, {{"1", "y"}})}};
  VerifyEntry second{"modal-shear", "a Gaussian in a velocity that changes across the flow, coefficients of full order", shear,
                     start, {}};
  second.series = at_full_step(
      {with(below(study("triangle", 2, {32, 64}), 4e-3), {{"m", "2"}}),
       with(below(study("triangle", 3, {16, 32}, {16, 32}), 3.5e-3), {{"m", "3"}}),
       with(below(study("triangle", 4, {16, 32}), 2.5e-4), {{"m", "4"}}),
       with(below(study("triangle", 5, {12, 24}), 1e-4), {{"m", "5"}}),
       with(below(study("triangle", 6, {8, 16}), 5e-4), {{"m", "6"}}),
       with(below(study("quadrilateral", 2, {32, 64}), 4e-3), {{"m", "2"}}),
       with(below(study("quadrilateral", 3, {16, 32}), 3e-3), {{"m", "3"}}),
       with(below(study("quadrilateral", 4, {16, 32}), 2e-4), {{"m", "4"}})});

  VerifyEntry third = in_modes(transport, "advection-swirl", "modal-swirl");
  third.series = at_full_step({below(study("triangle", 3, {16, 32}), 2.4e-3)});
  VerifyEntry half = in_modes(transport, "advection-swirl-half", "modal-swirl-half");
  half.series = at_full_step({limit("triangle", 4, {12}, {}, 2e-2)});

  VerifyEntry elastic = in_modes(waves, "elastic-periodic", "modal-elastic");
  elastic.series =
      at_full_step({study("triangle", 1, {32, 64}), study("triangle", 2, {16, 32}), study("triangle", 3, {8, 16}, {8, 16}),
                    study("triangle", 4, {8, 16}), study("triangle", 5, {8, 16}), study("triangle", 6, {4, 8}),
                    below(study("quadrilateral", 2, {16, 32}), 2e-3), study("quadrilateral", 3, {8, 16}),
                    study("quadrilateral", 4, {8, 16})});
  return {first, second, third, half, elastic};
}

}  // namespace swell
