// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "sim/heat/heat.hpp"
#include "study/verify/verify.hpp"

namespace swell {

namespace {

constexpr const char* plane_box = "box = { low = [0, 0], high = [1, 1], cells = [$N, $N], element = \"$element\" }";
constexpr const char* space_box =
    "box = { low = [0, 0, 0], high = [1, 1, 1], cells = [$N, $N, $N], element = \"$element\" }";

// $mesh, $material, $boundary, $rest (initial, exact, source, solver) and $time are words.
constexpr const char* heat = R"toml(
[mesh]
$mesh
[model]
name = "heat"
order = $order
[material]
$material
[boundary]
$boundary
[time]
$time
[solver]
tolerance = $tolerance
$rest
)toml";

constexpr const char* poisson = R"toml(
[mesh]
$mesh
[model]
name = "poisson"
order = $order
[material]
$material
[boundary]
$boundary
[solver]
tolerance = $tolerance
$rest
)toml";

constexpr const char* tight = "1e-13";

VerifySeries in_steps(std::string element, int order, std::vector<int> steps, std::vector<int> quick, double expected,
                      double at_most) {
  VerifySeries series{std::move(element), order, std::move(steps), std::move(quick)};
  series.expected_order = expected;
  series.at_most = at_most;
  return series;
}

std::function<double(HeatSimulation&)> distance_at(std::vector<std::pair<std::vector<double>, double>> values) {
  return [values](HeatSimulation& simulation) {
    simulation.finish();
    double largest = 0;
    for (const auto& [at, expected] : values)
      largest = std::max(largest, std::abs(simulation.value_at(simulation.fields().front(), at) - expected));
    return largest;
  };
}

// The slab of issue 5: L = k = rhoC = q = 1, insulated at x = 0, at t = 0.1.
VerifyEntry slab() {
  return {"heat-slab",
          "a slab heated from one side, T at 0, 0.5 and 1 at t = 0.1; N steps",
          heat,
          {{"mesh", "box = { low = [0, 0], high = [1, 0.25], cells = [16, 1], element = \"$element\" }"},
           {"material", ""},
           {"boundary", "xmax = { kind = \"flux\", q = 1 }"},
           {"time", "end = 0.1\ndt = $tenth\nscheme = \"bdf2\""},
           {"tolerance", tight},
           {"rest", ""}},
          {in_steps("quadrilateral", 6, {400, 800}, {50, 100}, 2, 1e-4),
           in_steps("triangle", 6, {400, 800}, {}, 2, 1e-6)},
          {},
          "largest difference",
          distance_at({{{0, 0.1}, 0.007885292895291}, {{0.5, 0.1}, 0.059310893702838}, {{1, 0.1}, 0.35682624600865}})};
}

// cos(pi x) decays with exp(-pi^2 t); after n steps a scheme has the power n of its own factor.
VerifyEntry theta(const std::string& value, double order, double time_discrete) {
  const std::map<std::string, std::string> words{
      {"mesh", "box = { low = [0, 0], high = [1, 0.5], cells = [4, 1], element = \"$element\" }"},
      {"material", ""},
      {"boundary", ""},
      {"time", fmt::format("end = 0.1\ndt = $tenth\ntheta = {}", value)},
      {"tolerance", tight},
      {"rest", "[initial]\nT = \"cos(pi*x)\"\n[exact]\nT = \"exp(-pi^2*t)*cos(pi*x)\""}};
  VerifyEntry entry{fmt::format("heat-theta-{}", value), fmt::format("cos(pi x) to t = 0.1 with theta = {}; N steps", value), heat, words, {}};
  if (time_discrete == 0) {
    entry.series = {in_steps("quadrilateral", 8, {40, 80, 160}, {40, 80}, order, 1)};
    entry.series.front().at_most = std::numeric_limits<double>::infinity();
    return entry;
  }
  entry.name += "-discrete";
  entry.about += ", against the time-discrete answer";
  entry.quantity = "difference at x = 0";
  entry.series = {limit("quadrilateral", 8, {40}, {40}, 1e-10), limit("triangle", 8, {40}, {}, 1e-10)};
  entry.measure_heat = distance_at({{{0, 0.1}, time_discrete}});
  return entry;
}

