// SPDX-License-Identifier: Apache-2.0
// Nonlinear models on triangles beside quadrilaterals, and on tetrahedra, hexahedra, prisms and pyramids beside each other: what leaves one
// cell enters the other, limiters see neighbours of any shape, and means stay.
#include <algorithm>

#include "dg/measures.hpp"
#include "pages.hpp"

namespace swell {
namespace {

struct Mix {
  const char* name;
  int dim = 2;
  double move = 0, bend = 0;
  int geometry_order = 1;
};
void PrintTo(const Mix& mix, std::ostream* out) { *out << mix.name; }

Mesh mixed_mesh(const Mix& mix) {
  BoxOptions options;
  const auto dim = static_cast<std::size_t>(mix.dim);
  options.low.assign(dim, 0.0), options.high.assign(dim, 1.0), options.cells = {4, 4};
  if (mix.dim == 3) options.cells = {3, 3, 4};
  options.shape = mix.dim == 3 ? Shape::hexahedron : Shape::quadrilateral;
  options.periodic.assign(dim, true);
  options.mixed = true;
  options.move = mix.move, options.bend = mix.bend, options.geometry_order = mix.geometry_order;
  return make_box(options);
}

// A gas with friction where the model has it.
Problem gas(const Mesh& mesh, const std::string& name, int order) {
  Problem p;
  p.mesh = &mesh;
  p.model = load_model(name, mesh.dim);
  p.order = order;
  p.flux = FluxKind::rusanov;
  for (std::size_t region = 0; region < mesh.regions.size(); ++region) {
    auto& values = p.material.emplace_back();
    for (const Parameter& parameter : p.model.material) values.emplace_back(parameter.name == "mu" ? 0.05 : parameter.value);
  }
  p.positivity = true;
  p.shocks = ShockDevice::filter;
  p.boundary.assign(mesh.boundaries.size() + 1, BoundarySpec{BoundarySpec::Kind::model, "slip", {}, false, {}});
  return p;
}

// Random values around a gas that rests.
State gas_state(const NodalOperator& dg, Random& random) {
  State all;
  const int fields = dg.fields();
  for (std::int64_t cell = 0; cell < dg.problem().mesh->cell_count(); ++cell) {
    all.push_back(random.matrix(dg.elements().node_count(cell), fields, -0.15, 0.15));
    all.back().col(0).array() += 1;
    all.back().col(fields - 1).array() += 2.5;
  }
  return all;
}

class MixedFlow : public testing::TestWithParam<Mix> {
 protected:
  Random random{29};
  const Mesh mesh = mixed_mesh(GetParam());
  const int order = GetParam().dim == 3 ? 1 : 2;
};

// The integral of the rate of density and energy in a periodic box, by the weights that log them.
void expect_balance(NodalOperator& dg, Random& random) {
  State rate = rate_of(dg, gas_state(dg, random));
  const auto on_device = dg.make_state("rate");
  const auto integral = [&](const char* name) {
    const auto& names = dg.measures()->quantities();
    const auto number = std::find(names.begin(), names.end(), name) - names.begin();
    write(dg, *on_device, rate);
    return dg.measures()->quantity(static_cast<std::size_t>(number), *on_device, 0);
  };
  const double mass = integral("mass"), energy = integral("energy");
  for (Matrix& cell : rate) cell = cell.cwiseAbs();
  EXPECT_LT(std::abs(mass), 1e-13 * integral("mass"));
  EXPECT_LT(std::abs(energy), 1e-13 * integral("energy"));
}

TEST_P(MixedFlow, KeepsMassAndEnergy) {
  NodalOperator dg(gas(mesh, "euler", order), test_device());
  expect_balance(dg, random);
}

TEST_P(MixedFlow, KeepsMassAndEnergyWithFriction) {
  NodalOperator dg(gas(mesh, "navier-stokes", order), test_device());
  expect_balance(dg, random);
  State even = gas_state(dg, random);
  const double size = largest(rate_of(dg, even));
  for (Matrix& cell : even) {
    cell.setZero();
    cell.col(0).setOnes(), cell.col(dg.fields() - 1).setConstant(2.5);
  }
  EXPECT_LT(largest(rate_of(dg, even)), 1e-12 * size);
}

TEST_P(MixedFlow, HasItsStatesBroughtBackInCellsOfEveryShape) {
  NodalOperator dg(gas(mesh, "euler", order), test_device());
  const int E = dg.fields() - 1;
  State even = gas_state(dg, random);
  for (Matrix& cell : even) {
    cell.setZero();
    cell.col(0).setOnes(), cell.col(E).setConstant(2.5);
  }
  // One cell of each shape has a density, another one a pressure that is too low, a third one lost entropy to its highest modes.
  State after = even;
  std::map<Shape, int> seen;
  std::vector<char> changed(after.size(), 0);
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    const int which = seen[mesh.shape_of(cell)]++;
    Matrix& values = after[static_cast<std::size_t>(cell)];
    if (which == 1) values(2, 0) = -0.05;
    if (which == 3) values(1, E) = 1e-4;
    if (which == 5)
      for (Eigen::Index n = 0; n < values.rows(); ++n) values(n, E) += n % 2 ? 0.7 : -0.3;
    changed[static_cast<std::size_t>(cell)] = which == 1 || which == 3 || which == 5;
  }
  const auto from = dg.make_state("before"), to = dg.make_state("after"), rate = dg.make_state("rate");
  write(dg, *from, even);
  write(dg, *to, after);
  dg.rate(0, *from, *rate);
  const double energy = dg.energy(*to, 0);
  dg.limit(0.1, *from, *to);
  EXPECT_NEAR(dg.energy(*to, 0), energy, 1e-13 * energy);
  dg.watch(*to, 1, 0.1);
  EXPECT_TRUE(dg.finding().good);
  const State found = read(dg, *to);
  for (std::size_t cell = 0; cell < found.size(); ++cell) {
    EXPECT_EQ(found[cell] != after[cell], changed[cell] != 0) << cell;
    EXPECT_GT(found[cell].col(0).minCoeff(), 0) << cell;
  }
}

TEST_P(MixedFlow, NamesTheCellOfABadMeanOrNode) {
  NodalOperator dg(gas(mesh, "euler", order), test_device());
  const std::int64_t last = mesh.cell_count() - 1;
  State q = gas_state(dg, random);
  const auto state = dg.make_state("q"), before = dg.make_state("before");
  write(dg, *before, q);
  q[static_cast<std::size_t>(last)](1, 0) = -0.5;
  write(dg, *state, q);
  dg.watch(*state, 3, 0.2);
  Finding found = dg.finding();
  EXPECT_EQ(found.place.cell, last);
  EXPECT_EQ(found.place.node, 1);
  dg.forget();
  q[static_cast<std::size_t>(last)].col(0).setConstant(-0.5);
  write(dg, *state, q);
  dg.limit(0.25, *before, *state);
  dg.watch(*state, 4, 0.25);
  found = dg.finding();
  EXPECT_EQ(found.place.cell, last);
  ASSERT_EQ(found.mean.size(), 2u);
  EXPECT_NEAR(found.mean[0], -0.5, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(All, MixedFlow,
                         testing::Values(Mix{"straight"}, Mix{"curved", 2, 0, 0.1, 3}, Mix{"straight_in_space", 3},
                                         Mix{"moved_in_space", 3, 0.15}),
                         [](const auto& given) { return std::string(given.param.name); });

TEST(BentFlowInSpace, KeepsMassAndEnergy) {
  Random random{29};
  const Mesh mesh = mixed_mesh({"curved_in_space", 3, 0, 0.1, 2});
  NodalOperator dg(gas(mesh, "euler", 1), test_device());
  expect_balance(dg, random);
}

}  // namespace
}  // namespace swell
