// SPDX-License-Identifier: Apache-2.0
// States brought back to admissible ones, and entropy kept from falling: what changes, and what does not.
#include <algorithm>
#include <cmath>

#include "dg/measures.hpp"
#include "pages.hpp"

namespace swell {
namespace {

struct Limited {
  Limited(Shape shape, bool curved, ShockDevice shocks, Precision precision = Precision::double_) : mesh(unit_box(shape, {3, 2, 2}, false)) {
    if (curved) deform(mesh, shape == Shape::hexahedron ? 1 : 2, bent);
    else shear(mesh);
    problem = page_problem(mesh, "euler", 3, random);
    problem.positivity = true;
    problem.shocks = shocks;
    problem.precision = precision;
    dg = std::make_unique<NodalOperator>(problem, test_device());
    q = page_state(problem, dg->element().node_count, random);
  }
  // The state after a stage that began with `before`.
  State limited(const State& before, const State& after) {
    const auto from = dg->make_state("before"), to = dg->make_state("after"), rate = dg->make_state("rate");
    write(*dg, *from, before);
    write(*dg, *to, after);
    dg->rate(0, *from, *rate);  // fills what is behind faces
    mass = dg->measures()->quantity(0, *to, 0);
    energy = dg->energy(*to, 0);
    dg->limit(0.1, *from, *to);
    mass_after = dg->measures()->quantity(0, *to, 0);
    energy_after = dg->energy(*to, 0);
    good = dg->observer().finite(*to);
    return read(*dg, *to);
  }

