// SPDX-License-Identifier: Apache-2.0
// The modal family: the same discretisation as the nodal one where both integrate exactly, its own claims elsewhere.
#include "base/error.hpp"
#include "dg/modal/operator.hpp"
#include "problems.hpp"

namespace swell {
namespace {

// Boundary data that both families represent exactly.
Problem with_constant_data(Problem problem) {
  for (auto& spec : problem.boundary) {
    for (std::size_t i = 0; i < spec.data.size(); ++i) spec.data[i] = Expression(0.3 + 0.1 * static_cast<double>(i));
    if (spec.wave) spec.wave->pulse = Expression::parse("0.4", {"s"}, "test");
  }
  return problem;
}

Problem modal(Problem problem, int coefficient_order) {
  problem.family = Family::modal;
  problem.coefficient_order = coefficient_order;
  return problem;
}

Shape simplex_of(int dim) { return dim == 1 ? Shape::line : dim == 2 ? Shape::triangle : Shape::tetrahedron; }

class ModalOnSimplices : public testing::TestWithParam<ModelIn> {};

// Straight simplices with one material each: both families are the same space and exact, so the rates are the same, with
// every boundary kind of the model, sheared cells and faces that meet in all orientations.
TEST_P(ModalOnSimplices, HaveTheRateOfTheNodalFamily) {
  Random random(3);
  const Shape shape = simplex_of(GetParam().dim);
  Mesh mesh = unit_box(shape, {3, 2, 2}, false);
  shear(mesh);
  turn_cells(mesh, random);
  region_per_cell(mesh);
  const Problem problem = with_constant_data(random_problem(mesh, GetParam(), usual_order(GetParam(), shape), random));
  NodalOperator nodal(problem, test_device());
  ModalOperator same(modal(problem, 0), test_device());
  const State q = random_state(nodal, random), expected = rate_of(nodal, q, 0.3);
  EXPECT_LT(distance(rate_of(same, q, 0.3), expected), 1e-11 * largest(expected));
}

// The integral of a random state that the predictor takes of each element alone, beside the Taylor series that local_rate() gives.
template <class Family>
std::pair<State, State> predicted_and_summed(Family&& dg, double dt) {
  auto q = dg.make_state("q"), next = dg.make_state("next");
  const auto sum = dg.make_state("sum"), integral = dg.make_state("integral");
  Random same(5);
  write(dg, *q, random_state(dg, same));
  dg.predict(*q, dt, *integral);
  double factor = dt;
  dg.combine(*sum, std::array{RightHandSide::Term{dt, q.get()}});
  for (int r = 1; r <= dg.order(); ++r) {
    dg.local_rate(0, *q, *next);
    std::swap(q, next);
    factor *= dt / (r + 1);
    dg.combine(*sum, std::array{RightHandSide::Term{1, sum.get()}, RightHandSide::Term{factor, q.get()}});
  }
  return {read(dg, *integral), read(dg, *sum)};
}

TEST_P(ModalOnSimplices, PredictTheTaylorSeriesOfTheElementAlone) {
  Random random(4);
  const Shape shape = simplex_of(GetParam().dim);
  Mesh mesh = unit_box(shape, {2, 2, 1}, true);
  shear(mesh);
  const Problem problem = random_problem(mesh, GetParam(), usual_order(GetParam(), shape), random);
  const double dt = 0.01;
  const auto [nodal, nodal_sum] = predicted_and_summed(NodalOperator(problem, test_device()), dt);
  const auto [modes, modes_sum] = predicted_and_summed(ModalOperator(modal(problem, 0), test_device()), dt);
  EXPECT_LT(distance(nodal, nodal_sum), 1e-12 * largest(nodal_sum));
  EXPECT_LT(distance(modes, modes_sum), 1e-12 * largest(modes_sum));
  EXPECT_LT(distance(nodal, modes), 1e-12 * largest(nodal));
}

// Material that varies inside elements, linear in space and so its own projection: flux and mass are then polynomials that
// both families integrate exactly; the inverse mass is not, so these models are compared where both project it.
TEST(ModalAdvection, HasTheRateOfTheNodalFamilyWhereTheVelocityIsAPolynomial) {
  for (const int dim : {2, 3}) {
    Random random(6);
    Mesh mesh = unit_box(simplex_of(dim), {3, 2, 2}, true);
    turn_cells(mesh, random);
    Problem problem = random_problem(mesh, {"advection", dim}, 3, random);
    problem.material[0] = {parse("1 + 0.3*y"), parse("0.5 - 0.2*x + 0.1*y")};
    if (dim == 3) problem.material[0].push_back(parse("0.7 + 0.1*x"));
    NodalOperator nodal(problem, test_device());
    ModalOperator same(modal(problem, 1), test_device());
    const State q = random_state(nodal, random), expected = rate_of(nodal, q);
    EXPECT_LT(distance(rate_of(same, q), expected), 1e-10 * largest(expected)) << dim;
  }
}

TEST(ModalFamily, RefusesModelsThatAreNotLinear) {
  const Mesh mesh = unit_box(Shape::triangle, {2, 2}, true);
  Problem problem = free_stream_problem(mesh, {"advection", 2}, 2, Vector::Zero(1));
  problem.model.linear = false;
  EXPECT_THROW(ModalOperator(modal(problem, 2), test_device()), InputError);
}

TEST(ModalFamily, RefusesCellsThatAreNotAffine) {
  Mesh mesh = unit_box(Shape::quadrilateral, {2, 2}, false);
  deform(mesh, 1, [](std::array<double, 3> x) { return std::array{x[0] + 0.2 * x[0] * x[1], x[1], x[2]}; });
  const Problem problem = free_stream_problem(mesh, {"advection", 2}, 2, Vector::Zero(1));
  EXPECT_THROW(ModalOperator(modal(problem, 2), test_device()), InputError);
}

// A constant state in a constant medium stays, on all shapes, with all orientations and one dirichlet boundary around.
TEST(ModalFamily, KeepsAConstantState) {
  for (const ModelIn& model : {ModelIn{"elastic", 2}, ModelIn{"acoustics", 3}})
    for (const Shape shape : shapes_of(model.dim)) {
      Random random(8);
      Mesh mesh = unit_box(shape, {3, 2, 2}, false);
      shear(mesh);
      turn_cells(mesh, random);
      const Vector state = random.matrix(model.dim == 2 ? 5 : 4, 1).col(0);
      ModalOperator dg(modal(free_stream_problem(mesh, model, 3, state), 3), test_device());
      State q(mesh.cell_count(), Matrix(state.transpose().replicate(dg.element().node_count, 1)));
      EXPECT_LT(largest(rate_of(dg, q)), 1e-11) << model.name << " " << shape_name(shape);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, ModalOnSimplices, testing::ValuesIn(all_models()),
                         [](const auto& given) { return test_name(given.param); });

}  // namespace
}  // namespace swell
