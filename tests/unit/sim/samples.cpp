// SPDX-License-Identifier: Apache-2.0
// Flows through boundaries against what is inside and against forces that are known; outputs that need gradients.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include "base/error.hpp"
#include "dg/group_data.hpp"
#include "io/receivers.hpp"
#include "io/vtu_read.hpp"
#include "sim/outputs/outputs.hpp"
#include "sim/run.hpp"
#include "sim/simulation.hpp"

namespace swell {
namespace {

namespace fs = std::filesystem;

Device& device() {
  static const auto cpu = open_device("cpu");
  return *cpu;
}

std::string flow(const std::string& mesh, const std::string& model, const std::string& rest) {
  return "[mesh]\n" + mesh + "\n[model]\n" + model + "\n[time]\nend = 1\n[initial]\n" + rest;
}

// [boundary of the mesh][column] of the state of now.
Matrix flows_of(Simulation& run) {
  std::vector<std::int32_t> all;
  for (std::size_t i = 0; i < run.mesh().boundaries.size(); ++i) all.push_back(static_cast<std::int32_t>(i));
  const auto flows = run.flows(all);
  flows->sample(0);
  run.settle();
  const auto values = flows->read(1);
  return Eigen::Map<const Matrix>(values.data(), static_cast<Eigen::Index>(all.size()), static_cast<Eigen::Index>(flows->columns().size()));
}

Vector at_side(const Simulation& run, const Matrix& flows, const std::string& name) {
  const auto& sides = run.mesh().boundaries;
  return flows.row(std::find(sides.begin(), sides.end(), name) - sides.begin()).transpose();
}

// The integral of a state, by a rule that is exact for cells whose sides are straight.
Vector integral(Simulation& run, const Buffer& state) {
  const int dim = run.mesh().dim, fields = run.dg().fields();
  Vector sum = Vector::Zero(fields);
  for (const auto& [shape, element] : run.reference().all()) {
    const Cubature rule = cubature(shape, 2 * element.order + 4);
    const Matrix interpolation = element.interpolation(rule.points);
    const CellMap map(run.mesh(), shape, rule.points);
    std::vector<double> jacobians(static_cast<std::size_t>(rule.weights.size() * dim * dim));
    double scaled[9];
    run.dg().states().read_state(state, [&, shape = shape](std::int64_t cell, const double* values) {
      if (run.mesh().shape_of(cell) != shape) return;
      const Matrix at = interpolation * Eigen::Map<const Matrix>(values, interpolation.cols(), fields);
      map.jacobians(cell, jacobians.data());
      for (Eigen::Index p = 0; p < at.rows(); ++p)
        sum += rule.weights(p) * cofactors(dim, jacobians.data() + p * dim * dim, scaled) * at.row(p).transpose();
    });
  }
  return sum;
}

const std::string wind = "rho = \"1 + 0.1*sin(3*x + y)\"\nux = \"0.3*cos(x)\"\np = \"1 + 0.1*y\"\n";
const std::string sound = "p = \"sin(x + y)\"\nvx = \"cos(x)\"\nvy = \"x*y\"\n[boundary]\nxmin = { kind = \"impedance\", Z = 0.5 }\nymax = \"soft\"\n";
std::string sides(const std::string& more) {
  return "[boundary]\nxmin = { kind = \"farfield\", rho = 1, ux = 0.3, p = 1" + more + " }\nxmax = { kind = \"outflow\", p = 0.9 }\n";
}

class Balance : public testing::TestWithParam<std::string> {};

// Whatever a cell's face gives, its neighbour takes, so that the whole changes by what leaves through boundaries alone.
TEST_P(Balance, OfAllFieldsHoldsToRounding) {
  Simulation run(parse_case(GetParam(), "flow.toml"), device());
  const auto rate = run.dg().make_state("rate");
  run.dg().rate(0, run.state(), *rate);
  const Vector change = integral(run, *rate);
  const Matrix flows = flows_of(run);
  for (int f = 0; f < run.dg().fields(); ++f) {
    EXPECT_NEAR(flows.col(f).sum(), -change(f), 2e-13 * (1 + flows.col(f).cwiseAbs().sum())) << run.fields()[static_cast<std::size_t>(f)];
    EXPECT_GT(flows.col(f).cwiseAbs().sum(), 1e-3) << "something passes";
  }
}
INSTANTIATE_TEST_SUITE_P(
    Flow, Balance,
    testing::Values(flow("box = { low = [0, 0], high = [1, 1], cells = [3, 2], element = \"quadrilateral\", move = 0.2 }", "name = \"euler\"\norder = 2",
                         wind + "uy = \"0.1*x\"\n" + sides(", uy = 0")),
                    flow("box = { low = [0], high = [1], cells = [5] }", "name = \"euler\"\norder = 3\nflux = \"hllc\"", wind + sides("")),
                    flow("box = { low = [0, 0], high = [1, 1], cells = [2, 2] }", "name = \"navier-stokes\"\norder = 3",
                         wind + "uy = \"0.1*x\"\n" + sides(", uy = 0") + "ymin = { kind = \"noslip\", T = 1.2, ux = 0.2 }\n[material]\nmu = 0.1\n"),
                    flow("box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = \"mixed\", move = 0.1 }", "name = \"acoustics\"\norder = 2", sound),
                    flow("box = { low = [0, 0, 0], high = [1, 1, 1], cells = [1, 1, 4], element = \"mixed\", move = 0.1 }", "name = \"acoustics\"\norder = 1", sound),
                    flow("box = { low = [0, 0, 0], high = [1, 1, 1], cells = [1, 1, 1] }", "name = \"euler\"\norder = 2",
                         wind + "uy = \"0.1*x\"\nuz = \"0.1*y\"\n" + sides(", uy = 0, uz = 0"))));

TEST(Flows, GiveTheForceOfAPressureOnWalls) {
  Simulation box(parse_case(flow("box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = \"quadrilateral\" }", "name = \"euler\"\norder = 2",
                                 "rho = 1\np = \"2 + x\"\n"),
                            "flow.toml"),
                 device());
  const Matrix flows = flows_of(box);
  const std::array<std::array<double, 3>, 4> expected{{{0, -2, 0}, {0, 3, 0}, {0, 0, -2.5}, {0, 0, 2.5}}};  // mass and force
  for (int side = 0; side < 4; ++side)
    for (int f = 0; f < 3; ++f) EXPECT_NEAR(flows(side, f), expected[static_cast<std::size_t>(side)][static_cast<std::size_t>(f)], 1e-13);

  Simulation disc(parse_case(flow("disc = { cells = 2, geometry_order = 2, element = \"quadrilateral\" }", "name = \"euler\"\norder = 2",
                                  "rho = 1\np = \"2 + x\"\n"),
                             "flow.toml"),
                  device());
  const Vector rim = at_side(disc, flows_of(disc), "rim");
  double area = 0;
  for (const auto& quantity : disc.quantities())
    if (quantity->name() == "mass") area = quantity->value();
  EXPECT_NEAR(area, std::numbers::pi, 5e-3) << "the edges are parabolas";
  EXPECT_NEAR(rim(1), area, 1e-12) << "the integral of the pressure's gradient";
  EXPECT_NEAR(rim(2), 0, 1e-12);
}

TEST(Flows, OfCouettesFlowAreTheFrictionOfItsWalls) {
  Simulation run(parse_case(flow("box = { low = [0, 0], high = [2, 1], cells = [2, 2], element = \"quadrilateral\", periodic = [true, false] }",
                                 "name = \"navier-stokes\"\norder = 2",
                                 "rho = 1\nux = \"y\"\np = 1\n[boundary]\nymin = \"noslip\"\nymax = { kind = \"noslip\", ux = 1 }\n[material]\nmu = 0.03\n"),
                            "flow.toml"),
                 device());
  const Matrix flows = flows_of(run);
  const Vector low = at_side(run, flows, "ymin"), high = at_side(run, flows, "ymax");
  // The columns are the four fields, then their viscous parts. A wall 2 long feels mu du/dy.
  EXPECT_NEAR(low(5), 0.06, 1e-13);
  EXPECT_NEAR(high(5), -0.06, 1e-13);
  EXPECT_NEAR(high(1), -0.06, 1e-13) << "the mirror has the velocity of the wall";
  EXPECT_NEAR(high(2), 2, 1e-13) << "the pressure";
  EXPECT_NEAR(high(6), 0, 1e-13);
  EXPECT_NEAR(high(3), -0.06, 1e-12) << "the wall does the work that keeps the flow going, and no heat passes";
}

TEST(Flows, OfASheetAreThoseOfItsTwoSides) {
  Simulation run(parse_case("[mesh]\nbox = { low = [0, 0], high = [2, 1], cells = [4, 2], inner = { sheet = \"abs(x - 1) < 1e-6\" } }\n"
                            "[model]\nname = \"acoustics\"\norder = 1\n[boundary]\nsheet = \"rigid\"\n[initial]\np = \"if(x < 1, 5, 2)\"\n[time]\nend = 1\n",
                            "sheet.toml"),
                 device());
  const Vector sheet = at_side(run, flows_of(run), "sheet");
  EXPECT_NEAR(sheet(0), 0, 1e-13);
  EXPECT_NEAR(sheet(1), 3, 1e-13) << "5 pushes from the left, 2 from the right";
}

// A bent mesh, whose cells follow x and y to rounding: polynomials of them are polynomials of reference coordinates.
TEST(Derived, OfARotationAreItsVorticityItsQAndTheSlopeOfItsDensity) {
  const std::string turning = "rho = \"1 + 0.25*x\"\nux = \"-2*y\"\nuy = \"2*x\"\np = 10\n";
  for (const std::string mesh : {"box = { low = [0, 0], high = [1, 1], cells = [2, 2], element = \"triangle\", move = 0.1 }",
                                 "box = { low = [0, 0, 0], high = [1, 1, 1], cells = [1, 1, 1], element = \"hexahedron\" }"}) {
    Simulation run(parse_case(flow(mesh, "name = \"euler\"\norder = 2", turning), "turning.toml"), device());
    const std::vector<double> at = run.mesh().dim == 2 ? std::vector{0.3, 0.6} : std::vector{0.3, 0.6, 0.2};
    const std::map<std::string, double> expected{{"vorticity", 4}, {"q_criterion", 4}, {"schlieren", 0.25}};
    const auto sampler = run.sampler({run.locate(at, "A point")}, 1);
    sampler->sample(0);
    run.settle();
    const auto sampled = sampler->read(1);
    ASSERT_EQ(sampled.size(), run.outputs().size());
    const auto fields = run.extra_fields()();
    for (const auto& [name, value] : expected) {
      EXPECT_NEAR(run.value_at(name, at), value, 1e-12) << name;
      EXPECT_NEAR(sampled[static_cast<std::size_t>(run.output_index(name))], value, 1e-12) << name;
      const auto of_nodes = std::ranges::find_if(fields, [&, &name = name](const auto& field) { return field.first == name; });
      ASSERT_NE(of_nodes, fields.end()) << name;
      for (const double at_node : of_nodes->second) EXPECT_NEAR(at_node, value, 1e-11) << name;
    }
    EXPECT_NEAR(sampled[static_cast<std::size_t>(run.output_index("ux"))], -1.2, 1e-12) << "what needs no gradients is as before";
  }
}

TEST(Averages, OfASineOverItsPeriodAreItsMiddleAndTheRootOfAHalf) {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path() / "averages-out";
  fs::remove_all(folder);
  Case c = parse_case("[mesh]\nbox = { low = [0], high = [1], cells = [4], periodic = [true] }\n[model]\nname = \"advection\"\norder = 5\n"
                      "[initial]\nu = \"3 + sin(2*pi*x)\"\n[time]\nend = 1.25\ndt = 0.005\n[device]\nbackend = \"cpu:1\"\n"
                      "[output]\naverages = { from = 0.25, every = 0.125 }\n"
                      "[[probe]]\nname = \"line\"\nfrom = [0.1]\nto = [0.9]\npoints = 3\n",
                      "sine.toml");
  c.output_folder = folder;
  ASSERT_EQ(run_case(c, {.quiet = true}), 0);
  const VtuFile averages(folder / "averages.vtu");
  // Exact but for the error of the elements; eight parts of a period integrate squares of sines exactly.
  const std::map<std::string, double> expected{{"u_mean", 3}, {"u_rms", std::sqrt(9.5)}, {"u_deviation", std::sqrt(0.5)}};
  ASSERT_EQ(averages.fields().size(), expected.size());
  for (const auto& [name, value] : expected) {
    const auto field = std::ranges::find_if(averages.fields(), [&, &name = name](const auto& one) { return one == name; });
    ASSERT_NE(field, averages.fields().end()) << name;
    for (const double at_node : averages.field(*field)) EXPECT_NEAR(at_node, value, 1e-4) << name;
  }
  const SignalTable line = read_signals(folder / "probes" / "line.csv");
  EXPECT_EQ(line.columns, (std::vector<std::string>{"time", "distance", "x", "u"}));
  ASSERT_EQ(line.values.size(), 6u * 4) << "three points at the beginning and at the end";
  for (std::size_t row = 0; row < 6; ++row) {
    const double *const at = line.values.data() + 4 * row, x = 0.1 + 0.4 * static_cast<double>(row % 3);
    EXPECT_DOUBLE_EQ(at[0], row < 3 ? 0 : 1.25);
    EXPECT_NEAR(at[1], x - 0.1, 1e-15);
    EXPECT_NEAR(at[2], x, 1e-15);
    EXPECT_NEAR(at[3], 3 + std::sin(2 * std::numbers::pi * (x - at[0])), 2e-4);
  }
  fs::remove_all(folder);
}

std::string refusal(const std::string& more) {
  try {
    const Case c = parse_case("[mesh]\nbox = { low = [0, 0], high = [1, 1], cells = [2, 2], inner = { sheet = \"abs(x - 0.5) < 1e-6\" } }\n[model]\nname = \"acoustics\"\norder = 1\n" +
                                  more + "[time]\nend = 1\n",
                              "case.toml");
    Simulation run(c, device());
    sampled_outputs(run);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Samples, AreRefusedWithTheirPlace) {
  EXPECT_EQ(refusal("[[surface]]\nname = \"a\"\nboundaries = \"ymax\"\ndrag = [1, 0]\n"), "nothing");
  EXPECT_EQ(refusal("[[surface]]\nname = \"a\"\nboundaries = \"top\"\n").substr(0, 66),
            "surface[0].boundaries in case.toml: the mesh has no boundary 'top'");
  EXPECT_NE(refusal("[[surface]]\nname = \"a\"\nboundaries = \"sheet\"\n").find("'sheet' is no boundary of the domain"), std::string::npos);
  EXPECT_NE(refusal("[[surface]]\nname = \"a\"\nboundaries = \"ymin\"\nreference = 2\n").find("surface[0].reference"), std::string::npos);
  EXPECT_NE(refusal("[[surface]]\nname = \"a\"\nboundaries = \"ymin\"\ndrag = [0, 0]\n").find("surface[0].drag in case.toml must not be zero"), std::string::npos);
  EXPECT_NE(refusal("family = \"modal\"\n[[surface]]\nname = \"a\"\nboundaries = \"ymin\"\n").find("family = \"nodal\""), std::string::npos);
  EXPECT_NE(refusal("[[probe]]\nname = \"a\"\nfrom = [0, 0]\nto = [0, 0]\n").find("probe[0].to"), std::string::npos);
  EXPECT_NE(refusal("[[probe]]\nname = \"a\"\nfrom = [0, 0]\nto = [0, 2]\npoints = 3\n").find("probe[0] in case.toml at (0, 2)"), std::string::npos);
  EXPECT_NE(refusal("[[probe]]\nname = \"a\"\nfrom = [0, 0]\nto = [0, 1]\nfields = [\"q\"]\n").find("probe[0].fields"), std::string::npos);
  EXPECT_NE(refusal("[output]\naverages = { from = 2 }\n").find("output.averages in case.toml: from = 2 is not before the end"), std::string::npos);
}

}  // namespace
}  // namespace swell
