// SPDX-License-Identifier: Apache-2.0
// Heat with continuous elements gives the same answer on every device, and its solver leaves the scalars there.
#include <fmt/format.h>

#include "cg/grid/grid.hpp"
#include "mesh/sources.hpp"
#include "sim/heat/heat.hpp"
#include "support.hpp"

namespace swell {
namespace {

std::string heat_case(const char* element, const char* precision) {
  const bool solid = std::string(element) == "tetrahedron" || std::string(element) == "hexahedron";
  return fmt::format(
      "[mesh]\nbox = {{ low = {0}, high = {1}, cells = {1}, element = \"{2}\" }}\n"
      "[model]\nname = \"heat\"\norder = 2\n[device]\nprecision = \"{3}\"\n"
      "[material]\nrhoC = 2\nk = \"1 + 0.5*sin(x*y)\"\n"
      "[boundary]\nxmin = {{ kind = \"temperature\", T = \"1 + t\" }}\nxmax = {{ kind = \"flux\", q = \"y + sin(t)\" }}\n"
      "ymax = {{ kind = \"robin\", h = 0.7, T = \"cos(t)\" }}\n[source]\nT = \"x*exp(-t)\"\n"
      "[time]\nsteps = 3\ndt = 0.1\n[solver]\ntolerance = {4}\n",
      solid ? "[0, 0, 0]" : "[0, 0]", solid ? "[2, 2, 1]" : "[2, 2]", element, precision,
      std::string(precision) == "double" ? "1e-14" : "1e-6");
}

std::vector<double> heated(const char* element, const char* precision, Device& device) {
  HeatSimulation simulation(parse_case(heat_case(element, precision), "test.toml"), device);
  simulation.finish();
  return simulation.nodal_values();
}

class Heat : public OnEveryDevice {};

TEST_P(Heat, IsTheSameOnEveryDevice) {
  // Temperatures are near 1; the tolerance of the solver and what single precision keeps of sums decide in single.
  for (const auto& [element, precision, tolerance] :
       {std::tuple{"triangle", "double", 1e-12}, {"hexahedron", "double", 1e-12}, {"tetrahedron", "single", 2e-5},
        {"quadrilateral", "single", 2e-5}, {"mixed", "double", 1e-12}}) {
    const auto here = heated(element, precision, device), there = heated(element, precision, device_named("cpu"));
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i) ASSERT_NEAR(here[i], there[i], tolerance) << element << ' ' << i;
  }
}

// Numbers, expressions that a kernel reads as data, and numbers again, one after the other on what the first has set up.
TEST_P(Heat, TakesOtherMaterialsAsTheCpuDoes) {
  for (const auto& [element, precision, form, tolerance] :
       {std::tuple{"tetrahedron", "double", "elements", 1e-12}, {"hexahedron", "single", "elements", 2e-5},
        {"triangle", "double", "vertices", 1e-12}, {"mixed", "double", "elements", 1e-12}}) {
    const auto with = [&, &element = element, &precision = precision, &form = form](const char* k) {
      return parse_case(heat_case(element, precision), "test.toml",
                        {fmt::format("solver.form={}", form), fmt::format("material.k=\"{}\"", k), "model.order=3"});
    };
    HeatSimulation here(with("2"), device), there(with("2"), device_named("cpu"));
    for (const char* k : {"1 + x*y", "if(x < 1, 2, 0.5)", "1.5 + tanh(3*(x - 0.7)) + 0.1*cos(y)^2", "if(x < 0.9, 2, 0.5)",
                          "max(x, y, 0.3)^1.5 + 0.2", "3"}) {
      ASSERT_TRUE(here.adopt(with(k)) && there.adopt(with(k)));
      here.finish();
      there.finish();
      const auto one = here.nodal_values(), other = there.nodal_values();
      for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(one[i], other[i], tolerance) << element << ' ' << k << ' ' << i;
    }
  }
}

TEST_P(Heat, IsTheSameWithMultigrid) {
  const auto solved = [](Device& on) {
    HeatSimulation simulation(
        parse_case(heat_case("quadrilateral", "double"), "test.toml", {"solver.preconditioner=multigrid"}), on);
    simulation.finish();
    return simulation.nodal_values();
  };
  const auto here = solved(device), plain = heated("quadrilateral", "double", device_named("cpu"));
  for (std::size_t i = 0; i < here.size(); ++i) ASSERT_NEAR(here[i], plain[i], 1e-12) << i;
}

// Each unknown visiting its elements, against each element's product: rounding and the solver's tolerance are all that differs.
TEST_P(Heat, IsTheSameByUnknownsAsByElements) {
  const auto solved = [](const char* element, const char* precision, const char* order, Device& on) {
    HeatSimulation simulation(parse_case(heat_case(element, precision), "test.toml",
                                         {"solver.form=vertices", fmt::format("model.order={}", order)}),
                              on);
    simulation.finish();
    return simulation.nodal_values();
  };
  const auto plain = [](const char* element, const char* precision, const char* order) {
    HeatSimulation simulation(
        parse_case(heat_case(element, precision), "test.toml", {fmt::format("model.order={}", order)}),
        device_named("cpu"));
    simulation.finish();
    return simulation.nodal_values();
  };
  for (const auto& [element, precision, order, tolerance] :
       {std::tuple{"triangle", "double", "3", 1e-12}, {"tetrahedron", "double", "1", 1e-12},
        {"hexahedron", "double", "2", 1e-12}, {"quadrilateral", "single", "1", 2e-5}, {"mixed", "double", "2", 1e-12}}) {
    const auto here = solved(element, precision, order, device), there = plain(element, precision, order);
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t i = 0; i < here.size(); ++i) ASSERT_NEAR(here[i], there[i], tolerance) << element << ' ' << i;
  }
}

