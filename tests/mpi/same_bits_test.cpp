// SPDX-License-Identifier: Apache-2.0
// Explicit runs give the same bits on 1, 2, 3 and 4 ranks.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "support.hpp"

namespace swell {
namespace {

struct Variety {
  std::string name, toml, device = usual_device();
};
void PrintTo(const Variety& variety, std::ostream* out) { *out << variety.name; }

std::string box(const std::string& element, const std::string& more = "") {
  const bool solid = element == "tetrahedron" || element == "hexahedron";
  return "[mesh]\nbox = { low = [0, 0" + std::string(solid ? ", 0" : "") + "], high = [1, 1.2" + (solid ? ", 0.9" : "") +
         "], cells = " + (solid ? "[3, 2, 2]" : "[5, 4]") + ", element = \"" + element + "\"" + more + " }\n";
}

std::string rest(const std::string& model, int order, const std::string& field, const std::string& more = "",
                 const std::string& scheme = "lsrk54", const std::string& of_model = "") {
  return "[model]\nname = \"" + model + "\"\norder = " + std::to_string(order) + "\n" + of_model + "\n[initial]\n" + field +
         " = \"sin(2*x+y)*cos(y-x*x)\"\n[exact]\n" + field + " = \"sin(2*x+y-t)\"\n[time]\nsteps = 4\nscheme = \"" + scheme +
         "\"\n" + more;
}

std::string projected(std::string text) {
  const std::string section = "[initial]\n";
  return text.insert(text.find(section) + section.size(), "projection = \"l2\"\n");
}

const char* const box_in_space =
    "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1.2, 0.9], cells = [3, 2, 4], element = \"mixed\", move = 0.1, periodic = [true, false, true] }\n";
const char* const hit_in_space =
    "[[source.point]]\nat = [0.41, 0.52, 0.3]\nfield = \"p\"\nsignal = \"ricker(t, 1.0, 0.1)\"\n[source]\nvx = \"x*sin(t)\"\n";
// Through the middle, where parts meet, up to its end inside.
const char* const sheet = ", inner = { sheet = \"(abs(y - 0.6) < 1e-6)*(x < 0.65)\" }";
const char* const layers = "[material]\nepsilon = \"if(x<0.6, 1, 2.25)\"\n";
const char* const flow = "[material]\nax = \"1+y\"\nay = \"x*cos(t)\"\n";
const char* const hit =
    "[[source.point]]\nat = [0.41, 0.52]\nfield = \"p\"\nsignal = \"ricker(t, 1.0, 0.1)\"\n[source]\nvx = \"x*sin(t)\"\n";
const char* const hit_alone = "[[source.point]]\nat = [0.41, 0.52]\nfield = \"p\"\nsignal = \"ricker(t, 1.0, 0.1)\"\n";
const char* const plane_wave =
    "[boundary]\nxmin = \"absorbing\"\nxmax = \"absorbing\"\nymin = \"absorbing\"\nymax = \"absorbing\"\n"
    "[incident]\ndirection = [1, 0.3]\npulse = \"exp(-(s/0.2)^2)\"\ntotal = { low = [0.3, 0.25], high = [0.8, 0.95] }\n";
// A factor of time times a field.
const char* const turning = "[material]\nax = \"(1+y)*cos(t)\"\nay = \"x*y*cos(t)\"\n";
const char* const modal = "family = \"modal\"";
const char* const interface =
    "[material]\nax = \"1+y\"\nay = \"(x-1)*cos(t)\"\n[levelset]\nthickness = 0.2\nevery = 2\ntolerance = 0\n";
// Clusters of local time stepping.
const char* const local_data = "local = true\n[boundary]\nxmin = { kind = \"dirichlet\", p = \"sin(3*t)*y\" }\n";
const std::string local_point = std::string("local = true\n") + hit_alone;
std::string graded(const std::string& element) {
  return "[mesh]\nbox = { low = [0, 0], high = [1, 1.2], cells = [10, 8], grade = [8, 8], element = \"" + element + "\" }\n";
}
const char* const line = "[mesh]\nbox = { low = [0], high = [1], cells = [9], move = 0.2 }\n";
const char* const blast = "[model]\nname = \"euler\"\norder = 2\n[boundary]\nxmin = { kind = \"outflow\", p = 1 }\n[initial]\nrho = 1\nux = 0.5\n"
                          "p = \"if((x - 0.5)^2 + (y - 0.6)^2 < 0.1, 50, 1)\"\n[exact]\np = 1\n[time]\nend = 0.05\n";
const std::string low_blast = std::string(blast).replace(std::string(blast).find("order = 2"), 9, "order = 1");
const char* const disc = "[mesh]\ndisc = { cells = 2, geometry_order = 3, element = \"triangle\" }\n";
const char* const round_box = "[mesh]\ndisc = { cells = 2, geometry_order = 2, element = \"quadrilateral\" }\n";

// On a device of threads as well, where there is one: few, since it compiles slowly.
std::vector<Variety> varieties_of_threads() {
  return {{"triangle", box("triangle") + rest("maxwell-tm", 1, "Ez", layers), "opencl"},
          {"modal", box("triangle") + rest("acoustics", 1, "p", "", "ader", modal), "opencl"},
          {"ader_point", box("triangle") + rest("acoustics", 1, "p", hit_alone, "ader"), "opencl"},
          {"levelset", box("quadrilateral") + rest("levelset", 1, "G", interface), "opencl"}};
}
// Minutes of compiling on PoCL: by hand.
std::vector<Variety> long_varieties_of_threads() {
  return {{"curved", disc + rest("acoustics", 1, "p"), "opencl"},
          {"hexahedron", box("hexahedron") + rest("acoustics", 1, "p"), "opencl"}};
}

std::vector<Variety> varieties() {
  return {
      {"maxwell_tm_triangle", box("triangle") + rest("maxwell-tm", 3, "Ez")},
      {"maxwell_te_quadrilateral", box("quadrilateral") + rest("maxwell-te", 2, "Hz")},
      {"maxwell_tetrahedron", box("tetrahedron") + rest("maxwell", 2, "Ez")},
      {"acoustics_hexahedron_periodic", box("hexahedron", ", periodic = [true, true, true]") + rest("acoustics", 2, "p")},
      {"elastic_triangle_rk4", box("triangle") + rest("elastic", 2, "vx", "", "rk4")},
      {"elastic_tetrahedron", box("tetrahedron") + rest("elastic", 1, "vz")},
      {"advection_in_time", box("triangle", ", periodic = [true, true]") + rest("advection", 2, "u", flow, "ssprk33")},
      {"layers", box("triangle") + rest("maxwell-tm", 2, "Ez", layers, "ab3")},
      {"sources", box("quadrilateral") + rest("acoustics", 3, "p", hit)},
      {"total_field", box("triangle") + rest("maxwell-tm", 2, "Ez", plane_wave)},
      {"curved_triangles", disc + rest("acoustics", 3, "p")},
      {"curved_quadrilaterals", round_box + rest("maxwell-tm", 2, "Ez")},
      {"sheet", box("triangle", sheet) + rest("maxwell-tm", 2, "Ez", "[boundary]\nsheet = \"pec\"\n")},
      {"sheet_between_hexahedra", box("hexahedron", sheet) + rest("elastic", 1, "vx", "[boundary]\nsheet = \"free\"\n")},
      {"sheet_modal", box("quadrilateral", sheet) + rest("acoustics", 2, "p", "[boundary]\nsheet = \"soft\"\n", "ader", modal)},
      {"scattered", box("triangle", ", scatter = 0.3") + rest("acoustics", 2, "p")},
      {"projected", box("tetrahedron") + projected(rest("acoustics", 1, "p"))},
      {"mixed_space", box_in_space + rest("acoustics", 2, "p", hit_in_space)},
      {"mixed", box("mixed") + rest("acoustics", 3, "p", hit)},
      {"mixed_moved_periodic", box("mixed", ", move = 0.2, periodic = [false, true]") + rest("maxwell-tm", 2, "Ez", layers)},
      {"mixed_bent_total_field", box("mixed", ", bend = 0.1, geometry_order = 2") + rest("maxwell-tm", 2, "Ez", plane_wave)},
      {"two_regions_of_a_file", "[mesh]\nfile = \"two-regions-41.msh\"\n" + rest("acoustics", 2, "p")},
      {"ader_nodal", box("triangle") + rest("acoustics", 3, "p", "", "ader")},
      {"ader_nodal_remembering", box("quadrilateral") + rest("acoustics", 4, "p", "", "ader")},
      {"ader_modal_remembering", box("triangle") + rest("acoustics", 4, "p", "", "ader", modal)},
      {"ader_nodal_point", box("triangle") + rest("acoustics", 3, "p", hit_alone, "ader")},
      {"ader_modal_point", box("quadrilateral", ", periodic = [true, true]") + rest("acoustics", 4, "p", hit_alone, "ader", modal)},
      {"ader_modal_sources", box("triangle") + rest("acoustics", 2, "p", hit, "ader", modal)},
      {"local_modal", graded("triangle") + rest("acoustics", 2, "p", local_data, "ader", modal)},
      {"local_modal_point", graded("quadrilateral") + rest("acoustics", 2, "p", local_point, "ader", modal)},
      {"local_nodal", graded("quadrilateral") + rest("acoustics", 2, "p", local_data, "ader")},
      {"local_nodal_point", graded("triangle") + rest("acoustics", 2, "p", local_point, "ader")},
      {"modal", box("triangle") + rest("maxwell-tm", 3, "Ez", "", "lsrk54", modal)},
      {"modal_ader", box("hexahedron") + rest("acoustics", 2, "p", "", "ader", modal)},
      {"modal_varying", box("triangle") + rest("acoustics", 2, "p", hit + std::string("[material]\nrho = \"1+0.3*x*y\"\nc = \"1+0.2*x\"\n"), "lsrk54", modal)},
      {"modal_in_time", box("quadrilateral") + rest("advection", 2, "u", flow, "ader", modal)},
      {"modal_separated", box("quadrilateral") + rest("advection", 4, "u", turning, "ader", modal)},
      {"separated", box("quadrilateral") + rest("advection", 2, "u", turning, "lsrk54")},
      {"modal_total_field", box("quadrilateral") + rest("maxwell-tm", 2, "Ez", plane_wave, "rk4", modal)},
      {"levelset", box("triangle") + rest("levelset", 2, "G", interface)},
      {"levelset_hexahedron", box("hexahedron") + rest("levelset", 2, "G", interface)},
      {"line", line + rest("acoustics", 4, "p", "[[source.point]]\nat = [0.41]\nfield = \"p\"\nsignal = \"ricker(t, 1.0, 0.1)\"\n"
                                               "[material]\nrho = \"if(x<0.5, 1, 1+x)\"\n")},
      // Steps that follow the state, and elements that the entropy filter and the positivity change.
      {"shock", box("triangle") + blast},
      {"shock_on_triangles_beside_quadrilaterals", box("mixed", ", move = 0.2") + low_blast},
      {"shock_in_a_mixed_space",
       "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1.2, 0.9], cells = [3, 1, 4], element = \"mixed\" }\n" + low_blast},
      {"shock_on_hexahedra", box("hexahedron", ", move = 0.2") + blast},
      {"single", box("tetrahedron") + rest("acoustics", 2, "p", "[device]\nprecision = \"single\"\n")},
  };
}

class SameBits : public testing::TestWithParam<Variety> {};

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST_P(SameBits, OnOneTwoThreeAndFourRanks) {
  const Variety& variety = GetParam();
  if (variety.device == "opencl" && !everybody().all(has_opencl())) GTEST_SKIP() << "there is no OpenCL device";
  const Outcome alone = outcome(variety.toml, variety.device, lone_rank());
  std::map<std::int64_t, const std::vector<double>*> wanted;
  double largest = 0;
  for (std::size_t i = 0; i < alone.cells.size(); ++i) {
    wanted[alone.cells[i]] = &alone.values[i];
    for (const double value : alone.values[i]) largest = std::max(largest, std::abs(value));
  }
  ASSERT_GT(largest, 1e-3) << "nothing to compare";
  for (const int count : {2, 3, 4})
    on_ranks(count, [&](Ranks& ranks) {
      const Outcome part = outcome(variety.toml, variety.device, ranks);
      EXPECT_LT(part.cells.size(), alone.cells.size()) << "a rank keeps its part only";
      std::int64_t held = static_cast<std::int64_t>(part.cells.size());
      ranks.sum(std::span(&held, 1));
      EXPECT_EQ(held, part.elements);
      EXPECT_EQ(part.elements, alone.elements);
      EXPECT_TRUE(same(part.dt, alone.dt)) << part.dt << " " << alone.dt;
      EXPECT_TRUE(same(part.energy, alone.energy)) << part.energy - alone.energy;
      for (std::size_t i = 0; i < alone.errors.size(); ++i)
        EXPECT_TRUE(same(part.errors[i], alone.errors[i])) << i << ": " << part.errors[i] - alone.errors[i];
      int different = 0;
      for (std::size_t i = 0; i < part.cells.size(); ++i)
        for (std::size_t k = 0; k < part.values[i].size(); ++k)
          different += !same(part.values[i][k], (*wanted.at(part.cells[i]))[k]);
      EXPECT_EQ(different, 0) << "numbers of rank " << ranks.rank() << " of " << count;
    });
}

std::string name_of(const testing::TestParamInfo<Variety>& test) { return test.param.name; }

INSTANTIATE_TEST_SUITE_P(All, SameBits, testing::ValuesIn(varieties()), name_of);

INSTANTIATE_TEST_SUITE_P(OpenCL, SameBits, testing::ValuesIn(varieties_of_threads()), name_of);
INSTANTIATE_TEST_SUITE_P(LongOpenCL, SameBits, testing::ValuesIn(long_varieties_of_threads()), name_of);

}  // namespace
}  // namespace swell
