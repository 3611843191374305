// SPDX-License-Identifier: Apache-2.0
// Invariants of the operator: the integral of the conserved quantities, and energy.
#include <cmath>

#include "problems.hpp"

namespace swell {
namespace {

struct Domain {
  Shape shape;
  bool deformed, varying;
};

std::string domain_name(const Domain& d) {
  return std::string(shape_name(d.shape)) + (d.deformed ? "_deformed" : "_flat") +
         (d.varying ? "_varying" : "_constant");
}

std::vector<Domain> domains() {
  std::vector<Domain> all;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
    for (const bool deformed : {false, true})
      for (const bool varying : {false, true}) all.push_back({shape, deformed, varying});
  return all;
}

class Balance : public testing::TestWithParam<Domain> {
 protected:
  static constexpr int order = 2;
  Random random{41};
  ModelIn model{"acoustics", dimension(GetParam().shape)};
  Mesh mesh;

  Problem problem_on_box(bool periodic) {
    mesh = unit_box(GetParam().shape, {3, 2, 1}, periodic);
    if (GetParam().deformed) deform(mesh, 2, periodic ? wavy : bent);
    Problem p = random_problem(mesh, model, order, random);
    if (GetParam().varying)
      for (auto& e : p.material[0]) e = parse("1.5 + 0.4*sin(2*pi*x)*cos(2*pi*y)");
    for (auto& b : p.boundary) b = BoundarySpec{BoundarySpec::Kind::model, "rigid", {}, false, {}};
    return p;
  }
  // The weight-adjusted mass is not the weight itself: moments are kept to the accuracy of the projection of 1 / (J M).
  bool weight_adjusted() const { return is_simplex(GetParam().shape) && (GetParam().deformed || GetParam().varying); }
};

TEST_P(Balance, KeepsTheIntegralOfTheConservedQuantities) {
  const Problem problem = problem_on_box(true);
  NodalOperator dg(problem, test_device());
  const auto [sum, size] =
      DenseOperator(problem, probe_of(model)).integral_of_mass_times(rate_of(dg, random_state(dg, random)));
  EXPECT_LT(sum.cwiseAbs().maxCoeff(), (weight_adjusted() ? 2e-2 : 1e-12) * size.maxCoeff()) << sum.transpose();
}

// The rate of change of the energy in the norm of the discrete mass, relative to what q and its rate could make of it.
double relative_power(const Problem& problem, const ModelIn& model, NodalOperator& dg, const State& q) {
  const DenseOperator dense(problem, probe_of(model));
  const State rate = rate_of(dg, q);
  return dense.weighted_product(q, rate) / std::sqrt(dense.weighted_product(q, q) * dense.weighted_product(rate, rate));
}

TEST_P(Balance, LosesEnergyWithTheUpwindFluxAndKeepsItWithTheCentralOne) {
  for (const bool periodic : {true, false}) {
    Problem problem = problem_on_box(periodic);
    NodalOperator upwind(problem, test_device());
    const State q = random_state(upwind, random);
    EXPECT_LT(relative_power(problem, model, upwind, q), -1e-3);
    problem.alpha = 0;
    NodalOperator central(problem, test_device());
    EXPECT_NEAR(relative_power(problem, model, central, q), 0, 1e-10) << (periodic ? "periodic" : "walls");
  }
}

TEST_P(Balance, MeasuresTheEnergyThatIsThere) {
  const Problem problem = problem_on_box(false);
  NodalOperator dg(problem, test_device());
  const auto state = dg.make_state("q");
  // p = 1 + x and v = 0, with the integral of (1 + x)^2 / (2 rho c^2) by the dense operator's quadrature.
  const CellMap map(mesh, dg.element().nodes);
  State q;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    Matrix x(dg.element().node_count, mesh.dim), values = Matrix::Zero(dg.element().node_count, dg.fields());
    map.coordinates(cell, x.data());
    values.col(0) = x.col(0).array() + 1;
    q.push_back(values);
  }
  write(dg, *state, q);
  const DenseOperator dense(problem, probe_of(model));
  State squares = q;
  for (Matrix& m : squares) m.col(0) = m.col(0).cwiseAbs2();
  const double expected = 0.5 * dense.integral_of_mass_times(squares).first(0),
               adjusted = 0.5 * dense.weighted_product(q, q);
  // The square of an interpolated field of order 2 on a cell of geometry order 2 is not the interpolant of the square.
  EXPECT_NEAR(dg.observer().energy(*state, 0), expected, (GetParam().deformed ? 2e-3 : 1e-10) * expected);
  EXPECT_NEAR(dg.observer().energy(*state, 0), adjusted, (weight_adjusted() ? 1e-2 : 1e-10) * expected);
}

INSTANTIATE_TEST_SUITE_P(Boxes, Balance, testing::ValuesIn(domains()),
                         [](const auto& given) { return domain_name(given.param); });

// Every wave model but those in a flow, whose squares are no energy: the energy that the operator itself measures falls with
// upwind and stays with central, on straight cells.
TEST(EnergyOfEveryModel, FallsWithUpwindAndStaysWithCentral) {
  for (const ModelIn& model : all_models()) {
    if (!model.waves() || model.carried() || (model.dim == 3 && model.name == "acoustics")) continue;
    const Shape shape = shapes_of(model.dim)[model.name == "maxwell-te"];
    Mesh mesh = unit_box(shape, {2, 2, 1}, false);
    shear(mesh);
    region_per_cell(mesh);
    Random random(9);
    Problem problem = random_problem(mesh, model, usual_order(model, shape), random);
    if (const int sigma = problem.model.material_index("sigma"); sigma >= 0)
      for (auto& region : problem.material) region[sigma] = Expression(0.0);
    for (auto& b : problem.boundary) b = BoundarySpec{BoundarySpec::Kind::model, problem.model.wall, {}, false, {}};
    for (const double alpha : {1.0, 0.0}) {
      problem.alpha = alpha;
      NodalOperator dg(problem, test_device());
      const auto q = dg.make_state("q"), r = dg.make_state("r"), ahead = dg.make_state("ahead"),
                 back = dg.make_state("back");
      write(dg, *q, random_state(dg, random));
      dg.rate(0, *q, *r);
      // Energy is a quadratic form: the difference quotient is exact whatever h is.
      const double h = std::sqrt(dg.observer().energy(*q, 0) / dg.observer().energy(*r, 0));
      dg.combine(*ahead, std::array{RightHandSide::Term{1, q.get()}, RightHandSide::Term{h, r.get()}});
      dg.combine(*back, std::array{RightHandSide::Term{1, q.get()}, RightHandSide::Term{-h, r.get()}});
      const double change = (dg.observer().energy(*ahead, 0) - dg.observer().energy(*back, 0)) / dg.observer().energy(*q, 0);
      if (alpha == 1)
        EXPECT_LT(change, -1e-3) << test_name(model);
      else
        EXPECT_NEAR(change, 0, 1e-12) << test_name(model);
    }
  }
}

}  // namespace
}  // namespace swell
