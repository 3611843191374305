// SPDX-License-Identifier: Apache-2.0
// Maxwell's equations in the plane: cavities with perfectly conducting walls, straight and round.
#include <algorithm>
#include <cmath>

#include "sim/simulation.hpp"
#include "study/verify/verify.hpp"

namespace swell {

namespace {

// Hesthaven and Warburton (2008), section 6.5: Ez = sin(pi x) sin(pi y) cos(w t), w = sqrt(2) pi.
constexpr const char* cavity = R"toml(
[mesh.box]
low = [-1, -1]
high = [1, 1]
cells = [$N, $N]
element = "$element"
[model]
name = "$model"
order = $order
flux = "$flux"
[boundary]
xmin = "pec"
xmax = "pec"
ymin = "pec"
ymax = "pec"
[initial]
$initial
[exact]
$exact
[time]
end = $end
cfl = $cfl
)toml";

const std::map<std::string, std::string> tm_mode{{"model", "maxwell-tm"},
                                                 {"flux", "upwind"},
                                                 {"end", "1"},
                                                 {"w", "(sqrt(2)*pi)"},
                                                 {"initial", "Ez = \"sin(pi*x)*sin(pi*y)\""},
                                                 {"exact", R"toml(
Hx = "-pi/$w*sin(pi*x)*cos(pi*y)*sin($w*t)"
Hy = "pi/$w*cos(pi*x)*sin(pi*y)*sin($w*t)"
Ez = "sin(pi*x)*sin(pi*y)*cos($w*t)")toml"}};

const std::map<std::string, std::string> te_mode{{"model", "maxwell-te"},
                                                 {"flux", "upwind"},
                                                 {"end", "1"},
                                                 {"w", "(sqrt(2)*pi)"},
                                                 {"initial", "Hz = \"cos(pi*x)*cos(pi*y)\""},
                                                 {"exact", R"toml(
Ex = "-pi/$w*cos(pi*x)*sin(pi*y)*sin($w*t)"
Ey = "pi/$w*sin(pi*x)*cos(pi*y)*sin($w*t)"
Hz = "cos(pi*x)*cos(pi*y)*cos($w*t)")toml"}};

// Ez = J6(k r) cos(6 theta) cos(k t) with J6(k) = 0; the derivatives of J6 cos(6 theta) come from the ladder of Bessel
// functions. Judged by Ez: on quadrilaterals of order 4 the magnetic field, whose normal part no flux damps, converges
// with 4.5 only.
constexpr const char* disc = R"toml(
[mesh.disc]
cells = $N
element = "$element"
geometry_order = $geometry
[model]
name = "maxwell-tm"
order = $order
[boundary]
rim = "pec"
[initial]
Ez = "jn(6, $k*$r)*cos(6*$angle)"
[exact]
Hx = "0.5*sin($k*t)*(jn(5, $k*$r)*sin(5*$angle) + jn(7, $k*$r)*sin(7*$angle))"
Hy = "0.5*sin($k*t)*(jn(5, $k*$r)*cos(5*$angle) - jn(7, $k*$r)*cos(7*$angle))"
Ez = "jn(6, $k*$r)*cos(6*$angle)*cos($k*t)"
[time]
end = 0.5
cfl = $cfl
)toml";

// The largest growth of the energy from one step to the next, over the energy at the start.
double largest_energy_growth(Simulation& simulation) {
  const double start = simulation.energy();
  double last = start, growth = 0;
  simulation.advance(simulation.end(), [&] {
    const double now = simulation.energy();
    growth = std::max(growth, now - last);
    last = now;
    return true;
  });
  return growth / start;
}

// What the energy gained or lost from start to end.
double energy_change(Simulation& simulation) {
  const double start = simulation.energy();
  simulation.advance(simulation.end());
  return std::abs(simulation.energy() / start - 1);
}

// What an upwind nodal solver gives on 2 N^2 right triangles at T = 1.
VerifySeries with_reference(VerifySeries series, double at_8, double at_16) {
  series.reference = {{8, at_8}, {16, at_16}};
  return series;
}

VerifySeries on_disc(const char* element, int order, int geometry, double expected, std::vector<int> cells,
                     std::vector<int> quick) {
  VerifySeries series = study(element, order, std::move(cells), std::move(quick));
  series.expected_order = expected;
  series.words = {{"geometry", std::to_string(geometry)}};
  return series;
}

std::map<std::string, std::string> changed(std::map<std::string, std::string> words,
                                           const std::map<std::string, std::string>& changes) {
  for (const auto& [word, value] : changes) words[word] = value;
  return words;
}

}  // namespace

std::vector<VerifyEntry> verify_maxwell_plane() {
  VerifyEntry tm{"maxwell-tm-cavity", "mode (1,1) of a square cavity, electric field across", cavity, tm_mode, {}};
  tm.series = {study("triangle", 1, {16, 32}),
               with_reference(study("triangle", 2, {8, 16}, {8, 16}), 5.81e-3, 7.03e-4),
               with_reference(study("triangle", 3, {8, 16}, {8, 16}), 4.89e-4, 3.02e-5),
               with_reference(study("triangle", 4, {8, 16}), 3.50e-5, 1.08e-6),
               with_reference(study("triangle", 5, {8, 16}), 2.11e-6, 3.26e-8),
               study("quadrilateral", 1, {16, 32}),
               study("quadrilateral", 2, {8, 16}),
               study("quadrilateral", 3, {8, 16}, {4, 8}),
               study("quadrilateral", 4, {8, 16}),
               study("quadrilateral", 5, {8, 16})};
  VerifyEntry te{"maxwell-te-cavity", "mode (1,1) of a square cavity, magnetic field across", cavity, te_mode,
                 plane_studies()};

  VerifyEntry upwind{"maxwell-energy-upwind",
                     "with the upwind flux the energy never grows",
                     cavity,
                     changed(tm_mode, {{"end", "20"}}),
                     {},
                     largest_energy_growth,
                     "largest growth of the energy in a step"};
  upwind.series = {limit("triangle", 3, {4}, {4}, 1e-15), limit("quadrilateral", 3, {4}, {4}, 1e-15)};
  VerifyEntry central{"maxwell-energy-central",
                      "with the central flux the energy has no trend",
                      cavity,
                      changed(tm_mode, {{"end", "4"}, {"flux", "central"}}),
                      {},
                      energy_change,
                      "change of the energy"};
  central.series = {limit("triangle", 5, {4}, {4}, 1e-9, 0.15), limit("quadrilateral", 5, {4}, {4}, 1e-9, 0.15)};

  VerifyEntry round{"maxwell-disc",
                    "Bessel mode (6,2) of a disc: order p+1 with curved elements, 2 with straight ones",
                    disc,
                    {{"k", "13.5892901705412"}, {"r", "sqrt(x^2 + y^2)"}, {"angle", "atan2(y, x)"}},
                    {},
                    field_error("Ez"),
                    "relative L2 of Ez"};
  round.series = {on_disc("triangle", 2, 2, 3, {8, 16, 32}, {}),
                  on_disc("triangle", 3, 3, 4, {8, 16}, {4, 8}),
                  on_disc("triangle", 4, 4, 5, {8, 16}, {}),
                  on_disc("triangle", 4, 1, 2, {8, 16}, {8, 16}),
                  on_disc("quadrilateral", 2, 2, 3, {8, 16, 32}, {}),
                  on_disc("quadrilateral", 3, 3, 4, {8, 16}, {8, 16}),
                  on_disc("quadrilateral", 4, 4, 5, {8, 16, 32}, {}),
                  on_disc("quadrilateral", 4, 1, 2, {8, 16}, {})};

  VerifyEntry floor{
      "maxwell-tm-floor", "orders 10 and 12 reach rounding", cavity, changed(tm_mode, {{"end", "0.25"}}), {}};
  floor.series = {limit("triangle", 12, {6}, {}, 1e-12, 0.1), limit("quadrilateral", 12, {6}, {6}, 1e-12, 0.1),
                  limit("triangle", 10, {8}, {}, 1e-12, 0.1), limit("quadrilateral", 10, {8}, {}, 1e-12, 0.1)};
  return {tm, te, upwind, central, round, floor};
}

}  // namespace swell
