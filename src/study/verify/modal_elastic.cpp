// SPDX-License-Identifier: Apache-2.0
// Elastic waves in modes: the periodic case of Castro, Behrens and Pelties (2013), section 4.4, in both precisions; a medium
// that varies smoothly, in their quasi-conservative form, eqs. (27) to (30); and layers.
#include <fmt/format.h>

#include <cmath>

#include "sim/simulation.hpp"
#include "study/verify/families.hpp"

namespace swell {

namespace {

// A medium without reflections: impedances rho cp = 2 and rho cs = 1 everywhere, and the slowness 1 / cs = g(s), s = x + y.
// In the time of travel, sqrt(1/2) times the integral G of g, waves keep their form: P = f(G - 2 sqrt(2) t) along (1, 1) and
// S = f(G + sqrt(2) t) against it, with the eigenvectors of one medium, since lambda / mu is 2 everywhere.
constexpr const char* graded = R"toml(
[mesh.box]
low = [-0.5, -0.5]
high = [0.5, 0.5]
cells = [$N, $N]
element = "$element"
periodic = [true, true]
[model]
name = "elastic"
family = "modal"
order = $order
coefficient_order = $m
[material]
rho = "$g"
mu = "1/$g"
lambda = "2/$g"
[initial]
sxx = "2*$start"
syy = "4*$start"
sxy = "$start"
vx = "-3*sqrt(0.5)*$start"
vy = "-sqrt(0.5)*$start"
[exact]
sxx = "3*$P - $S"
syy = "3*$P + $S"
sxy = "$P"
vx = "sqrt(0.5)*(-2*$P - $S)"
vy = "sqrt(0.5)*(-2*$P + $S)"
[time]
end = 0.5
scheme = "$scheme"
cfl = $cfl
)toml";

// Speeds 2 and 1, density 1 on the left; 3 and 1.5, density 2 on the right: impedances 2 and 1 meet 6 and 3, so that of both
// waves (Z1 - Z2) / (Z1 + Z2) = -1/2 comes back and 2 Z1 / (Z1 + Z2) = 1/2 goes on. s = -+ Z v for waves to the right and left.
constexpr const char* layers = R"toml(
[mesh.box]
low = [-1, 0]
high = [1, 1]
cells = [$N, $half]
element = "$element"
periodic = [false, true]
[model]
name = "elastic"
family = "modal"
order = $order
[material]
rho = "if(x < 0, 1, 2)"
lambda = "if(x < 0, 2, 9)"
mu = "if(x < 0, 1, 4.5)"
[boundary]
xmin = "absorbing"
xmax = "absorbing"
[initial]
$initial
[time]
end = $end
scheme = "ader"
cfl = $cfl
)toml";

constexpr const char* normal_start = R"toml(
sxx = "if(x < 0, -2*$P0 - $Q0, -3*$R0)"
syy = "if(x < 0, -$P0 - 0.5*$Q0, -1.5*$R0)"
vx = "if(x < 0, $P0 - 0.5*$Q0, 0.5*$R0)"
sxy = "if(x < 0, -$P0 - 0.5*$Q0, -1.5*$R0)"
vy = "if(x < 0, $P0 - 0.5*$Q0, 0.5*$R0)"
[exact]
sxx = "if(x < 0, -2*$P - $Q, -3*$R)"
syy = "if(x < 0, -$P - 0.5*$Q, -1.5*$R)"
vx = "if(x < 0, $P - 0.5*$Q, 0.5*$R)"
sxy = "if(x < 0, -$A - 0.5*$B, -1.5*$C)"
vy = "if(x < 0, $A - 0.5*$B, 0.5*$C)"
)toml";

std::string pulse(const std::string& place) { return fmt::format("exp(-({})^2/0.01)", place); }