// Enough cells for several blocks of elements on every device, so that sums of several blocks meet; y against the other form's.
TEST_P(Heat, AppliesManyBlocksOfElementsAsUnknownsDo) {
  for (const Shape shape : {Shape::tetrahedron, Shape::quadrilateral})
    for (const auto& [precision, part] : {std::pair{Precision::double_, 1e-13}, {Precision::single_, 1e-6}}) {
      const bool solid = shape == Shape::tetrahedron;
      const Mesh mesh = make_box({std::vector<double>(solid ? 3 : 2, 0.0), std::vector<double>(solid ? 3 : 2, 1.0),
                                  solid ? std::vector<std::int64_t>{6, 5, 4} : std::vector<std::int64_t>{30, 20}, shape, {}});
      std::vector<std::vector<double>> answers;
      for (const DiffusionForm form : {DiffusionForm::elements, DiffusionForm::vertices}) {
        DiffusionProblem problem;
        problem.mesh = &mesh;
        problem.form = form;
        problem.precision = precision;
        problem.material = {{Expression(2.0), Expression::parse("1 + x*y", space_time_variables, "test")}};
        problem.boundary.resize(mesh.boundaries.size() + 1);
        problem.boundary[0].kind = DiffusionBoundary::Kind::value;
        Vectors vectors(device, precision);
        ContinuousOperator of(problem, vectors);
        std::vector<double> values(of.length());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1 + static_cast<double>(i * 37 % 101) / 101;
        const auto x = vectors.upload(values, "x"), y = vectors.make(of.length(), "y");
        of.apply(3, 1e-4, *x, *y, of.length());
        answers.push_back(vectors.download(*y, of.length()));
      }
      // The mass has entries above 0 only, and the stiffness is small beside it: |A| |x| is less than twice |A x|.
      for (std::size_t i = 0; i < answers[0].size(); ++i)
        ASSERT_NEAR(answers[0][i], answers[1][i], 2 * part * std::abs(answers[1][i])) << i;
    }
}

TEST_P(Heat, GivesTheSameBitsEveryTime) {
  EXPECT_EQ(heated("triangle", "double", device), heated("triangle", "double", device));
}

TEST(HeatOnTheProcessor, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const char* element : {"triangle", "hexahedron"})
    EXPECT_EQ(heated(element, "double", device_named("cpu:1")), heated(element, "double", device_named("cpu:2"))) << element;
}

// One read for the norm of the right-hand side, one for the scalars, one for the history, and a poll every tenth iteration.
TEST_P(Heat, ReadsAtMostOneScalarAnIteration) {
  HeatSimulation simulation(parse_case(heat_case("triangle", "double"), "test.toml"), device);
  simulation.step(simulation.end());
  const auto copies = device.counters().copies;
  simulation.step(simulation.end());
  EXPECT_GE(simulation.last_solve().iterations, 10);
  EXPECT_LE(device.counters().copies - copies, 3 + (simulation.last_solve().iterations + 9) / 10);
}

struct GridSolve {
  std::array<std::int64_t, 3> cells;
  double a;  // of the mass
  Precision precision;
  std::optional<bool> keeps = {};
};

