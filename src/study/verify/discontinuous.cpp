// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/heat/heat.hpp"
#include "study/verify/verify.hpp"

namespace swell {

namespace {

constexpr const char* plane_box = "box = { low = [0, 0], high = [1, 1], cells = [$N, $N], element = \"$element\" }";
constexpr const char* space_box =
    "box = { low = [0, 0, 0], high = [1, 1, 1], cells = [$N, $N, $N], element = \"$element\" }";
constexpr const char* plane_sides = "xmin = \"exact\"\nxmax = \"exact\"\nymin = \"exact\"\nymax = \"exact\"";

// $mesh, $material, $boundary, $preconditioner, $tolerance and $rest (exact, source) are words.
constexpr const char* discontinuous = R"toml(
[mesh]
$mesh
[model]
name = "poisson"
family = "discontinuous"
order = $order
[material]
$material
[boundary]
$boundary
[solver]
tolerance = $tolerance
preconditioner = "$preconditioner"
$rest
)toml";

std::function<double(HeatSimulation&)> distance_at(std::vector<std::pair<std::vector<double>, double>> values) {
  return [values](HeatSimulation& simulation) {
    simulation.finish();
    double largest = 0;
    for (const auto& [at, expected] : values)
      largest = std::max(largest, std::abs(simulation.value_at(simulation.fields().front(), at) - expected));
    return largest;
  };
}

// Given on two sides, no flux through the others.
VerifyEntry space(bool solid) {
  const std::string shape = solid ? "cos(pi*x)*cos(pi*y)*cos(pi*z)" : "cos(pi*x)*cos(pi*y)";
  VerifyEntry entry{solid ? "poisson-discontinuous-space" : "poisson-discontinuous-plane",
                    "a product of cosines with discontinuous elements: their order",
                    discontinuous,
                    {{"mesh", solid ? space_box : plane_box},
                     {"material", "k = 0.5"},
                     {"boundary", "xmin = \"exact\"\nymax = \"exact\""},
                     {"tolerance", "1e-13"},
                     {"preconditioner", "multigrid"},
                     {"rest", fmt::format("[exact]\nu = \"{0}\"\n[source]\nu = \"{1}*pi^2*{0}\"", shape,
                                          solid ? "1.5" : "1")}},
                    {}};
  for (const char* element : solid ? std::vector{"tetrahedron", "hexahedron"} : std::vector{"triangle", "quadrilateral"})
    for (int order = 1; order <= 6; ++order) {
      const int coarse = solid ? (order < 3 ? 6 : order < 5 ? 3 : 2) : (order < 3 ? 16 : order < 5 ? 8 : 4);
      entry.series.push_back(study(element, order, {coarse, 2 * coarse},
                                   order == 3 ? std::vector<int>{coarse, 2 * coarse} : std::vector<int>{}));
    }
  return entry;
}

// Curved cells and conductivity that varies inside them.
VerifyEntry disc() {
  VerifyEntry entry{"poisson-discontinuous-disc",
                    "sin(x) exp(y) with the conductivity 2 + x y on a disc of curved discontinuous elements",
                    discontinuous,
                    {{"mesh", "disc = { cells = $N, geometry_order = 3, element = \"$element\" }"},
                     {"material", "k = \"2 + x*y\""},
                     {"boundary", "rim = \"exact\""},
                     {"tolerance", "1e-13"},
                     {"preconditioner", "multigrid"},
                     {"rest", "[exact]\nu = \"sin(x)*exp(y)\"\n[source]\nu = \"-(y*cos(x) + x*sin(x))*exp(y)\""}},
                    {}};
  // Only triangles at the rim are curved: where their error leads, on a strip whose area falls with its width, it falls by half
  // an order more.
  for (const int order : {1, 2, 4}) {
    entry.series.push_back(study("triangle", order, {4, 8}, {4, 8}));
    entry.series.back().highest_order = order + 1.5;
    entry.series.push_back(study("quadrilateral", order, {4, 8}, {4, 8}));
  }
  return entry;
}

VerifyEntry centre() {
  return {"poisson-discontinuous-centre",
          "-lap u = 1 on the unit square with discontinuous elements: u in its centre",
          discontinuous,
          {{"mesh", plane_box},
           {"material", ""},
           {"boundary", plane_sides},
           {"tolerance", "1e-13"},
           {"preconditioner", "multigrid"},
           {"rest", "[exact]\nu = 0\n[source]\nu = 1"}},
          {limit("triangle", 6, {16}, {}, 1e-10), limit("quadrilateral", 8, {8}, {8}, 1e-10)},
          {},
          "difference",
          distance_at({{{0.5, 0.5}, 0.073671353281514}})};
}

// Two materials in a row, whose answer is piecewise linear: every element has it, since the averages at the face between them
// are weighted. The numbers are those of issue 5.
VerifyEntry two_materials() {
  VerifyEntry entry{"poisson-discontinuous-two-materials",
                    "a slab of two materials with discontinuous elements: temperature where they meet, and the flux",
                    discontinuous,
                    {{"mesh", "box = { low = $low, high = $high, cells = $cells, element = \"$element\" }"},
                     {"material", "k = \"if(x < 0.6, 2, 0.5)\""},
                     {"boundary", "xmin = { kind = \"dirichlet\", u = 1 }\nxmax = { kind = \"dirichlet\", u = 0 }"},
                     {"tolerance", "1e-13"},
                     {"preconditioner", "jacobi"},
                     {"rest", ""}},
                    {},
                    {},
                    "largest difference",
                    [](HeatSimulation& simulation) {
                      simulation.finish();
                      const bool solid = simulation.mesh().dim == 3;
                      const auto at = [&](double x) {
                        return simulation.value_at(simulation.fields().front(), solid ? std::vector<double>{x, 0.1, 0.1} : std::vector<double>{x, 0.1});
                      };
                      const double flux = 2 * (at(0.1) - at(0.5)) / 0.4;
                      return std::max(std::abs(at(0.6) - 0.727272727272727), std::abs(flux - 0.909090909090909));
                    }};
  for (const char* element : {"triangle", "quadrilateral", "tetrahedron", "hexahedron"}) {
    const bool solid = std::string(element) == "tetrahedron" || std::string(element) == "hexahedron";
    VerifySeries series = limit(element, solid ? 2 : 1, {10}, {10}, 1e-11);
    series.words = {{"low", solid ? "[0, 0, 0]" : "[0, 0]"},
                    {"high", solid ? "[1, 0.2, 0.2]" : "[1, 0.2]"},
                    {"cells", solid ? "[$N, 1, 1]" : "[$N, 2]"}};
    entry.series.push_back(series);
  }
  return entry;
}

// k = 2 between a given 1 and a transfer h = 3 to 0: the flux is 1 / (1/k + 1/h) = 1.2, and u = 0.4 at the far end.
VerifyEntry transfer() {
  return {"poisson-discontinuous-transfer",
          "a slab of discontinuous elements that loses heat by transfer: temperature at its end",
          discontinuous,
          {{"mesh", plane_box},
           {"material", "k = 2"},
           {"boundary", "xmin = { kind = \"dirichlet\", u = 1 }\nxmax = { kind = \"robin\", h = 3, T = 0 }"},
           {"tolerance", "1e-13"},
           {"preconditioner", "jacobi"},
           {"rest", ""}},
          {limit("triangle", 2, {4}, {4}, 1e-11), limit("quadrilateral", 3, {4}, {}, 1e-11)},
          {},
          "largest difference",
          distance_at({{{1, 0.3}, 0.4}, {{0.5, 0.5}, 0.7}})};
}

}  // namespace

std::vector<VerifyEntry> verify_discontinuous() {
  return {space(false), space(true), disc(), centre(), two_materials(), transfer()};
}

}  // namespace swell
