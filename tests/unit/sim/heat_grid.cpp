// SPDX-License-Identifier: Apache-2.0
// A case on the fixed grid gives what it gives on general elements.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "sim/heat/heat.hpp"

namespace swell {
namespace {

// Every kind of boundary, a source, data that change in time.
std::string block(const char* periodic, const char* boundary) {
  return fmt::format(
      "[mesh]\nbox = {{ low = [0, 0, 0], high = [1, 0.8, 0.6], cells = [5, 4, 3], periodic = {} }}\n"
      "[model]\nname = \"heat\"\norder = 1\n[material]\nrhoC = \"2 + y\"\nk = \"1 + x^2 - 0.2*y^2 + z\"\n"
      "[boundary]\n{}[source]\nT = \"sin(3*x)*exp(-t)*(1 + z)\"\n[initial]\nT = \"cos(x)*y\"\n"
      "[time]\nsteps = 3\ndt = 0.1\n[device]\nbackend = \"cpu\"\n[solver]\ntolerance = 1e-13\n",
      periodic, boundary);
}
constexpr const char* none = "[false, false, false]";
constexpr const char* all_kinds =
    "xmin = { kind = \"temperature\", T = \"1 + t*y\" }\nxmax = { kind = \"flux\", q = \"y*z + sin(t)\" }\n"
    "ymin = { kind = \"robin\", h = \"0.7 + x\", T = \"cos(t)\" }\nzmax = { kind = \"temperature\", T = \"2 - t\" }\n";
constexpr const char* no_transfer =
    "xmin = { kind = \"temperature\", T = \"1 + t*y\" }\nxmax = { kind = \"flux\", q = \"y*z + sin(t)\" }\n"
    "zmax = { kind = \"temperature\", T = \"2 - t\" }\n";

std::vector<double> solved(const std::string& text, const char* form, std::vector<std::string> overrides = {}) {
  static const auto device = open_device("cpu");
  overrides.push_back(fmt::format("solver.form={}", form));
  HeatSimulation simulation(parse_case(text, "block.toml", overrides), *device);
  EXPECT_EQ(simulation.continuous().form().starts_with("fixed grid"), std::string(form) == "grid");
  simulation.finish();
  auto values = simulation.nodal_values();
  if (!simulation.steady()) values.push_back(simulation.stored_heat());
  values.push_back(simulation.value_at(simulation.fields().front(), {0.3, 0.3, 0.3}));
  return values;
}

// Temperatures are near 1: the tolerance of the solver, 1e-13 of the right-hand side, decides.
void expect_same(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const auto grid = solved(text, "grid", overrides), elements = solved(text, "elements", overrides);
  ASSERT_EQ(grid.size(), elements.size());
  for (std::size_t i = 0; i < grid.size(); ++i) ASSERT_NEAR(grid[i], elements[i], 1e-11) << i;
}

TEST(HeatOnTheFixedGrid, IsThatOfElementsForEveryKindOfBoundary) {
  expect_same(block(none, all_kinds));
  expect_same(block(none, no_transfer), {"time.scheme=bdf2"});
  expect_same(block(none, no_transfer), {"material.k=2.5", "material.rhoC=3", "time.theta=1"});
}

TEST(HeatOnTheFixedGrid, IsThatOfElementsOnPeriodicBoxes) {
  expect_same(block("[false, true, false]", no_transfer));
  expect_same(block("[true, true, true]", ""));
}

TEST(HeatOnTheFixedGrid, GoesOnFromValuesThatAreSet) {
  const auto device = open_device("cpu");
  const auto went_on = [&](const char* form) {
    HeatSimulation simulation(parse_case(block(none, no_transfer), "block.toml", {fmt::format("solver.form={}", form)}),
                              *device);
    simulation.step(simulation.end());
    auto values = simulation.nodal_values();
    for (double& value : values) value = 0.5 * value * value;
    simulation.write(0, values);
    simulation.step(simulation.end());
    return simulation.nodal_values();
  };
  const auto grid = went_on("grid"), elements = went_on("elements");
  for (std::size_t i = 0; i < grid.size(); ++i) ASSERT_NEAR(grid[i], elements[i], 1e-11) << i;
}

TEST(PoissonOnTheFixedGrid, IsThatOfElements) {
  const std::string text =
      "[mesh]\nbox = { low = [0, 0, 0], high = [1, 0.8, 0.6], cells = [5, 4, 3] }\n[model]\nname = \"poisson\"\norder = 1\n"
      "[material]\nk = \"if(z < 0.2, 1, 3)\"\n[boundary]\nxmin = { kind = \"robin\", h = 2, T = 1 }\n"
      "ymax = { kind = \"dirichlet\", u = \"x\" }\n[source]\nu = \"1 + x*y\"\n[device]\nbackend = \"cpu\"\n"
      "[solver]\ntolerance = 1e-13\n";
  expect_same(text);
  expect_same(text, {"boundary.xmin={kind=\"flux\", q=1}"});
}

TEST(HeatOnTheFixedGrid, IsChosenWhereItCanBe) {
  const auto device = open_device("cpu");
  const auto form = [&](const std::vector<std::string>& overrides) {
    return HeatSimulation(parse_case(block(none, no_transfer), "block.toml", overrides), *device).continuous().form();
  };
  EXPECT_EQ(form({}), "fixed grid, material in the kernel");
  EXPECT_EQ(form({"material.k=2", "material.rhoC=2"}), "fixed grid");
  EXPECT_EQ(form({"model.order=2"}), "elements");
  EXPECT_EQ(form({"mesh.box.element=hexahedron"}), "elements");
  EXPECT_EQ(form({"solver.preconditioner=multigrid"}), "elements");
}

TEST(HeatOnTheFixedGrid, SaysWhyItCannotBe) {
  const auto device = open_device("cpu");
  const auto refused = [&](std::vector<std::string> overrides) -> std::string {
    overrides.emplace_back("solver.form=grid");
    try {
      HeatSimulation(parse_case(block(none, no_transfer), "block.toml", overrides), *device);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused({"model.order=2"}),
            "solver.form is \"grid\", but model.order is 2 and the fixed grid has linear elements; take \"elements\".");
  EXPECT_EQ(refused({"mesh.box.element=hexahedron"}),
            "solver.form is \"grid\", but the mesh is no box of tetrahedra; take \"elements\".");
  EXPECT_EQ(refused({"solver.preconditioner=multigrid"}),
            "solver.form is \"grid\", but solver.preconditioner is \"multigrid\", which works on elements; take \"elements\".");
  // The sentence is that of elements, with the place.
  EXPECT_NE(refused({"material.k=\"0.5 - x\""}).find("The material 'k' = 0.5 - x has the value -"), std::string::npos);
}

}  // namespace
}  // namespace swell