  Random random{53};
  Mesh mesh;
  Problem problem;
  std::unique_ptr<NodalOperator> dg;
  State q;
  double mass = 0, energy = 0, mass_after = 0, energy_after = 0;
  bool good = false;
};

const Shape shapes[] = {Shape::line, Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron};

TEST(Positivity, BringsNodesBackAndKeepsTheMeans) {
  for (const Shape shape : shapes)
    for (const bool curved : {false, true}) {
      if (shape == Shape::line && curved) continue;
      Limited on(shape, curved, ShockDevice::none);
      State after = on.q;
      const int E = on.dg->fields() - 1;
      after[1](2, 0) = -0.05;  // a density, and elsewhere a pressure
      after[2](1, E) = 1e-3;
      const State found = on.limited(on.q, after);
      EXPECT_TRUE(on.good) << shape_name(shape) << curved;
      EXPECT_NEAR(on.mass_after, on.mass, 1e-13 * on.mass);
      EXPECT_NEAR(on.energy_after, on.energy, 1e-13 * on.energy);
      for (std::size_t cell = 0; cell < found.size(); ++cell)
        EXPECT_EQ(found[cell] == after[cell], cell != 1 && cell != 2) << shape_name(shape) << " " << cell;
    }
}

TEST(Positivity, NamesAnElementWhoseMeanIsBadAndLeavesItAsItIs) {
  Limited on(Shape::triangle, false, ShockDevice::none);
  State after = on.q;
  after[3].col(0).setConstant(-0.5);
  const auto from = on.dg->make_state("before"), to = on.dg->make_state("after");
  write(*on.dg, *from, on.q);
  write(*on.dg, *to, after);
  on.dg->limit(0.25, *from, *to);
  on.dg->watch(*to, 7, 0.25);
  const Finding found = on.dg->finding();
  EXPECT_FALSE(found.good);
  EXPECT_EQ(found.place.cell, 3);
  EXPECT_EQ(found.time, 0.25);
  ASSERT_EQ(found.mean.size(), 2u);
  EXPECT_NEAR(found.mean[0], -0.5, 1e-14);
  EXPECT_EQ(read(*on.dg, *to)[3], after[3]);
  on.dg->forget();
  on.dg->watch(*from, 8, 0.3);
  EXPECT_TRUE(on.dg->finding().good);
}

// The degree of each mode: the smallest of the monomials that have a part in it.
std::vector<int> mode_degrees(const ReferenceElement& element) {
  std::vector<int> degree(static_cast<std::size_t>(element.node_count), -1);
  const auto powers = [&](int d, int most) { return d < element.dim ? most : 0; };
  for (int least = 0; least <= element.order; ++least)
    for (int i = 0; i <= least; ++i)
      for (int j = 0; j <= powers(1, least); ++j)
        for (int k = 0; k <= powers(2, least); ++k) {
          const int of_these = is_simplex(element.shape) ? i + j + k : std::max({i, j, k});
          if (of_these != least) continue;
          Vector values(element.node_count);
          for (int n = 0; n < element.node_count; ++n) {
            values(n) = 1;
            const int exponent[] = {i, j, k};
            for (int d = 0; d < element.dim; ++d) values(n) *= std::pow(element.nodes(n, d), exponent[d]);
          }
          const Vector modes = element.inverse_vandermonde * values;
          for (std::size_t m = 0; m < degree.size(); ++m)
            if (degree[m] < 0 && std::abs(modes(static_cast<Eigen::Index>(m))) > 1e-10) degree[m] = least;
        }
  return degree;
}

// A cell whose nodes alternate between two entropies has its highest modes full: what the stage made of an even state is damped until
// no node has less entropy than the even state had, which its mean has more than.
TEST(EntropyFilter, KeepsTheEntropyFromFallingAndTheMeans) {
  for (const Shape shape : shapes) {
    Limited on(shape, false, ShockDevice::filter);
    const int E = on.dg->fields() - 1, nodes = on.dg->element().node_count;
    const ModelProbe& probe = probe_of_page("euler", on.mesh.dim);
    State even = on.q;
    for (Matrix& cell : even) {
      cell.setZero();
      cell.col(0).setOnes();
      cell.col(E).setConstant(2.5);
    }
    State after = even;
    for (int n = 0; n < nodes; ++n) after[1](n, E) += n % 2 ? 0.7 : -0.3;
    const State found = on.limited(even, after);
    EXPECT_TRUE(on.good);
    EXPECT_NEAR(on.energy_after, on.energy, 1e-13 * on.energy) << shape_name(shape);
    for (std::size_t cell = 0; cell < found.size(); ++cell) {
      EXPECT_EQ(found[cell] == after[cell], cell != 1) << shape_name(shape) << " " << cell;
      Matrix m(nodes, static_cast<Eigen::Index>(on.problem.model.material.size()));
      for (Eigen::Index k = 0; k < m.cols(); ++k) m.col(k).setConstant(on.problem.material[0][static_cast<std::size_t>(k)].constant());
      const Vector least = probe.derived("entropy", even[cell], m), now = probe.derived("entropy", found[cell], m);
      EXPECT_GE(now.minCoeff(), least.minCoeff() * (1 - 2e-5)) << shape_name(shape) << " " << cell;
    }
    const std::vector<int> degree = mode_degrees(on.dg->element());
    // Here the entropy is 0.4 E: the largest damping factor that leaves E at least as large as it was.
    const ReferenceElement& element = on.dg->element();
    const auto damped = [&](double factor) {
      Vector modes = element.inverse_vandermonde * after[1].col(E);
      for (int mode = 0; mode < nodes; ++mode) modes(mode) *= std::pow(factor, degree[mode] * degree[mode]);
      return Vector(element.vandermonde * modes);
    };
    double low = 0, high = 1;
    while (high - low > 1e-12) (damped(0.5 * (low + high)).minCoeff() >= 2.5 * (1 - 1e-5) ? low : high) = 0.5 * (low + high);
    EXPECT_LT(low, 1);
    EXPECT_LT((found[1].col(E) - damped(low)).lpNorm<Eigen::Infinity>(), 1e-9) << shape_name(shape);
  }
}

}  // namespace
}  // namespace swell
