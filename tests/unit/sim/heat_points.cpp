// SPDX-License-Identifier: Apache-2.0
// Point sources of heat: what they put in is stored, in every form of the operator, and the fixed grid has the answer of elements.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "sim/heat/heat.hpp"

namespace swell {
namespace {

Device& processor() {
  static const auto device = open_device("cpu");
  return *device;
}

std::string block(const char* element, int order, const std::string& more = "") {
  const bool solid = std::string(element) == "tetrahedron" || std::string(element) == "hexahedron";
  return fmt::format("[mesh]\nbox = {{ low = {0}, high = {1}, cells = {2}, element = \"{3}\"{4} }}\n[model]\nname = \"heat\"\norder = {5}\n"
                     "[material]\nrhoC = \"2 + y\"\nk = 0.3\n[time]\nsteps = 4\ndt = 0.1\n[solver]\ntolerance = 1e-14\n",
                     solid ? "[0, 0, 0]" : "[0, 0]", solid ? "[1, 0.8, 0.6]" : "[1, 0.8]", solid ? "[3, 3, 2]" : "[3, 3]", element, more,
                     order);
}

std::string point(const std::string& at, const std::string& signal, const std::string& more = "") {
  return "[[source.point]]\nat = " + at + "\nfield = \"T\"\nsignal = " + signal + "\n" + more;
}

std::unique_ptr<HeatSimulation> solved(const std::string& text, const std::vector<std::string>& overrides = {}) {
  auto simulation = std::make_unique<HeatSimulation>(parse_case(text, "point.toml", overrides), processor());
  simulation->finish();
  return simulation;
}

// Crank and Nicolson's scheme integrates 1 + 2 t exactly: 0.4 + 0.16 until t = 0.4, less half of 0.4.
TEST(HeatPoints, PutInWhatTheirSignalsSay) {
  for (const auto& [element, form] : {std::pair{"triangle", "elements"}, {"triangle", "vertices"}, {"quadrilateral", "elements"},
                                      {"tetrahedron", "vertices"}, {"tetrahedron", "grid"}, {"hexahedron", "elements"}}) {
    const bool solid = element[0] == 'h' || element[1] == 'e', grid = std::string(form) == "grid";
    const std::string inside = solid ? "[0.41, 0.33, 0.27]" : "[0.41, 0.33]", corner = solid ? "[0, 0, 0]" : "[0, 0]",
                      vertex = solid ? "[0.3333333333333333, 0.8, 0.3]" : "[0.3333333333333333, 0.8]";
    const std::string text = block(element, grid ? 1 : 2) + point(inside, "\"1 + 2*t\"") + point(corner, "-1", "amplitude = 0.25\n") +
                             point(vertex, "-0.25");
    const auto simulation = solved(text, {fmt::format("solver.form={}", form)});
    EXPECT_NEAR(simulation->stored_heat(), 0.56 - 0.2, 1e-11) << element << ' ' << form;
  }
}

TEST(HeatPoints, AreOnTheFixedGridWhatTheyAreOnElements) {
  const std::string walls = "[boundary]\nxmin = { kind = \"temperature\", T = \"1 + t\" }\nzmax = { kind = \"robin\", h = 2, T = 0.5 }\n";
  const std::string in_all_six = point("[0.45, 0.3, 0.1]", "\"cos(t)\"") + point("[0.4, 0.3, 0.2]", "2") + point("[0.4, 0.45, 0.1]", "3") +
                                 point("[0.36, 0.45, 0.2]", "4") + point("[0.4, 0.3, 0.28]", "5") + point("[0.36, 0.33, 0.28]", "6");
  const std::string at_the_side = point("[0.1, 0.75, 0.4]", "1") + point("[0.02, 0, 0.6]", "2") + point("[1, 0.8, 0.6]", "3");
  for (const auto& text : {block("tetrahedron", 1) + walls + in_all_six + at_the_side, block("tetrahedron", 1) + in_all_six,
                           block("tetrahedron", 1, ", periodic = [true, true, true]") + in_all_six + at_the_side}) {
    const auto grid = solved(text, {"solver.form=grid"}), elements = solved(text, {"solver.form=elements"});
    EXPECT_TRUE(grid->continuous().form().starts_with("fixed grid"));
    const auto one = grid->nodal_values(), other = elements->nodal_values();
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(one[i], other[i], 1e-10) << i;
  }
}

// Other places, signals and numbers of sources on what the first case has set up, and none.
TEST(HeatPoints, AreRenewedWithAnotherCase) {
  for (const char* family : {"continuous", "discontinuous", "grid"}) {
    const bool grid = std::string(family) == "grid", discontinuous = std::string(family) == "discontinuous";
    std::string text = block("tetrahedron", grid ? 1 : 2);
    if (discontinuous) {
      text = text.substr(0, text.find("[time]")) + text.substr(text.find("[solver]"));
      text.replace(text.find("rhoC = \"2 + y\"\n"), 15, "");
      text.replace(text.find("1e-14"), 5, "1e-11");
      text.replace(text.find("\"heat\""), 6, "\"poisson\"\nfamily = \"discontinuous\"");
    }
    text += discontinuous ? "[boundary]\nxmin = { kind = \"dirichlet\", u = 1 }\n" : "[boundary]\nxmin = { kind = \"temperature\", T = 1 }\n";
    const auto with = [&](const std::string& points) {
      std::string all = text + points;
      while (discontinuous && all.find("\"T\"") != std::string::npos) all.replace(all.find("\"T\""), 3, "\"u\"");
      return parse_case(all, "point.toml", {grid ? "solver.form=grid" : "solver.form=elements"});
    };
    HeatSimulation simulation(with(point("[0.4, 0.3, 0.2]", "1")), processor());
    for (const std::string& points : {point("[0.4, 0.3, 0.2]", "2"), point("[0.8, 0.3, 0.2]", "2") + point("[0.8, 0.7, 0.2]", "-1"),
                                      std::string(), point("[0.8, 0.7, 0.2]", "-1")}) {
      const Case next = with(points);
      ASSERT_TRUE(simulation.adopt(next));
      HeatSimulation anew(next, processor());
      simulation.finish();
      anew.finish();
      EXPECT_EQ(simulation.nodal_values(), anew.nodal_values()) << family << '\n' << points;
    }
  }
}

TEST(HeatPoints, MustBalanceWhereNothingHoldsTheAnswer) {
  const std::string steady = "[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [4, 4] }\n[model]\nname = \"poisson\"\norder = 2\n"
                             "[[source.point]]\nat = [0.3, 0.4]\nfield = \"u\"\nsignal = 1\n";
  EXPECT_THROW(solved(steady), InputError);
  const auto balanced = solved(steady + "[[source.point]]\nat = [0.7, 0.4]\nfield = \"u\"\nsignal = -1\n");
  EXPECT_NEAR(balanced->value_at("u", {0.3, 0.4}) + balanced->value_at("u", {0.7, 0.4}), 0, 0.05);
  EXPECT_GT(balanced->value_at("u", {0.3, 0.4}), 0.1);
}

}  // namespace
}  // namespace swell
