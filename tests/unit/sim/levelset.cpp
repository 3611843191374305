// SPDX-License-Identifier: Apache-2.0
// Level sets as cases: what is refused, and what is measured of an interface.
#include "sim/levelset.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "sim/simulation.hpp"

namespace swell {
namespace {

Device& device() {
  setenv("SWELL_CACHE", (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kernel-cache").c_str(), 0);
  static const auto opened = open_device("cpu");
  return *opened;
}

std::string case_text(const std::string& element, int cells, const std::string& velocity,
                      const std::string& levelset = "[levelset]\nthickness = 0.05\n") {
  const bool flat = element == "triangle" || element == "quadrilateral";
  return fmt::format(
      "[mesh]\nbox = {{ low = {}, high = {}, cells = {}, element = \"{}\" }}\n[model]\nname = \"levelset\"\norder = "
      "3\n{}"
      "[material]\n{}\n[initial]\nG = \"1/(1 + exp((sqrt((x - 0.5)^2 + (y - 0.5)^2 + (z - {})^2) - 0.3)/0.05))\"\n"
      "[time]\ndt = 1e-3\nsteps = 1\n",
      flat ? "[0, 0]" : "[0, 0, 0]", flat ? "[1, 1]" : "[1, 1, 1]",
      flat ? fmt::format("[{0}, {0}]", cells) : fmt::format("[{0}, {0}, {0}]", cells), element, levelset, velocity,
      flat ? 0.0 : 0.5);
}

std::string refusal(const std::string& text) {
  try {
    Simulation(parse_case(text, "test.toml"), device());
  } catch (const InputError& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(LevelSetCase, NeedsAVelocityAThicknessAndRungeKutta) {
  EXPECT_EQ(refusal(case_text("quadrilateral", 2, "")),
            "A level set needs a velocity: give ax and ay under [material].");
  EXPECT_NE(refusal(case_text("quadrilateral", 2, "ax = 1", "")).find("levelset"), std::string::npos);
  EXPECT_NE(refusal(case_text("quadrilateral", 2, "ax = 1", "[levelset]\nthickness = -1\n")).find("thickness"),
            std::string::npos);
  EXPECT_NE(refusal(case_text("quadrilateral", 2, "ax = 1") + "scheme = \"ader\"\n").find("Runge-Kutta"),
            std::string::npos);
  EXPECT_EQ(refusal(case_text("quadrilateral", 2, "ax = 1")), "accepted");
}

TEST(Interface, HasTheAreaAndLengthOfADiscAndTheVolumeAndAreaOfABall) {
  for (const auto& [element, cells, tolerance] : {std::tuple{"quadrilateral", 12, 1e-3},
                                                  {"triangle", 12, 1e-3},
                                                  {"hexahedron", 6, 2e-2},
                                                  {"tetrahedron", 4, 3e-2}}) {
    SCOPED_TRACE(element);
    Simulation run(parse_case(case_text(element, cells, "ax = 1"), "test.toml"), device());
    auto& dg = dynamic_cast<LevelSetOperator&>(run.dg());
    const Expression exact = Expression::parse(run.given().initial.at("G").text, space_time_variables, "the test");
    const InterfaceMeasures found = measure_interface(dg, run.state(), &exact, 0);
    const double r = 0.3, enclosed = run.mesh().dim == 2 ? M_PI * r * r : 4 * M_PI / 3 * r * r * r;
    const double surface = run.mesh().dim == 2 ? 2 * M_PI * r : 4 * M_PI * r * r;
    EXPECT_NEAR(found.enclosed / enclosed, 1, tolerance);
    EXPECT_NEAR(found.exact / enclosed, 1, tolerance);
    EXPECT_NEAR(found.surface / surface, 1, tolerance);
    EXPECT_LT(found.misplaced, tolerance * enclosed);
  }
}

TEST(Interface, HasTheNormalAndTheCurvatureOfADisc) {
  Simulation run(parse_case(case_text("quadrilateral", 24, "ax = 1"), "test.toml"), device());
  auto& dg = dynamic_cast<LevelSetOperator&>(run.dg());
  const auto fields = normals_and_curvature(dg, run.state());
  const int nodes = dg.element().node_count;
  const CellMap map(run.mesh(), dg.element().nodes);
  std::vector<double> x(nodes * 2);
  int near = 0;
  for (std::int64_t cell = 0; cell < run.mesh().cell_count(); ++cell) {
    map.coordinates(cell, x.data());
    for (int n = 0; n < nodes; ++n) {
      const double r = std::hypot(x[2 * n] - 0.5, x[2 * n + 1] - 0.5);
      if (std::abs(r - 0.3) > 0.03) continue;
      ++near;
      EXPECT_NEAR(fields[0][cell * nodes + n], (0.5 - x[2 * n]) / r, 1e-2);
      EXPECT_NEAR(fields[1][cell * nodes + n], (0.5 - x[2 * n + 1]) / r, 1e-2);
      EXPECT_NEAR(fields[2][cell * nodes + n] * r, 1, 0.15);
    }
  }
  EXPECT_GT(near, 100);
}

}  // namespace
}  // namespace swell
