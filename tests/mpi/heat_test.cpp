// SPDX-License-Identifier: Apache-2.0
// Heat and Poisson agree on 1, 2, 3 and 4 ranks to 1e-12, and have the same bits every time on as many.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "comm/sums.hpp"
#include "device/device.hpp"
#include "mesh/partition.hpp"
#include "sim/heat/heat.hpp"
#include "support.hpp"

namespace swell {
namespace {

struct HeatOutcome {
  std::map<std::int64_t, std::vector<double>> values;  // by the cell's number in the whole mesh
  double heat = 0, error = 0, at_point = 0;
  std::int64_t unknowns = 0, given = 0, elements = 0;
};

HeatOutcome solved(const std::string& toml, Ranks& ranks, const std::string& device = usual_device()) {
  const auto processor = open_device(device);
  HeatSimulation simulation(parse_case(toml, "test.toml", {}, SWELL_SOURCE_DIR "/tests/data/mesh"), *processor, ranks);
  simulation.finish();
  HeatOutcome result;
  const auto all = simulation.nodal_values();
  const Elements& elements = simulation.reference();
  for (std::int64_t cell = 0; cell < simulation.mesh().own_count(); ++cell)
    result.values[simulation.mesh().number_of(cell)].assign(all.begin() + elements.first_node(cell), all.begin() + elements.first_node(cell + 1));
  result.heat = simulation.stored_heat();
  result.error = simulation.errors().total_l2;
  result.at_point = simulation.value_at(simulation.fields().front(), simulation.mesh().dim == 2 ? std::vector<double>{0.31, 0.42} : std::vector<double>{0.31, 0.42, 0.13});
  result.unknowns = simulation.dofs();
  result.given = simulation.given_values();
  result.elements = simulation.elements();
  return result;
}

std::string box(const std::string& element, const std::string& more = "") {
  const bool solid = element == "tetrahedron" || element == "hexahedron";
  return "[mesh]\nbox = { low = [0, 0" + std::string(solid ? ", 0" : "") + "], high = [1, 1.2" + (solid ? ", 0.9" : "") +
         "], cells = " + (solid ? "[3, 3, 4]" : "[5, 4]") + ", element = \"" + element + "\"" + more + " }\n";
}

// Tight, so that what is left of the residual does not show among the differences.
const char* const solver = "[solver]\ntolerance = 1e-14\n";

std::string heat(int order, const std::string& boundary, const std::string& more = "", const std::string& scheme = "theta") {
  return "[model]\nname = \"heat\"\norder = " + std::to_string(order) +
         "\n[initial]\nT = \"sin(2*x+y)*cos(y-x*x)\"\n[exact]\nT = \"sin(2*x+y-t)\"\n[source]\nT = \"x*cos(3*t)\"\n"
         "[time]\nsteps = 3\ndt = 0.02\nscheme = \"" + scheme + "\"\n" + solver + boundary + more;
}

// Parts with many elements that touch no other rank.
const char* const long_box =
    "[mesh]\nbox = { low = [0, 0], high = [1, 3], cells = [4, 24], element = \"triangle\" }\n[mesh.partition]\nmethod = \"slabs\"\n";

// Not the fixed grid.
std::string by_elements(std::string toml) { return toml.replace(toml.find("[solver]\n"), 9, "[solver]\nform = \"elements\"\n"); }

std::string poisson(int order, const std::string& boundary, const std::string& family = "continuous") {
  return "[model]\nname = \"poisson\"\norder = " + std::to_string(order) + "\nfamily = \"" + family +
         "\"\n[exact]\nu = \"sin(2*x+y)\"\n[source]\nu = \"1+x*y\"\n" + solver + boundary;
}

std::string multigrid(std::string toml) {
  return toml.replace(toml.find("[solver]\n"), 9, "[solver]\npreconditioner = \"multigrid\"\n");
}

// Where constants are free, rounding leaves a part of the residual that nothing lowers, and the source must add up to 0.
std::string loosely(std::string toml) {
  toml.replace(toml.find("1+x*y"), 5, "x*y-0.3");
  return toml.replace(toml.find("1e-14"), 5, "1e-13");
}

const char* const given =
    "[boundary]\nxmin = { kind = \"temperature\", T = \"y+sin(t)\" }\nymax = { kind = \"flux\", q = \"x*t+1\" }\n"
    "xmax = { kind = \"robin\", h = 3, T = 0.5 }\n";
const char* const at_rest =
    "[boundary]\nxmin = { kind = \"dirichlet\", u = \"y\" }\nymax = { kind = \"flux\", q = \"x\" }\n"
    "xmax = { kind = \"robin\", h = 3, T = 0.5 }\n";
const char* const two_materials = "[material]\nrhoC = 2\nk = \"if(x<0.61, 2, 0.5)\"\n";

const char* const sheet = ", inner = { sheet = \"(abs(y - 0.4) < 1e-6) + (abs(y - 0.6) < 1e-6)*(x < 0.7)\" }";
const char* const heated_sheet = "sheet = { kind = \"flux\", q = \"1+t\" }\n";

std::string projected(std::string toml) { return toml.replace(toml.find("[initial]\n"), 10, "[initial]\nprojection = \"l2\"\n"); }

// In one rank's cells, and on what several have.
const char* const plane_points =
    "[[source.point]]\nat = [0.47, 0.31]\nfield = \"T\"\nsignal = \"sin(9*t)\"\n"
    "[[source.point]]\nat = [0.4, 0.6]\nfield = \"T\"\nsignal = 1\namplitude = 0.5\n";
const char* const points =
    "[[source.point]]\nat = [0.47, 0.31, 0.42]\nfield = \"T\"\nsignal = \"sin(9*t)\"\n"
    "[[source.point]]\nat = [0.4, 0.6, 0.45]\nfield = \"T\"\nsignal = 1\namplitude = 0.5\n"
    "[[source.point]]\nat = [0.4, 0.8, 0.9]\nfield = \"T\"\nsignal = 2\n";

std::vector<NamedCase> varieties() {
  return {
      {"triangle_1", box("triangle") + heat(1, given)},
      {"triangle_4_two_materials", box("triangle") + heat(4, given, two_materials)},
      {"mixed_3_bdf2_points", box("mixed", ", move = 0.2") + heat(3, given, std::string(two_materials) + plane_points, "bdf2")},
      {"mixed_1_periodic", box("mixed", ", periodic = [false, true]") + heat(1, "[boundary]\nxmin = { kind = \"temperature\", T = \"t\" }\n")},
      {"mixed_multigrid", box("mixed") + multigrid(heat(4, given))},
      {"mixed_vertices", box("mixed") + heat(2, given).replace(heat(2, given).find("[solver]\n"), 9, "[solver]\nform = \"vertices\"\n")},
      {"mixed_sheet", box("mixed", sheet) + heat(2, given, heated_sheet)},
      {"quadrilateral_3_bdf2", box("quadrilateral") + heat(3, given, "", "bdf2")},
      {"tetrahedron_1", box("tetrahedron") + by_elements(heat(1, given))},
      {"tetrahedron_2_two_materials", box("tetrahedron") + heat(2, given, two_materials)},
      {"tetrahedron_4", box("tetrahedron") + heat(4, given)},
      {"hexahedron_2_periodic", box("hexahedron", ", periodic = [false, true, true]") +
                                    heat(2, "[boundary]\nxmin = { kind = \"temperature\", T = \"t\" }\n")},
      {"periodic_in_slabs", box("hexahedron", ", periodic = [false, true, true]") + "[mesh.partition]\nmethod = \"slabs\"\n" +
                                heat(2, "[boundary]\nxmin = { kind = \"temperature\", T = \"t\" }\n")},
      {"periodic_along_a_curve", box("triangle", ", periodic = [true, false]") + "[mesh.partition]\nmethod = \"curve\"\n" +
                                     heat(3, "[boundary]\nymin = { kind = \"temperature\", T = \"x+t\" }\n")},
      {"hexahedron_5", box("hexahedron") + heat(5, given)},
      {"flux_alone", box("quadrilateral") + heat(2, "[boundary]\nxmax = { kind = \"flux\", q = 1 }\n")},
      {"vertices", box("triangle") + heat(2, given).replace(heat(2, given).find("[solver]\n"), 9, "[solver]\nform = \"vertices\"\n")},
      {"curved", "[mesh]\ndisc = { cells = 2, geometry_order = 3, element = \"triangle\" }\n" +
                     heat(3, "[boundary]\nrim = { kind = \"temperature\", T = \"x\" }\n")},
      {"two_regions_of_a_file", "[mesh]\nfile = \"two-regions-41.msh\"\n" + heat(2, "")},
      {"slabs", box("tetrahedron") + "[mesh.partition]\nmethod = \"slabs\"\n" + by_elements(heat(1, given))},
      {"poisson", box("triangle") + poisson(3, at_rest)},
      {"poisson_floating", box("hexahedron") + loosely(poisson(2, ""))},
      {"multigrid_triangle_1", box("triangle") + multigrid(heat(1, given))},
      {"multigrid_hexahedron_4", box("hexahedron") + multigrid(heat(4, given, two_materials))},
      {"multigrid_poisson_tetrahedron_3", box("tetrahedron") + multigrid(poisson(3, at_rest))},
      {"multigrid_poisson_floating", box("quadrilateral") + loosely(multigrid(poisson(4, "")))},
      {"multigrid_file", "[mesh]\nfile = \"two-regions-41.msh\"\n" + multigrid(heat(2, ""))},
      {"multigrid_discontinuous", box("triangle") + multigrid(poisson(3, at_rest, "discontinuous"))},
      {"points", box("triangle") + heat(3, given, plane_points)},
      {"points_by_elements", box("tetrahedron") + by_elements(heat(1, given, points))},
      {"points_in_slabs_of_the_grid", box("tetrahedron", ", periodic = [true, false, true]") +
                                          heat(1, "[boundary]\nymin = { kind = \"temperature\", T = \"t\" }\n", points)},
      {"points_discontinuous", box("quadrilateral") + poisson(2, at_rest, "discontinuous") +
                                   "[[source.point]]\nat = [0.4, 0.3]\nfield = \"u\"\nsignal = 2\n"},
      {"sheet_heated", box("triangle", sheet) + heat(2, given, heated_sheet)},
      {"sheet_transfer", box("hexahedron", sheet) + heat(2, given, "sheet = { kind = \"robin\", h = 2, T = \"1+t\" }\n")},
      {"sheet_cooled", box("quadrilateral", sheet) + multigrid(heat(3, given, "sheet = { kind = \"temperature\", T = \"t\" }\n"))},
      {"sheet_discontinuous", box("triangle", sheet) + poisson(2, std::string(at_rest) + "sheet = { kind = \"robin\", h = 2, T = 1 }\n", "discontinuous")},
      {"projected", box("triangle") + projected(heat(2, given))},
      {"projected_by_elements", box("tetrahedron") + projected(heat(1, given, two_materials))},
      {"discontinuous_triangle", box("triangle") + poisson(3, at_rest, "discontinuous")},
      {"discontinuous_long_box", long_box + poisson(2, at_rest, "discontinuous")},
      {"discontinuous_quadrilateral", box("quadrilateral", ", periodic = [false, true]") +
                                          poisson(2, "[boundary]\nxmin = { kind = \"dirichlet\", u = \"y\" }\n", "discontinuous")},
      {"discontinuous_tetrahedron_two_materials", box("tetrahedron") + poisson(2, at_rest, "discontinuous") +
                                                      "[material]\nk = \"if(x<0.61, 2, 0.5)\"\n"},
      {"discontinuous_hexahedron", box("hexahedron") + poisson(2, at_rest, "discontinuous")},
      {"discontinuous_floating", box("triangle") + loosely(poisson(2, "", "discontinuous"))},
      {"discontinuous_curved", "[mesh]\ndisc = { cells = 2, geometry_order = 3, element = \"triangle\" }\n" +
                                   poisson(2, "[boundary]\nrim = { kind = \"dirichlet\", u = \"x\" }\n", "discontinuous")},
  };
}

constexpr double agreement = 1e-12;  // of the largest value

double largest(const HeatOutcome& outcome) {
  double most = 0;
  for (const auto& [cell, values] : outcome.values)
    for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

class HeatOnRanks : public testing::TestWithParam<NamedCase> {};

TEST_P(HeatOnRanks, AgreesWithOneRankAndRepeatsItsBits) {
  const HeatOutcome alone = solved(GetParam().toml, lone_rank());
  const double most = largest(alone);
  ASSERT_GT(most, 1e-3) << "nothing to compare";
  for (const int count : {2, 3, 4})
    on_ranks(count, [&](Ranks& ranks) {
      const HeatOutcome part = solved(GetParam().toml, ranks), again = solved(GetParam().toml, ranks);
      EXPECT_LT(part.values.size(), alone.values.size()) << "a rank keeps its part only";
      EXPECT_EQ(part.elements, alone.elements);
      EXPECT_EQ(part.unknowns, alone.unknowns);
      EXPECT_EQ(part.given, alone.given);
      double furthest = 0;
      int different = 0;
      for (const auto& [cell, values] : part.values)
        for (std::size_t n = 0; n < values.size(); ++n) {
          furthest = std::max(furthest, std::abs(values[n] - alone.values.at(cell)[n]));
          different += std::memcmp(&values[n], &again.values.at(cell)[n], sizeof(double)) != 0;
        }
      EXPECT_LT(furthest, agreement * most) << "rank " << ranks.rank() << " of " << count;
      EXPECT_EQ(different, 0) << "rank " << ranks.rank() << " of " << count;
      EXPECT_NEAR(part.heat, alone.heat, agreement * std::max(1.0, std::abs(alone.heat)));
      EXPECT_NEAR(part.error, alone.error, agreement * std::max(1.0, alone.error));
      EXPECT_NEAR(part.at_point, alone.at_point, agreement * std::max(1.0, most));
    });
}

INSTANTIATE_TEST_SUITE_P(All, HeatOnRanks, testing::ValuesIn(varieties()), name_of);

TEST(DiscontinuousOnRanksOfOpenCl, AgreesWithOneRankOfTheProcessor) {
  if (!everybody().all(has_opencl())) GTEST_SKIP() << "there is no OpenCL device";
  const std::string toml = long_box + poisson(2, at_rest, "discontinuous");
  const HeatOutcome alone = solved(toml, lone_rank(), "cpu:1");
  const double most = largest(alone);
  on_ranks(2, [&](Ranks& ranks) {
    for (const auto& [cell, values] : solved(toml, ranks, "opencl").values)
      for (std::size_t n = 0; n < values.size(); ++n) EXPECT_NEAR(values[n], alone.values.at(cell)[n], agreement * most) << cell;
  });
}

TEST(HeatInUnevenParts, GivesEachRankItsFraction) {
  on_ranks(2, [&](Ranks& ranks) {
    const std::string toml = "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [3, 3, 8], element = \"tetrahedron\" }\n"
                             "[mesh.partition]\nmethod = \"slabs\"\nfractions = [1, 3]\n" + heat(1, given);
    const HeatOutcome alone = solved(toml.substr(0, toml.find("fractions")) + toml.substr(toml.find("[model]")), lone_rank());
    const HeatOutcome part = solved(toml, ranks);
    // 2 of 8 layers of 9 bricks of 6 tetrahedra, and the other 6.
    EXPECT_EQ(part.values.size(), ranks.first() ? 108u : 324u);
    for (const auto& [cell, values] : part.values)
      for (std::size_t n = 0; n < values.size(); ++n) EXPECT_NEAR(values[n], alone.values.at(cell)[n], 1e-12);
  });
}

// The last levels are those of one rank, and the others do the same on parts.
TEST(MultigridOnRanks, NeedsAsManyIterationsAsOnOneRank) {
  std::string toml = "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [16, 16], element = \"quadrilateral\" }\n" +
                     multigrid(poisson(4, at_rest));
  toml.replace(toml.find("1e-14"), 5, "1e-10");
  const auto iterations = [&](Ranks& ranks) {
    const auto processor = open_device(usual_device());
    HeatSimulation simulation(parse_case(toml, "test.toml"), *processor, ranks);
    simulation.finish();
    return simulation.iterations();
  };
  const std::int64_t alone = iterations(lone_rank());
  on_ranks(3, [&](Ranks& ranks) {
    const std::int64_t found = iterations(ranks);
    // One more or less where the largest eigenvalue is found a little differently.
    EXPECT_LE(found, alone + 1);
    EXPECT_LE(found, 25);  // at any order up to 8
  });
}

// 1e16 + 1 is 1e16 among doubles: only from the first rank to the last the four parts give 1.
TEST(SumsOverRanks, AreAddedInTheOrderOfTheRanks) {
  on_ranks(4, [&](Ranks& ranks) {
    const std::array<double, 4> parts{1e16, 1, -1e16, 1};
    std::array<double, 2> values{parts[static_cast<std::size_t>(ranks.rank())], static_cast<double>(ranks.rank())};
    add_up(ranks, values);
    EXPECT_EQ(values[0], 1);
    EXPECT_EQ(values[1], 6);
    EXPECT_FALSE(std::isfinite(added_up(ranks, ranks.rank() == 2 ? std::nan("") : 1.0)));
  });
}

// A rank that holds no unknown of its own takes part all the same.
TEST(HeatOnRanksWithoutUnknowns, IsSolved) {
  const std::string toml = "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [2, 2], element = \"quadrilateral\" }\n" +
                           poisson(1, "[boundary]\nxmin = { kind = \"dirichlet\", u = 0 }\nxmax = { kind = \"dirichlet\", u = 0 }\n"
                                      "ymin = { kind = \"dirichlet\", u = 0 }\nymax = { kind = \"dirichlet\", u = 0 }\n");
  const HeatOutcome alone = solved(toml, lone_rank());
  on_ranks(4, [&](Ranks& ranks) {
    for (const auto& [cell, values] : solved(toml, ranks).values)
      for (std::size_t n = 0; n < values.size(); ++n) EXPECT_NEAR(values[n], alone.values.at(cell)[n], 1e-13);
  });
}

}  // namespace
}  // namespace swell