// a u - lap u = 1 with u = 0 around, but no value given at xmax, by the passes of the fixed grid.
std::vector<double> solved_on_grid(Device& on, const GridSolve& asked, const Expression& conductivity) {
  Vectors vectors(on, asked.precision);
  GridProblem problem;
  problem.cells = asked.cells;
  problem.fixed = 63 - 2;
  problem.mass = asked.a != 0;
  problem.material = {Expression(1.0), conductivity};
  problem.keeps = asked.keeps;
  GridOperator of(problem, asked.a, 1, vectors);
  std::vector<double> right(of.length(), 0.0), values;
  const auto visit = [&](auto&& act) {
    for (std::int64_t k = 0; k <= asked.cells[2]; ++k)
      for (std::int64_t j = 0; j <= asked.cells[1]; ++j)
        for (std::int64_t i = 0; i <= asked.cells[0]; ++i)
          if (!of.given(i, j, k)) act(of.place(i, j, k));
  };
  visit([&](std::int64_t at) { right[at] = problem.edge(0) * problem.edge(1) * problem.edge(2); });
  const auto b = vectors.upload(right, "b"), x = vectors.make(of.length(), "x");
  Pcg solver(vectors, of);
  solver.precondition(of.inverse_diagonal());
  solver.fuse(&of);
  solver.solve(*b, *x, {asked.precision == Precision::double_ ? 1e-14 : 1e-6, 200});
  const auto all = vectors.download(*x, of.length());
  visit([&](std::int64_t at) { values.push_back(all[at]); });
  return values;
}

TEST_P(Heat, SolvesOnTheFixedGridAsOnTheProcessor) {
  for (const char* conductivity : {"1", "1 + 0.5*tanh(4*(z - 0.5))"}) {
    const Expression material = Expression::parse(conductivity, {"x", "y", "z"}, "the test");
    for (const auto& [a, precision, tolerance] :
         {std::tuple{0.0, Precision::double_, 1e-13}, {50.0, Precision::single_, 1e-6}}) {
      const GridSolve asked{{9, 4, 3}, a, precision};
      const auto here = solved_on_grid(device, asked, material), there = solved_on_grid(device_named("cpu"), asked, material);
      for (std::size_t i = 0; i < here.size(); ++i) ASSERT_NEAR(here[i], there[i], tolerance) << i;
    }
  }
}

// Planes enough that a group goes through several of them, upwards and from pass to pass in turns. PoCL takes 17 seconds for each of
// the four, and has the one that does most.
TEST_P(Heat, GoesThroughThePlanesOfTheFixedGridBothWays) {
  const bool slow = device.info().compiler.find("PoCL") != std::string::npos;
  for (const char* conductivity : {"1", "1 + 0.5*x"}) {
    const Expression material = Expression::parse(conductivity, {"x", "y", "z"}, "the test");
    for (const bool keeps : {false, true}) {
      if (slow && (!keeps || material.is_constant())) continue;
      const GridSolve asked{{110, 100, 29}, 3e5, Precision::double_, keeps};
      const auto here = solved_on_grid(device, asked, material), there = solved_on_grid(device_named("cpu"), asked, material);
      for (std::size_t i = 0; i < here.size(); ++i) ASSERT_NEAR(here[i], there[i], 1e-13 / asked.a) << i;
    }
  }
}

// The fixed grid with the material in the kernel, general elements and a periodic axis: one answer. The material jumps away
// from the middles of tetrahedra, which lie at twelfths: on them the rounding of a middle would decide.
TEST_P(Heat, IsOnTheFixedGridWhatItIsOnElements) {
  const std::string text =
      "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [5, 4, 3], periodic = [true, false, false] }\n"
      "[model]\nname = \"heat\"\norder = 1\n[material]\nrhoC = \"2 + y\"\nk = \"if(z < 0.4, 1, 1 + y)\"\n"
      "[boundary]\nymin = { kind = \"temperature\", T = \"1 + t\" }\nymax = { kind = \"flux\", q = \"z + sin(t)\" }\n"
      "[source]\nT = \"y*exp(-t)\"\n[time]\nsteps = 2\ndt = 0.1\n[solver]\ntolerance = 1e-14\n";
  const auto solved = [&](const char* form) {
    HeatSimulation simulation(parse_case(text, "test.toml", {form}), device);
    simulation.finish();
    return simulation.nodal_values();
  };
  const auto grid = solved("solver.form=grid"), elements = solved("solver.form=elements");
  for (std::size_t i = 0; i < grid.size(); ++i) ASSERT_NEAR(grid[i], elements[i], 1e-12) << i;
  EXPECT_EQ(grid, solved("solver.form=grid"));  // the same bits every time
}

INSTANTIATE_TEST_SUITE_P(Devices, Heat, testing::ValuesIn(usable_devices()), device_test_name);

}  // namespace
}  // namespace swell
