// SPDX-License-Identifier: Apache-2.0
// Level sets as cases: what is refused, and what a plan says of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "dg/levelset/operator.hpp"
#include "sim/simulation.hpp"
#include "study/plan.hpp"

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

TEST(LevelSetCase, StandsStillWhereTheCaseSaysSoAndGivesTheStep) {
  const std::string still = case_text("quadrilateral", 8, "ax = 0\nay = 0", "[levelset]\nthickness = 0.05\nat_end = 1\n");
  Simulation run(parse_case(still, "test.toml"), device());
  run.advance(run.end());
  auto& dg = dynamic_cast<LevelSetOperator&>(run.dg());
  EXPECT_EQ(dg.reinitialisations(), 1);
  std::string unknown = still;
  unknown.replace(unknown.find("dt = 1e-3\n"), 10, "");
  EXPECT_EQ(refusal(unknown), "Nothing moves in the case: the largest wave speed is 0, so give time.dt.");
}

TEST(LevelSetCase, NamesTheBoundaryKindsThatItHas) {
  const std::string text = case_text("quadrilateral", 2, "ax = 1");
  for (const char* kind : {"outflow", "wall", "absorbing"})
    EXPECT_EQ(refusal(text + fmt::format("[boundary]\nxmin = \"{}\"\n", kind)), "accepted") << kind;
  for (const char* kind : {"dirichlet", "exact", "pec"})
    EXPECT_EQ(refusal(text + fmt::format("[boundary]\nxmin = \"{}\"\n", kind)),
              fmt::format("boundary.xmin in test.toml: the model 'levelset' has the boundary kinds outflow, wall, absorbing, not '{}'.",
                          kind));
}

TEST(LevelSetPlan, SaysThatAGivenStepIsTooLong) {
  const std::string text = case_text("quadrilateral", 8, "ax = 1\nay = 0", "[levelset]\nthickness = 0.05\n");
  EXPECT_EQ(plan_case(parse_case(text, "test.toml"), device()).growth, "");
  const std::string words = plan_case(parse_case(text, "test.toml", {"time.dt=1"}), device()).growth;
  EXPECT_NE(words.find("time.dt = 1 is "), std::string::npos) << words;
  EXPECT_NE(words.find("times the largest step that is known to be stable"), std::string::npos) << words;
}

TEST(LevelSetPlan, HasTheStepAndTheMemoryOfTheRun) {
  for (const std::string element : {"quadrilateral", "triangle", "hexahedron"}) {
    SCOPED_TRACE(element);
    std::string text = case_text(element, 8, "ax = \"1 + 0.5*sin(pi*x)*cos(3*t)\"\nay = \"x*t\"",
                                 "[levelset]\nthickness = 0.05\nevery = 1\ntolerance = 0\nlength = 0.1\n");
    text.replace(text.find("dt = 1e-3\nsteps = 1"), std::string("dt = 1e-3\nsteps = 1").size(), "end = 0.5");
    const Plan plan = plan_case(parse_case(text, "test.toml"), device());
    const std::int64_t before = device().counters().bytes;
    Simulation run(parse_case(text, "test.toml"), device());
    EXPECT_EQ(plan.dt, run.dt());
    EXPECT_GT(plan.reinitialisation_seconds, 0);
    EXPECT_LT(plan.reinitialisation_seconds, plan.seconds);
    run.advance(run.dt());
    const auto taken = static_cast<double>(device().counters().bytes - before);
    EXPECT_NEAR(static_cast<double>(plan.device_bytes) / taken, 1, 0.1);
  }
}

}  // namespace
}  // namespace swell