// Of both families, after the same time and relative to the nodal one, over all values at nodes.
double difference_of_families(Simulation& modal) {
  Case other = modal.given();
  other.family = "nodal";
  Simulation nodal(other, modal.dg().device());
  const auto values = [](Simulation& run) {
    run.advance(run.end());
    const std::size_t count = run.dg().element().node_count * run.dg().fields();
    std::vector<double> all(run.mesh().cell_count() * count);
    run.dg().states().read_state(run.state(), [&](std::int64_t cell, const double* of_cell) {
      std::copy_n(of_cell, count, all.begin() + cell * count);
    });
    return all;
  };
  const auto a = values(modal), b = values(nodal);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

VerifyEntry graded_medium() {
  VerifyEntry entry{"modal-elastic-graded",
                    "a P and an S wave in a smoothly varying medium of constant impedance",
                    graded,
                    {{"g", "(1 + 0.3*cos(2*pi*(x + y)))"},
                     {"G", "(2*pi*(x + y) + 0.3*sin(2*pi*(x + y)))"},
                     {"start", "sin($G)"},
                     {"P", "sin($G - 4*sqrt(2)*pi*t)"},
                     {"S", "sin($G + 2*sqrt(2)*pi*t)"},
                     {"scheme", "ader"}},
                    {}};
  entry.series = at_full_step({study("triangle", 1, {32, 64}), study("triangle", 2, {16, 32}),
                               study("triangle", 3, {8, 16}, {8, 16}), study("triangle", 4, {8, 16}),
                               study("triangle", 5, {8, 16}), study("triangle", 6, {8, 16}),
                               study("quadrilateral", 1, {32, 64}), study("quadrilateral", 2, {16, 32}),
                               study("quadrilateral", 3, {8, 16}), study("quadrilateral", 4, {8, 16}),
                               study("quadrilateral", 5, {8, 16}), study("quadrilateral", 6, {8, 16})});
  entry.series = at_full_coefficients(entry.series);
  entry.series.push_back(with(lost("triangle", 3, {16, 32}, {}, 2.25), {{"m", "0"}}));
  return entry;
}

std::vector<VerifyEntry> layered_media() {
  VerifyEntry normal{"modal-layers",
                     "a P and an S wave that meet a stiffer layer",
                     layers,
                     {{"initial", normal_start}, {"end", "0.5"},
                      {"P0", pulse("x + 0.5")}, {"Q0", pulse("-x + 0.5")}, {"R0", pulse("2/3*x + 0.5")},
                      {"P", pulse("x + 0.5 - 2*t")}, {"Q", pulse("-x + 0.5 - 2*t")}, {"R", pulse("2/3*x + 0.5 - 2*t")},
                      {"A", pulse("x + 0.5 - t")}, {"B", pulse("-x + 0.5 - t")}, {"C", pulse("2/3*x + 0.5 - t")}},
                     {}};
  normal.series = at_full_step({up_to_phase(study("triangle", 2, {32, 64})), study("triangle", 3, {32, 64}),
                                study("triangle", 4, {32, 64}), up_to_phase(study("quadrilateral", 2, {32, 64})),
                                up_to_phase(study("quadrilateral", 3, {16, 32})), up_to_phase(study("quadrilateral", 4, {32, 64})),
                                study("quadrilateral", 5, {32, 64})});
  VerifyEntry both{"modal-layers-nodal",
                   "a blow beside a stiffer layer, in modes and at nodes",
                   layers,
                   {{"initial", "vx = \"exp(-((x + 0.5)^2 + (y - 0.5)^2)/0.01)\""}, {"end", "0.3"}},
                   {},
                   difference_of_families,
                   "difference of the families, relative L2"};
  both.series = at_full_step({up_to_phase(study("quadrilateral", 2, {32, 64})), study("quadrilateral", 3, {32, 64}),
                              study("quadrilateral", 4, {48, 96}), study("quadrilateral", 5, {32, 64}),
                              limit("triangle", 3, {16}, {16}, 1e-12)});
  return {normal, both};
}

}  // namespace

std::vector<VerifyEntry> verify_modal_elastic() {
  VerifyEntry periodic = with_ader(verify_elastic(), "elastic-periodic", "modal-elastic", "modal");
  periodic.series =
      at_full_step({study("triangle", 1, {64, 128}), study("triangle", 2, {32, 64}), study("triangle", 3, {8, 16}, {8, 16}),
                    study("triangle", 4, {8, 16}), study("triangle", 5, {8, 16}), study("triangle", 6, {8, 16}),
                    study("quadrilateral", 1, {64, 128}), study("quadrilateral", 2, {16, 32}),
                    study("quadrilateral", 3, {8, 16}), study("quadrilateral", 4, {8, 16}),
                    study("quadrilateral", 5, {8, 16}), study("quadrilateral", 6, {4, 8})});
  VerifyEntry single = periodic;
  single.name = "modal-elastic-single";
  single.about += ", single precision";
  for (auto& series : single.series) series = in_single(series);
  std::vector<VerifyEntry> all{periodic, single, graded_medium()};
  for (auto& entry : layered_media()) all.push_back(entry);
  return all;
}

}  // namespace swell
