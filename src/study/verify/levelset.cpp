// SPDX-License-Identifier: Apache-2.0
// Level sets: Zalesak's disc (1979), the vortex in a box (Rider and Kothe 1998), its sibling in space (Enright et al. 2002),
// and a profile that reinitialisation must leave alone.
#include <cmath>
#include <limits>
#include <tuple>

#include "dg/levelset/interface.hpp"
#include "sim/simulation.hpp"
#include "study/verify/verify.hpp"

namespace swell {

namespace {

constexpr const char* disc = R"toml(
[mesh.box]
low = [0, 0]
high = [1, 1]
cells = [$N, $N]
element = "$element"
[model]
name = "levelset"
order = $order
[levelset]
thickness = $thickness
every = $every
tolerance = $tolerance
length = $length
at_end = $at_end
[material]
ax = "$ax"
ay = "$ay"
[initial]
G = "$G"
[exact]
G = "$G"
[time]
end = $end
$step
)toml";

constexpr const char* sphere = R"toml(
[mesh.box]
low = [0, 0, 0]
high = [1, 1, 1]
cells = [$N, $N, $N]
element = "$element"
[model]
name = "levelset"
order = $order
[levelset]
thickness = $thickness
[material]
ax = "2*sin(pi*x)^2*sin(2*pi*y)*sin(2*pi*z)*cos(pi*t/3)"
ay = "-sin(2*pi*x)*sin(pi*y)^2*sin(2*pi*z)*cos(pi*t/3)"
az = "-sin(2*pi*x)*sin(2*pi*y)*sin(pi*z)^2*cos(pi*t/3)"
[initial]
G = "1/(1 + exp((sqrt((x - 0.35)^2 + (y - 0.35)^2 + (z - 0.35)^2) - 0.15)/$thickness))"
[exact]
G = "1/(1 + exp((sqrt((x - 0.35)^2 + (y - 0.35)^2 + (z - 0.35)^2) - 0.15)/$thickness))"
[time]
end = 3
cfl = $cfl
)toml";

constexpr const char* arc = R"toml(
[mesh.box]
low = $low
high = $high
cells = $cells
element = "$element"
[model]
name = "levelset"
order = $order
[levelset]
thickness = $thickness
every = 1
tolerance = 0
[material]
ax = 1e-12
[initial]
G = "1/(1 + exp(($r - 1)/$thickness))"
[exact]
G = "1/(1 + exp(($r - 1)/$thickness))"
[time]
end = 2
dt = 1
)toml";

InterfaceMeasures interface_at_end(Simulation& simulation) {
  simulation.advance(simulation.end());
  const Expression exact =
      Expression::parse(simulation.given().exact.at("G").text, space_time_variables, "the verification");
  return measure_interface(dynamic_cast<const LevelSetOperator&>(simulation.dg()), simulation.state(), &exact,
                           simulation.time());
}

double enclosed_error(Simulation& simulation) {
  const InterfaceMeasures found = interface_at_end(simulation);
  return std::abs(found.enclosed / found.exact - 1);
}

// In roundings, so that both precisions are judged alike: 1e-12 in double is 4500 of them.
constexpr double most_roundings = 4500;
double mass_error(Simulation& simulation) {
  const bool single = simulation.dg().problem().precision == Precision::single_;
  const double rounding = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  auto& dg = dynamic_cast<LevelSetOperator&>(simulation.dg());
  const double before = dg.measure(simulation.state())[LevelSet::mass];
  simulation.advance(simulation.end());
  return std::abs(dg.measure(simulation.state())[LevelSet::mass] / before - 1) / rounding;
}

double shape_error(Simulation& simulation) { return interface_at_end(simulation).misplaced; }

// A round profile whose centre lies outside of the box, and reinitialisations of one thickness each while nothing moves.
// A whole disc has a kink of exp(-R / eps) in its middle, so that it needs a thin profile, and h < eps / 2 takes more than a
// hundred cells a side: on fewer even interpolation has the order 4.7 at degree 4. Here eps = 0.1 has neither.
std::vector<VerifyEntry> arcs() {
  const std::map<std::string, std::string> words{{"thickness", "0.1"}, {"r", "sqrt((x + 0.3)^2 + (y + 0.3)^2)"}};
  VerifyEntry plane{"levelset-profile-arc", "an arc of a round profile after two reinitialisations", arc, words, {}};
  plane.words.insert({{"low", "[0, 0]"}, {"high", "[1, 1]"}, {"cells", "[$N, $N]"}});
  for (const char* element : {"quadrilateral", "triangle"})
    for (int order = 1; order <= 4; ++order) plane.series.push_back(study(element, order, {8, 16}, {8, 16}));
  for (int order = 1; order <= 4; ++order) plane.series[order - 1].cells.push_back(32);
  for (VerifySeries& series : plane.series)
    if (series.order > 2) series.quick.clear();
  VerifyEntry space{"levelset-profile-cap", "a cap of a ball's profile after two reinitialisations", arc, words, {}};
  space.words.insert({{"low", "[0, 0, 0]"}, {"high", "[1, 1, 1]"}, {"cells", "[$N, $N, $N]"}});
  space.words["r"] = "sqrt((x + 0.3)^2 + (y + 0.3)^2 + (z + 0.3)^2)";
  for (const auto& [element, order, cells] : {std::tuple{"hexahedron", 1, 8},
                                              {"hexahedron", 2, 8},
                                              {"hexahedron", 3, 6},
                                              {"hexahedron", 4, 5},
                                              {"tetrahedron", 1, 4},
                                              {"tetrahedron", 2, 4}})
    space.series.push_back(study(element, order, {cells, 2 * cells}));
  return {std::move(plane), std::move(space)};
}