// On a uniform mesh cos(pi x) is an eigenvector of linear elements too, with the eigenvalue
// (6/h^2) (1 - cos(pi h)) / (2 + cos(pi h)): 9.90135367839898 for h = 1/16.
VerifyEntry fully_discrete(const std::string& element) {
  constexpr double eigenvalue = 9.90135367839898, dt = 0.01;
  constexpr int steps = 10;
  const double factor = (1 - dt * eigenvalue / 2) / (1 + dt * eigenvalue / 2);
  const bool solid = element == "hexahedron";
  return {fmt::format("heat-discrete-{}", element),
          "cos(pi x) on linear elements, against the fully discrete answer",
          heat,
          {{"mesh", solid ? "box = { low = [0, 0, 0], high = [1, 0.25, 0.25], cells = [$N, 4, 4], element = \"$element\" }"
                          : "box = { low = [0, 0], high = [1, 0.25], cells = [$N, 4], element = \"$element\" }"},
           {"material", ""},
           {"boundary", ""},
           {"time", "steps = 10\ndt = 0.01"},
           {"tolerance", "1e-14"},
           {"rest", "[initial]\nT = \"cos(pi*x)\""}},
          {limit(element, 1, {16}, {16}, 1e-11)},
          {},
          "largest difference",
          distance_at({{solid ? std::vector<double>{0, 0, 0} : std::vector<double>{0, 0}, std::pow(factor, steps)},
                       {solid ? std::vector<double>{1, 0.25, 0} : std::vector<double>{1, 0}, -std::pow(factor, steps)}})};
}

// The seed's box of 30 x 30 x 10 mm: 1000 W/m^2 through its top give 2.7778 K in 100 s.
VerifyEntry seed_box() {
  return {"heat-box",
          "the seed's steel box heated from above: mean temperature after 100 s",
          heat,
          {{"mesh", "box = { low = [0, 0, 0], high = [0.03, 0.03, 0.01], cells = [$N, $N, $half], element = \"$element\" }"},
           {"material", "rhoC = 3.6e6\nk = 45"},
           {"boundary", "zmax = { kind = \"flux\", q = 1000 }"},
           {"time", "end = 100\ndt = 5"},
           {"tolerance", tight},
           {"rest", ""}},
          {limit("tetrahedron", 1, {8}, {8}, 1e-12), limit("hexahedron", 2, {4}, {}, 1e-12)},
          {},
          "relative difference",
          [](HeatSimulation& simulation) {
            simulation.finish();
            return std::abs(simulation.stored_heat() / (3.6e6 * 9e-6) / 2.777777777777778 - 1);
          }};
}

// What is stored in a step is what has come in, whatever the flux and the material.
VerifyEntry balance() {
  return {"heat-balance",
          "heat stored in each step against what came in through the boundary",
          heat,
          {{"mesh", plane_box},
           {"material", "rhoC = \"1 + x\"\nk = \"2 + sin(3*y)\""},
           {"boundary", "xmax = { kind = \"flux\", q = \"1 + t\" }"},
           {"time", "steps = 10\ndt = 0.01"},
           {"tolerance", "1e-15"},
           {"rest", ""}},
          {limit("triangle", 3, {6}, {6}, 1e-12), limit("quadrilateral", 4, {6}, {6}, 1e-12)},
          {},
          "relative difference, a step",
          [](HeatSimulation& simulation) {
            double largest = 0, before = simulation.stored_heat();
            while (!simulation.finished()) {
              const double t = simulation.time(), dt = simulation.dt();
              simulation.step(simulation.end());
              const double after = simulation.stored_heat(), in = dt * (1 + t + dt / 2);
              largest = std::max(largest, std::abs(after - before - in) / in);
              before = after;
            }
            return largest;
          }};
}

// Linear in time, so that Crank and Nicolson's scheme makes no error: what is left is that of the elements.
VerifyEntry space(bool solid) {
  const std::string shape = solid ? "cos(pi*x)*cos(pi*y)*cos(pi*z)" : "cos(pi*x)*cos(pi*y)";
  VerifyEntry entry{solid ? "heat-space" : "heat-plane",
                    "(1 + t) times a product of cosines: the order of the elements",
                    heat,
                    {{"mesh", solid ? space_box : plane_box},
                     {"material", "rhoC = 2\nk = 0.5"},
                     {"boundary", "xmin = \"exact\"\nymax = \"exact\""},
                     {"time", "steps = 2\ndt = 0.5"},
                     {"tolerance", "1e-13"},
                     {"rest", fmt::format("[initial]\nT = \"{0}\"\n[exact]\nT = \"(1 + t)*{0}\"\n[source]\n"
                                          "T = \"(2 + {1}*pi^2*(1 + t))*{0}\"",
                                          shape, solid ? "1.5" : "1")}},
                    {}};
  for (const char* element : solid ? std::vector{"tetrahedron", "hexahedron"} : std::vector{"triangle", "quadrilateral"})
    for (int order = 1; order <= 6; ++order) {
      const int coarse = solid ? (order < 3 ? 6 : order < 5 ? 3 : 2) : (order < 3 ? 16 : order < 5 ? 8 : 4);
      entry.series.push_back(study(element, order, {coarse, 2 * coarse},
                                   order == 3 ? std::vector<int>{coarse, 2 * coarse} : std::vector<int>{}));
    }
  return entry;
}

