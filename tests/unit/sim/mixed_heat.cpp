// SPDX-License-Identifier: Apache-2.0
// Heat and Poisson on meshes of several shapes: what comes out of them, and what they refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "sim/heat/heat.hpp"

namespace swell {
namespace {

const std::string plane = "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [4, 4], element = \"mixed\", move = 0.1 }\n";

Device& device() {
  static const auto cpu = open_device("cpu:1");
  return *cpu;
}

// Linear in space, with every kind of boundary: k du/dn = 2 (3, -2) . n, and h (T - u) at ymax.
std::string linear(const std::string& mesh, int order, const std::string& solver = "") {
  return mesh + "[model]\nname = \"poisson\"\norder = " + std::to_string(order) +
         "\n[material]\nk = 2\n[exact]\nu = \"1 + 3*x - 2*y\"\n[solver]\ntolerance = 1e-14\n" + solver +
         "[boundary]\nxmin = \"exact\"\nxmax = { kind = \"flux\", q = 6 }\nymin = { kind = \"flux\", q = 4 }\n"
         "ymax = { kind = \"robin\", h = 5, T = \"1 + 3*x - 2*y - 4/5\" }\n";
}

TEST(MixedHeat, IsExactForLinearFunctionsWhateverTheBoundary) {
  for (const int order : {1, 2, 5})
    for (const char* solver : {"", "form = \"vertices\"\n", "preconditioner = \"multigrid\"\n"}) {
      HeatSimulation run(parse_case(linear(plane, order, solver), "linear.toml"), device());
      run.finish();
      EXPECT_LT(run.errors().relative(), 1e-12) << order << ' ' << solver;
    }
}

TEST(MixedHeat, IsExactForLinearFunctionsInSpace) {
  for (const char* element : {"mixed", "prism", "pyramid"}) {
    const std::string space = std::string("[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [4, 2, 4], element = \"") + element + "\" }\n";
    HeatSimulation run(parse_case(linear(space, 2), "linear.toml"), device());
    run.finish();
    EXPECT_LT(run.errors().relative(), 1e-12) << element;
  }
}

const char* const sides = "[boundary]\nxmin = { kind = \"temperature\", T = \"cos(t)\" }\nymax = { kind = \"flux\", q = \"x*t\" }\n";
const std::string room = "[model]\nname = \"heat\"\norder = 3\n[material]\nrhoC = \"1 + x\"\nk = \"2 + sin(3*y)\"\n[initial]\nT = \"cos(2*x)*y\"\n"
                         "[source]\nT = \"x*exp(-t)\"\n[time]\nsteps = 8\ndt = 0.02\nscheme = \"bdf2\"\n[solver]\ntolerance = 1e-12\n";

Case heated(const std::vector<std::string>& overrides = {}, const std::string& boundary = sides) {
  return parse_case(plane + room + boundary, "room.toml", overrides);
}

TEST(MixedHeat, HasValuesAtPointsOfCellsOfEveryShape) {
  HeatSimulation run(heated({}, ""), device());
  std::vector<Locator::Hit> hits;
  std::vector<double> expected;
  std::set<Shape> shapes;
  for (double x = 0.07; x < 1; x += 0.21)
    for (double y = 0.05; y < 1; y += 0.19) {
      hits.push_back(run.locate({x, y}, "A point"));
      shapes.insert(run.mesh().shape_of(hits.back().cell));
      expected.push_back(std::cos(2 * x) * y);
      EXPECT_NEAR(run.value_at("T", {x, y}), expected.back(), 1e-3);
    }
  EXPECT_EQ(shapes.size(), 2u);
  const auto sampler = run.sampler(hits, 1);
  sampler->sample(0);
  run.settle();
  const auto values = sampler->read(1);
  for (std::size_t i = 0; i < hits.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-3);
}

TEST(MixedHeat, GoesOnFromItsMemoryToTheBit) {
  HeatSimulation whole(heated(), device()), first(heated(), device()), second(heated(), device());
  whole.finish();
  first.advance(0.08);
  second.resume(first.memory());
  second.finish();
  EXPECT_EQ(whole.memory().states, second.memory().states);
}

TEST(MixedHeat, TakesOtherMaterialsWithTheAnswersOfACaseMadeFromNothing) {
  HeatSimulation run(heated(), device());
  for (const char* k : {"3", "1 + x*y", "if(x < 0.5, 1, 5)", "3"}) {
    const Case next = heated({std::string("material.k=\"") + k + '"'});
    HeatSimulation anew(next, device());
    anew.finish();
    ASSERT_TRUE(run.adopt(next));
    run.finish();
    EXPECT_EQ(run.nodal_values(), anew.nodal_values()) << k;
  }
  EXPECT_FALSE(run.adopt(heated({"mesh.box.element=quadrilateral"}))) << "another mesh";
}

// All the heat that points and a flux give is stored.
TEST(MixedHeat, StoresTheHeatThatComesIn) {
  const std::string more = "[boundary]\nxmax = { kind = \"flux\", q = 4 }\n"
                           "[[source.point]]\nat = [0.31, 0.42]\nfield = \"T\"\nsignal = 2\n"
                           "[[source.point]]\nat = [0.81, 0.42]\nfield = \"T\"\nsignal = 3\n";
  HeatSimulation run(heated({"source.T=0", "time.scheme=theta"}, more), device());
  const double before = run.stored_heat();
  run.finish();
  EXPECT_NEAR(run.stored_heat() - before, (2 + 3 + 4) * 0.16, 1e-10);
}

TEST(MixedHeat, ProjectsItsStart) {
  HeatSimulation run(heated({"initial.projection=l2", "initial.T=\"if(x < 0.53, 1, 3)\"", "material.rhoC=1"}, ""), device());
  // Cells are halved where the jump crosses them, six times at most.
  EXPECT_NEAR(run.stored_heat(), 0.53 + 3 * 0.47, 1e-3);
}

TEST(MixedHeat, TakesAContinuousFieldFromOutsideAndNoOther) {
  HeatSimulation run(heated({}, ""), device());
  std::vector<double> values = run.nodal_values();
  for (double& value : values) value += 1;
  run.write(0, values);
  EXPECT_EQ(run.nodal_values(), values);
  values.back() += 0.5;
  EXPECT_THROW(run.write(0, values), InputError);
}

TEST(MixedHeat, RefusesDiscontinuousElements) {
  try {
    HeatSimulation(parse_case(linear(plane, 2), "linear.toml", {"model.family=discontinuous"}), device());
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("cells of several shapes (triangle and quadrilateral), which model.family = \"discontinuous\" does not take"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace swell