VerifyEntry entry(std::string name, std::string about, std::map<std::string, std::string> words,
                  std::vector<VerifySeries> series, std::function<double(Simulation&)> measure, std::string quantity) {
  return {std::move(name),    std::move(about),   disc, std::move(words), std::move(series),
          std::move(measure), std::move(quantity)};
}

}  // namespace

std::vector<VerifyEntry> verify_levelset() {
  const std::map<std::string, std::string> zalesak{
      {"ax", "2*pi*(0.5 - y)"},
      {"ay", "2*pi*(x - 0.5)"},
      {"G",
       "1/(1 + exp(-min(0.15 - sqrt((x - 0.5)^2 + (y - 0.75)^2), max(abs(x - 0.5) - 0.025, y - 0.85))/$thickness))"},
      {"thickness", "0.0078125"},
      {"every", "50"},
      {"tolerance", "0.1"},
      {"length", "1"},
      {"at_end", "0"},
      {"end", "1"},
      {"step", "cfl = $cfl"}};
  const std::map<std::string, std::string> vortex{
      {"ax", "-sin(pi*x)^2*sin(2*pi*y)*cos(pi*t/8)"},
      {"ay", "sin(pi*y)^2*sin(2*pi*x)*cos(pi*t/8)"},
      {"G", "1/(1 + exp((sqrt((x - 0.5)^2 + (y - 0.75)^2) - 0.15)/$thickness))"},
      {"thickness", "0.03125"},
      {"tolerance", "0.05"},
      {"length", "1"},
      {"every", "0"},
      {"at_end", "4"},
      {"end", "8"},
      {"step", "cfl = $cfl"}};
  // Nothing moves but what reinitialisation does: ten of them, each as long as two thicknesses.
  const std::map<std::string, std::string> profile{
      {"ax", "1e-12"},
      {"ay", "0"},
      {"G", "1/(1 + exp((sqrt((x - 0.5)^2 + (y - 0.5)^2) - 0.25)/$thickness))"},
      {"thickness", "0.025"},
      {"every", "1"},
      {"tolerance", "0"},
      {"length", "2"},
      {"at_end", "0"},
      {"end", "10"},
      {"step", "dt = 1"}};
  std::vector<VerifyEntry> all{entry("levelset-zalesak-area", "Zalesak's slotted disc after one turn", zalesak,
                                     {limit("quadrilateral", 4, {64}, {}, 1e-4)}, enclosed_error, "relative area"),
                               entry("levelset-zalesak-shape", "Zalesak's slotted disc after one turn", zalesak,
                                     {limit("quadrilateral", 4, {64}, {}, 1e-3)}, shape_error, "misplaced area"),
                               entry("levelset-vortex-area", "a disc drawn to a spiral and back, T = 8", vortex,
                                     {limit("quadrilateral", 4, {64}, {}, 1e-4)}, enclosed_error, "relative area"),
                               entry("levelset-vortex-shape", "a disc drawn to a spiral and back, T = 8", vortex,
                                     {limit("quadrilateral", 4, {64}, {}, 1e-3)}, shape_error, "misplaced area")};
  VerifyEntry still{"levelset-profile", "a round profile after ten reinitialisations", disc, profile, {}};
  for (const auto& [element, order, cells] : {std::tuple{"quadrilateral", 1, 32},
                                              {"quadrilateral", 2, 32},
                                              {"quadrilateral", 3, 16},
                                              {"triangle", 1, 24},
                                              {"triangle", 2, 24},
                                              {"triangle", 3, 16}})
    still.series.push_back(study(element, order, {cells, 2 * cells}, {}));
  all.push_back(std::move(still));
  for (VerifyEntry& part : arcs()) all.push_back(std::move(part));
  all.push_back({"levelset-mass",
                 "the integral of G over a hundred cycles of transport and reinitialisation",
                 disc,
                 vortex,
                 {},
                 mass_error,
                 "relative mass, in roundings"});
  for (const auto& [element, order, quick] :
       {std::tuple{"quadrilateral", 2, 8}, {"quadrilateral", 5, 4}, {"triangle", 2, 8}, {"triangle", 5, 4}}) {
    all.back().series.push_back(limit(element, order, {8}, {quick}, most_roundings));
    all.back().series.back().words = {{"thickness", "0.06"}, {"every", "1"}, {"tolerance", "0"},   {"length", "0.25"},
                                      {"at_end", "0"},       {"end", "1"},   {"step", "dt = 0.01"}};
  }
  // The sheet is thinner than a cell: from 16 to 20 cells it comes to be resolved, and the error falls faster than by the order.
  VerifySeries sheet = below(study("hexahedron", 4, {12, 16, 20}), 2.6e-3);
  sheet.cfl = 1;
  all.push_back({"levelset-deformation-volume",
                 "a ball drawn out to a sheet in space and back, T = 3",
                 sphere,
                 {{"thickness", "0.03"}},
                 {sheet},
                 enclosed_error,
                 "relative volume"});
  return all;
}

}  // namespace swell
