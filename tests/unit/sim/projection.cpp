// SPDX-License-Identifier: Apache-2.0
// initial.projection = "l2": polynomials stay what they are, integrals stay what they were, and the error is the least that there is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "base/error.hpp"
#include "mesh/sources.hpp"
#include "sim/cell_projection.hpp"
#include "sim/heat/heat.hpp"
#include "sim/simulation.hpp"

namespace swell {
namespace {

Device& processor() {
  static const auto device = open_device("cpu");
  return *device;
}

struct Kind {
  Shape shape;
  double move, bend;
  int geometry_order;
};
const Kind kinds[] = {{Shape::triangle, 0, 0, 1},       {Shape::triangle, 0, 0.1, 3},    {Shape::quadrilateral, 0, 0, 1},
                      {Shape::quadrilateral, 0.2, 0, 1}, {Shape::quadrilateral, 0, 0.1, 3}, {Shape::tetrahedron, 0, 0, 1},
                      {Shape::tetrahedron, 0, 0.05, 2},  {Shape::hexahedron, 0.2, 0, 1}};

Mesh mesh_of(const Kind& kind, std::int64_t n) {
  const std::size_t dim = static_cast<std::size_t>(dimension(kind.shape));
  return make_box({.low = std::vector<double>(dim, 0.0), .high = std::vector<double>(dim, 1.0), .cells = std::vector<std::int64_t>(dim, n),
                   .shape = kind.shape, .periodic = {}, .move = kind.move, .bend = kind.bend, .geometry_order = kind.geometry_order});
}

CellProjection::Values values_of(int dim, const std::function<double(double, double, double)>& f) {
  return [dim, f](std::int64_t, const double* x, int points, double* values) {
    for (int i = 0; i < points; ++i) values[i] = f(x[i * dim], x[i * dim + 1], dim == 3 ? x[i * dim + 2] : 0);
  };
}

// The sum of the test functions is 1.
double integral(const Mesh& mesh, const CellProjection& projection, const CellProjection::Values& values) {
  double sum = 0;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) sum += projection.moments(cell, values).sum();
  return sum;
}

TEST(Projection, LeavesPolynomialsOfItsOrderAlone) {
  for (const Kind& kind : kinds)
    for (const int order : {1, 3}) {
      const Mesh mesh = mesh_of(kind, 2);
      const ReferenceElement element(kind.shape, order);
      const CellProjection projection(mesh, element, 1, false);
      // In the plane's own coordinates; on curved cells such a function is a polynomial of the order times that of the geometry.
      const int degree = order / kind.geometry_order;
      const auto f = [&](double x, double y, double z) { return degree == 0 ? 1.0 : std::pow(0.5 + x - 2 * y + 3 * z, degree); };
      const CellMap map(mesh, element.nodes);
      std::vector<double> x(static_cast<std::size_t>(element.node_count * element.dim));
      for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
        const Matrix nodal = projection.solved(cell, projection.moments(cell, values_of(mesh.dim, f)));
        map.coordinates(cell, x.data());
        for (int n = 0; n < element.node_count; ++n) {
          const double* at = x.data() + n * mesh.dim;
          ASSERT_NEAR(nodal(n, 0), f(at[0], at[1], mesh.dim == 3 ? at[2] : 0), 1e-10) << shape_name(kind.shape) << order;
        }
      }
    }
}

TEST(Projection, FindsTheMomentsOfAJumpInsideCells) {
  for (const Kind& kind : kinds) {
    const Mesh mesh = mesh_of(kind, mesh_of(kind, 1).dim == 2 ? 4 : 3);
    const ReferenceElement element(kind.shape, 2);
    const auto ball = values_of(mesh.dim, [&](double x, double y, double z) {
      return std::hypot(x - 0.5, y - 0.5, mesh.dim == 3 ? z - 0.5 : 0) < 0.3 ? 1.0 : 0.0;
    });
    const double exact = mesh.dim == 2 ? std::numbers::pi * 0.09 : 4 * std::numbers::pi / 3 * 0.027;
    const double halved = integral(mesh, CellProjection(mesh, element, 1, true), ball) / exact - 1;
    const double by_the_rule = integral(mesh, CellProjection(mesh, element, 1, false), ball) / exact - 1;
    EXPECT_LT(std::abs(halved), mesh.dim == 2 ? 2e-3 : 4e-3) << shape_name(kind.shape);
    EXPECT_GT(std::abs(by_the_rule), 0) << shape_name(kind.shape);
  }
}

TEST(Projection, SeesWhereAnExpressionMayJump) {
  const auto jumps = [](const char* text) { return may_jump(Expression::parse(text, {"x", "y"}, "test")); };
  for (const char* text : {"if(x < 0, 1, 2)", "x < y", "step(x)", "2*sign(y)", "floor(3*x)"}) EXPECT_TRUE(jumps(text)) << text;
  for (const char* text : {"x^2", "sin(x)*exp(y)", "max(x, y)", "abs(x)", "gauss(x, 0.1)"}) EXPECT_FALSE(jumps(text)) << text;
}

