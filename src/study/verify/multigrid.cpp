// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/heat/heat.hpp"
#include "study/verify/verify.hpp"

namespace swell {

namespace {

constexpr const char* plane_box = "box = { low = [0, 0], high = [1, 1], cells = [$N, $N], element = \"$element\" }";
constexpr const char* space_box =
    "box = { low = [0, 0, 0], high = [1, 1, 1], cells = [$N, $N, $N], element = \"$element\" }";
constexpr const char* long_box = "box = { low = [0, 0], high = [10, 1], cells = [$N, $N], element = \"$element\" }";
constexpr const char* disc = "disc = { cells = $N, geometry_order = 2, element = \"$element\" }";

// $mesh, $family, $boundary and $source are words.
constexpr const char* with_multigrid = R"toml(
[mesh]
$mesh
[model]
name = "poisson"
family = "$family"
order = $order
[boundary]
$boundary
[solver]
tolerance = 1e-10
preconditioner = "multigrid"
[exact]
u = 0
[source]
u = "$source"
)toml";

constexpr const char* balanced = "x*y - 0.25";  // adds up to 0 on the boxes, which no given values ask for

VerifyEntry counted(const std::string& family, const std::string& kind, const std::string& about, const char* mesh,
                    const std::string& boundary) {
  const std::string prefix = family == "continuous" ? "poisson-" : "poisson-discontinuous-";
  return {prefix + kind,
          fmt::format("iterations to 1e-10 with multigrid, {} elements, {}", family, about),
          with_multigrid,
          {{"mesh", mesh}, {"family", family}, {"boundary", boundary}, {"source", boundary.empty() ? balanced : "1 + x*y"}},
          {},
          {},
          "iterations",
          [](HeatSimulation& simulation) {
            simulation.finish();
            return static_cast<double>(simulation.iterations());
          }};
}

std::string sides(bool solid) {
  std::string text;
  for (const char axis : std::string(solid ? "xyz" : "xy")) text += fmt::format("{0}min = \"exact\"\n{0}max = \"exact\"\n", axis);
  return text;
}

std::vector<const char*> elements(bool solid) {
  return solid ? std::vector{"tetrahedron", "hexahedron"} : std::vector{"triangle", "quadrilateral"};
}

// What issue 5 asks of multigrid on boxes: at most 15 for linear elements whatever the cells, at most 25 for orders up to 8.
VerifyEntry on_boxes(const std::string& family, bool solid, bool floating) {
  VerifyEntry entry = counted(family, fmt::format("iterations{}{}", solid ? "-space" : "", floating ? "-floating" : ""),
                              floating ? "boxes without given values" : "boxes", solid ? space_box : plane_box,
                              floating ? "" : sides(solid));
  const std::vector<int> few{solid ? 2 : 8};
  for (const char* element : elements(solid)) {
    for (const int cells : solid ? std::vector{4, 12} : std::vector{8, 64})
      entry.series.push_back(limit(element, 1, {cells}, {}, 15));
    for (const int order : {2, 4, 8})
      entry.series.push_back(limit(element, order, few, order == 4 ? few : std::vector<int>{}, 25));
  }
  return entry;
}

// Cells ten times as long as they are wide, which are halved along the short side first.
VerifyEntry on_stretched_boxes() {
  VerifyEntry entry = counted("continuous", "iterations-stretched", "boxes of long cells", long_box, sides(false));
  for (const char* element : elements(false))
    for (const int cells : {16, 64})
      entry.series.push_back(limit(element, 1, {cells}, cells == 16 ? std::vector{cells} : std::vector<int>{}, 15));
  return entry;
}

// No coarser mesh is known, and 1985 vertices or more are too many for a dense inverse: the last levels are aggregates.
VerifyEntry on_discs(const std::string& family) {
  VerifyEntry entry = counted(family, "iterations-disc", "a disc of curved cells", disc, "rim = \"exact\"");
  for (const char* element : elements(false)) {
    entry.series.push_back(limit(element, 1, {64}, {}, 25));
    for (const int order : {2, 4, 8}) entry.series.push_back(limit(element, order, {20}, {}, 25));
  }
  return entry;
}

}  // namespace

std::vector<VerifyEntry> verify_multigrid() {
  std::vector<VerifyEntry> all;
  for (const char* family : {"continuous", "discontinuous"}) {
    for (const bool floating : {false, true})
      for (const bool solid : {false, true}) all.push_back(on_boxes(family, solid, floating));
    all.push_back(on_discs(family));
  }
  all.push_back(on_stretched_boxes());
  return all;
}

}  // namespace swell
