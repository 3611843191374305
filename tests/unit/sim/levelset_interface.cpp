// SPDX-License-Identifier: Apache-2.0
// Measures of the interface of a level set, against a disc and a ball on all shapes: each error falls with its own order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "dg/levelset/interface.hpp"
#include "mesh/geometry.hpp"
#include "sim/simulation.hpp"

namespace swell {
namespace {

constexpr double radius = 0.3, thickness = 0.1;
constexpr int order = 3;

Device& device() {
  setenv("SWELL_CACHE", (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kernel-cache").c_str(), 0);
  static const auto opened = open_device("cpu");
  return *opened;
}

std::string case_text(const std::string& element, int cells) {
  const bool flat = element == "triangle" || element == "quadrilateral";
  return fmt::format(
      "[mesh]\nbox = {{ low = {}, high = {}, cells = {}, element = \"{}\" }}\n[model]\nname = \"levelset\"\norder = "
      "{}\n[levelset]\nthickness = {}\n[material]\nax = 1\n[initial]\nG = \"1/(1 + exp((sqrt((x - 0.5)^2 + (y - "
      "0.5)^2 + (z - {})^2) - {})/{}))\"\n[time]\ndt = 1e-3\nsteps = 1\n",
      flat ? "[0, 0]" : "[0, 0, 0]", flat ? "[1, 1]" : "[1, 1, 1]",
      flat ? fmt::format("[{0}, {0}]", cells) : fmt::format("[{0}, {0}, {0}]", cells), element, order, thickness,
      flat ? 0.0 : 0.5, radius, thickness);
}

// Relative ones of what is enclosed and of the interface; `mass` and `state` are absolute; `bend` is the length of a small
// piece of the interface over its radius; `shift` is how far the interface may lie off, over its radius.
struct Errors {
  double mass = 0, state = 0, enclosed = 0, surface = 0, normal = 0, curvature = 0, bend = 0, shift = 0;
  int dim = 2;
};

// The integral of the profile over the box, and the L2 error of the state, by a rule that is far finer than it.
void measure_state(LevelSetOperator& dg, const Buffer& state, double& mass, double& error) {
  const Mesh& mesh = *dg.problem().mesh;
  const Cubature rule = cubature(mesh.shape(), 16);
  const Matrix at_points = dg.element().interpolation(rule.points);
  const CellMap map(mesh, rule.points), middle(mesh, Matrix::Zero(1, mesh.dim));
  std::vector<double> x(rule.points.size());
  Matrix jacobian(mesh.dim, mesh.dim);
  mass = error = 0;
  dg.states().read_state(state, [&](std::int64_t cell, const double* nodal) {
    const Vector found = at_points * Eigen::Map<const Vector>(nodal, dg.element().node_count);
    map.coordinates(cell, x.data());
    middle.jacobians(cell, jacobian.data());
    for (Eigen::Index p = 0; p < rule.points.rows(); ++p) {
      double square = 0;
      for (int d = 0; d < mesh.dim; ++d) square += std::pow(x[p * mesh.dim + d] - 0.5, 2);
      const double exact = 1 / (1 + std::exp((std::sqrt(square) - radius) / thickness));
      const double weight = jacobian.determinant() * rule.weights[p];
      mass += weight * exact;
      error += weight * std::pow(found[p] - exact, 2);
    }
  });
  error = std::sqrt(error);
}

// Normals and curvature: the mean square at the nodes near the interface.
Errors errors_of(const std::string& element, int cells) {
  Simulation run(parse_case(case_text(element, cells), "test.toml"), device());
  auto& dg = dynamic_cast<LevelSetOperator&>(run.dg());
  const int dim = run.mesh().dim, nodes = dg.element().node_count;
  const InterfaceMeasures found = measure_interface(dg, run.state(), nullptr, 0);
  const double enclosed = dim == 2 ? M_PI * radius * radius : 4 * M_PI / 3 * std::pow(radius, 3);
  const double surface = dim == 2 ? 2 * M_PI * radius : 4 * M_PI * radius * radius;
  Errors errors;
  double mass = 0;
  measure_state(dg, run.state(), mass, errors.state);
  errors.mass = std::abs(dg.measure(run.state())[LevelSet::mass] - mass);
  errors.enclosed = std::abs(found.enclosed / enclosed - 1);
  errors.surface = std::abs(found.surface / surface - 1);
  const auto fields = normals_and_curvature(dg, run.state());
  std::vector<double> state(run.mesh().cell_count() * nodes);
  dg.states().read_state(run.state(),
                [&](std::int64_t cell, const double* own) { std::copy_n(own, nodes, &state[cell * nodes]); });
  const CellMap map(run.mesh(), dg.element().nodes);
  std::vector<double> x(nodes * dim);
  int near = 0;
  for (std::int64_t cell = 0; cell < run.mesh().cell_count(); ++cell) {
    map.coordinates(cell, x.data());
    for (int n = 0; n < nodes; ++n) {
      double square = 0;
      for (int d = 0; d < dim; ++d) square += std::pow(x[n * dim + d] - 0.5, 2);
      const double r = std::sqrt(square);
      if (std::abs(r - radius) > thickness) continue;
      ++near;
      // The shift follows from the slope 1 / (4 eps) that the profile has at the interface.
      const double exact = 1 / (1 + std::exp((r - radius) / thickness));
      errors.shift = std::max(errors.shift, std::abs(state[cell * nodes + n] - exact) * 4 * thickness / radius);
      for (int d = 0; d < dim; ++d)
        errors.normal += std::pow(fields[d][cell * nodes + n] - (0.5 - x[n * dim + d]) / r, 2);
      errors.curvature += std::pow(fields[dim][cell * nodes + n] - (dim - 1) / r, 2);
    }
  }
  EXPECT_GT(near, 50);
  constexpr int cuts_2d = 24, cuts_3d = 6;  // of a cell, as measure_interface() makes them
  errors.dim = dim;
  errors.bend = std::sqrt(dim) / (cells * (dim == 2 ? cuts_2d : cuts_3d)) / radius;
  errors.normal = std::sqrt(errors.normal / near);
  errors.curvature = std::sqrt(errors.curvature / near);
  return errors;
}

// Cut into linear pieces of a length s, an interface of radius R is off by a sagitta of s^2 / (8 R) and is tilted by s / R at
// most: what it encloses and its size are of order 2 with these factors. A gradient is of the order of the space, the
// curvature, a derivative of it, of one less. By Cauchy and Schwarz the integral over the unit box is off by at most the L2
// error.
TEST(Interface, IsMeasuredToTheOrderThatTheorySays) {
  for (const auto& [element, cells] :
       {std::pair{"quadrilateral", 10}, {"triangle", 10}, {"hexahedron", 6}, {"tetrahedron", 8}}) {
    const Errors coarse = errors_of(element, cells), fine = errors_of(element, 2 * cells);
    const auto falls = [&](std::string_view what, double before, double after, double expected) {
      SCOPED_TRACE(fmt::format("{}: {} has errors {:.2e} and {:.2e}", element, what, before, after));
      EXPECT_GT(std::log2(before / after), expected - 0.25);
    };
    falls("the normal", coarse.normal, fine.normal, order);
    falls("the curvature", coarse.curvature, fine.curvature, order - 1);
    for (const Errors& errors : {coarse, fine}) {
      SCOPED_TRACE(element);
      const double dim = errors.dim;
      EXPECT_LE(errors.mass, errors.state);
      EXPECT_LE(errors.enclosed, dim * (errors.bend * errors.bend / 8 + errors.shift));
      EXPECT_LE(errors.surface, errors.bend * errors.bend / 2 + (dim - 1) * errors.shift);
    }
  }
}

TEST(Interface, IsNowhereMisplacedBesideItself) {
  for (const std::string element : {"quadrilateral", "triangle", "hexahedron", "tetrahedron"}) {
    Simulation run(parse_case(case_text(element, 6), "test.toml"), device());
    auto& dg = dynamic_cast<LevelSetOperator&>(run.dg());
    const std::string given = run.given().initial.at("G").text;
    const Expression exact = Expression::parse(given, space_time_variables, "the test");
    const Expression moved = Expression::parse("if(x < 0.5, 1, 0)", space_time_variables, "the test");
    const double enclosed = measure_interface(dg, run.state(), nullptr, 0).enclosed;
    EXPECT_LT(measure_interface(dg, run.state(), &exact, 0).misplaced, 0.02 * enclosed) << element;
    // Half of the ball lies where the other is 0, and the rest of that half of the box where it is not.
    EXPECT_NEAR(measure_interface(dg, run.state(), &moved, 0).misplaced, 0.5, 0.02) << element;
  }
}

}  // namespace
}  // namespace swell