// Conductivity that varies inside the elements.
VerifyEntry varying() {
  VerifyEntry entry{"poisson-varying",
                    "sin(x) exp(y) with the conductivity 1 + x y",
                    poisson,
                    {{"mesh", plane_box},
                     {"material", "k = \"1 + x*y\""},
                     {"boundary", "xmin = \"exact\"\nxmax = \"exact\"\nymin = \"exact\"\nymax = \"exact\""},
                     {"tolerance", tight},
                     {"rest", "[exact]\nu = \"sin(x)*exp(y)\"\n[source]\nu = \"-(y*cos(x) + x*sin(x))*exp(y)\""}},
                    {}};
  for (const char* element : {"triangle", "quadrilateral"})
    for (const int order : {1, 2, 4}) entry.series.push_back(study(element, order, {4, 8}, {4, 8}));
  return entry;
}

VerifyEntry centre() {
  return {"poisson-centre",
          "-lap u = 1 on the unit square: u in its centre",
          poisson,
          {{"mesh", plane_box},
           {"material", ""},
           {"boundary", "xmin = \"exact\"\nxmax = \"exact\"\nymin = \"exact\"\nymax = \"exact\""},
           {"tolerance", tight},
           {"rest", "[exact]\nu = 0\n[source]\nu = 1"}},
          {limit("triangle", 6, {16}, {}, 1e-10), limit("quadrilateral", 8, {8}, {8}, 1e-10)},
          {},
          "difference",
          distance_at({{{0.5, 0.5}, 0.073671353281514}})};
}

// Two materials in a row, whose answer is piecewise linear: every element has it.
VerifyEntry two_materials() {
  return {"poisson-two-materials",
          "a slab of two materials: temperature where they meet, and the flux",
          poisson,
          {{"mesh", "box = { low = [0, 0], high = [1, 0.2], cells = [$N, 2], element = \"$element\" }"},
           {"material", "k = \"if(x < 0.6, 2, 0.5)\""},
           {"boundary", "xmin = { kind = \"dirichlet\", u = 1 }\nxmax = { kind = \"dirichlet\", u = 0 }"},
           {"tolerance", tight},
           {"rest", ""}},
          {limit("triangle", 1, {10}, {10}, 1e-11), limit("quadrilateral", 3, {5}, {5}, 1e-11)},
          {},
          "largest difference",
          [](HeatSimulation& simulation) {
            simulation.finish();
            const double at_interface = simulation.value_at(simulation.fields().front(), {0.6, 0.1});
            const double flux = 2 * (simulation.value_at(simulation.fields().front(), {0.1, 0.1}) - simulation.value_at(simulation.fields().front(), {0.5, 0.1})) / 0.4;
            return std::max(std::abs(at_interface - 0.727272727272727), std::abs(flux - 0.909090909090909));
          }};
}

// k = 2 between a given 1 and a transfer h = 3 to 0: the flux is 1 / (1/k + 1/h) = 1.2, and u = 0.4 at the far end.
VerifyEntry transfer() {
  return {"poisson-transfer",
          "a slab that loses heat by transfer: temperature at its end",
          poisson,
          {{"mesh", plane_box},
           {"material", "k = 2"},
           {"boundary", "xmin = { kind = \"dirichlet\", u = 1 }\nxmax = { kind = \"robin\", h = 3, T = 0 }"},
           {"tolerance", tight},
           {"rest", ""}},
          {limit("triangle", 2, {4}, {4}, 1e-11), limit("quadrilateral", 3, {4}, {}, 1e-11)},
          {},
          "largest difference",
          distance_at({{{1, 0.3}, 0.4}, {{0.5, 0.5}, 0.7}})};
}

}  // namespace

std::vector<VerifyEntry> verify_heat() {
  // (1 + dt pi^2)^-40 and ((1 - dt pi^2 / 2) / (1 + dt pi^2 / 2))^40 with dt = 1/400.
  return {slab(),        theta("1", 1, 0), theta("0.5", 2, 0), theta("1", 1, 0.37719953598616),
          theta("0.5", 2, 0.37268917525752), fully_discrete("quadrilateral"), fully_discrete("hexahedron"),
          seed_box(),    balance(),        space(false),       space(true),
          varying(),     centre(),         two_materials(),    transfer()};
}

}  // namespace swell