std::string wave(const char* element, const char* family, const char* projection, const char* more = "") {
  const bool solid = element[0] == 'h' || element[1] == 'e';
  return fmt::format("[mesh]\nbox = {{ low = {0}, high = {1}, cells = {2}, element = \"{3}\"{4} }}\n[model]\nname = \"acoustics\"\norder = 2\n"
                     "family = \"{5}\"\n[initial]\nprojection = \"{6}\"\np = \"cos(3*x)*sin(2*y)\"\nvx = \"if(x < 0.4, 1, 0)\"\n"
                     "[exact]\np = \"cos(3*x)*sin(2*y)\"\n[time]\nsteps = 1\n",
                     solid ? "[0, 0, 0]" : "[0, 0]", solid ? "[1, 1, 1]" : "[1, 1]", solid ? "[3, 3, 3]" : "[3, 3]", element, more, family,
                     projection);
}

TEST(Projection, IsTheSameStateInBothFamilies) {
  for (const char* element : {"triangle", "quadrilateral", "tetrahedron", "hexahedron"}) {
    std::vector<std::vector<double>> states;
    for (const char* family : {"nodal", "modal"}) {
      Simulation run(parse_case(wave(element, family, "l2"), "test.toml"), processor());
      auto& values = states.emplace_back();
      run.read([&](std::int64_t, const double* at) {
        values.insert(values.end(), at, at + run.element().node_count * static_cast<int>(run.fields().size()));
      });
    }
    ASSERT_EQ(states[0].size(), states[1].size());
    for (std::size_t i = 0; i < states[0].size(); ++i) ASSERT_NEAR(states[0][i], states[1][i], 1e-12) << element;
  }
}

TEST(Projection, IsNearerThanInterpolation) {
  for (const auto& [element, more] : {std::pair{"triangle", ""}, {"quadrilateral", ", move = 0.2"}, {"tetrahedron", ""}, {"hexahedron", ", move = 0.2"}}) {
    const auto error = [&, &element = element, &more = more](const char* projection) {
      return Simulation(parse_case(wave(element, "nodal", projection, more), "test.toml"), processor()).errors().l2[0];
    };
    EXPECT_LT(error("l2"), 0.95 * error("interpolation")) << element;
  }
}

std::string heat(const char* projection, const char* more = "") {
  return fmt::format("[mesh]\nbox = {{ low = [0, 0], high = [1, 1], cells = [5, 4], element = \"triangle\" }}\n[model]\nname = \"heat\"\norder = 2\n"
                     "[material]\nrhoC = \"if(y < 0.5, 1, 3)\"\n[initial]\nprojection = \"{}\"\nT = \"if(x < 0.53, 2, 1)\"\n"
                     "[time]\nsteps = 1\ndt = 0.01\n[solver]\ntolerance = 1e-13\n{}",
                     projection, more);
}

TEST(Projection, KeepsTheHeatOfAJumpInContinuousElements) {
  HeatSimulation l2(parse_case(heat("l2"), "test.toml"), processor()), nodes(parse_case(heat("interpolation"), "test.toml"), processor());
  const double exact = 2 * (1 + 0.53);
  EXPECT_NEAR(l2.stored_heat(), exact, 1e-3);
  EXPECT_GT(std::abs(nodes.stored_heat() - exact), 5e-3);
  HeatSimulation held(parse_case(heat("l2", "[boundary]\nxmin = { kind = \"temperature\", T = 5 }\n"), "test.toml"), processor());
  EXPECT_NEAR(held.value_at("T", {0, 0.3}), 5, 1e-12);
  // Another material on what is there has another projection.
  const Case next = parse_case(heat("l2").replace(heat("l2").find("1, 3)"), 5, "2, 1)"), "test.toml");
  ASSERT_TRUE(l2.adopt(next));
  EXPECT_NEAR(l2.stored_heat(), 1.5 * (1 + 0.53), 1e-3);
}

TEST(Projection, WorksOnElementsWhereTheFixedGridCouldBeTaken) {
  const std::string block = "[mesh]\nbox = { low = [0, 0, 0], high = [1, 1, 1], cells = [2, 2, 2] }\n[model]\nname = \"heat\"\norder = 1\n"
                            "[initial]\nprojection = \"l2\"\nT = \"x\"\n[time]\nsteps = 1\ndt = 0.1\n";
  EXPECT_EQ(HeatSimulation(parse_case(block, "test.toml"), processor()).form(), "elements");
  EXPECT_THROW(HeatSimulation(parse_case(block, "test.toml", {"solver.form=grid"}), processor()), InputError);
}

}  // namespace
}  // namespace swell
