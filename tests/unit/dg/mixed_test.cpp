// SPDX-License-Identifier: Apache-2.0
// Triangles beside quadrilaterals, and tetrahedra, hexahedra, prisms and pyramids beside each other: what leaves one enters the other, a constant state stays, and the energy, measured by quadrature
// that shares nothing with the operator's kernels, does not grow.
#include <cmath>

#include "problems.hpp"

namespace swell {
namespace {

struct Mix {
  const char* name;
  double move, bend;
  int geometry_order;
  bool varying = false;
  int dim = 2;
};
void PrintTo(const Mix& mix, std::ostream* out) { *out << mix.name; }


class Mixed : public testing::TestWithParam<Mix> {
 protected:
  Mesh box(bool periodic) const {
    BoxOptions options;
    options.low = {0, 0}, options.high = {1, 1}, options.cells = {4, 4};
    options.shape = Shape::quadrilateral;
    options.periodic = {periodic, periodic};
    if (dim == 3) {
      options.low = {0, 0, 0}, options.high = {1, 1, 1}, options.cells = {3, 3, 4};
      options.shape = Shape::hexahedron;
      options.periodic = {periodic, periodic, periodic};
    }
    options.mixed = true;
    options.move = GetParam().move, options.bend = GetParam().bend, options.geometry_order = GetParam().geometry_order;
    return make_box(options);
  }
  Problem acoustics(const Mesh& mesh) {
    Problem p = random_problem(mesh, model, order, random);
    for (auto& e : p.material[0]) e = GetParam().varying ? parse("1.5 + 0.4*sin(2*pi*x)*cos(2*pi*y)") : Expression(1.3);
    for (auto& b : p.boundary) b = BoundarySpec{BoundarySpec::Kind::model, "rigid", {}, false, {}};
    return p;
  }
  // a . W b with the mass W that the rate divides by: M T^-1 M, T of weight 1 / (J M(x)), M the mass of the reference element. On
  // quadrilaterals and hexahedra that is the mass at the Gauss points. On prisms and pyramids M has the weight J, and T the weight
  // J / M(x).
  double product(const Problem& problem, const NodalOperator& dg, const State& a, const State& b) const {
    const Mesh& mesh = *problem.mesh;
    double sum = 0;
    for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
      const ReferenceElement& element = dg.elements().of_cell(cell);
      const GroupPoints rule = group_points(element, Group{.curved = true, .varying = true}, mesh.geometry_order());
      const Eigen::MatrixXd values = element.interpolation(rule.volume);
      const CellMap map(mesh, element.shape, rule.volume);
      std::vector<double> j(dim * dim * rule.volume.rows());
      Matrix x(rule.volume.rows(), dim), m(x.rows(), problem.model.material.size());
      map.jacobians(cell, j.data());
      map.coordinates(cell, x.data());
      for (Eigen::Index p = 0; p < x.rows(); ++p) {
        const double at[4] = {x(p, 0), x(p, 1), dim == 3 ? x(p, 2) : 0, 0};
        for (Eigen::Index i = 0; i < m.cols(); ++i) m(p, i) = problem.material[0][i](at);
      }
      const Matrix inverse_mass = probe_of(model).inverse_mass(m, Matrix::Ones(x.rows(), fields));
      Vector size(x.rows());
      for (Eigen::Index p = 0; p < x.rows(); ++p) size(p) = Eigen::Map<const Matrix>(&j[p * dim * dim], dim, dim).determinant();
      const bool wedge = !is_simplex(element.shape) && !is_tensor(element.shape);
      const Vector in_mass = wedge ? Vector(rule.weights.cwiseProduct(size)) : rule.weights;
      const Vector adjusting = wedge ? size : Vector(size.cwiseInverse());
      const Eigen::MatrixXd reference = values.transpose() * in_mass.asDiagonal() * values;
      for (int f = 0; f < fields; ++f) {
        const Vector weight = rule.weights.cwiseProduct(inverse_mass.col(f)).cwiseProduct(adjusting);
        const Eigen::MatrixXd adjusted = values.transpose() * weight.asDiagonal() * values;
        const Vector moment = reference * adjusted.ldlt().solve(reference * b[cell].col(f));
        sum += a[cell].col(f).dot(moment);
      }
    }
    return sum;
  }
  double relative_power(const Problem& problem, NodalOperator& dg, const State& q) const {
    const State rate = rate_of(dg, q);
    return product(problem, dg, q, rate) / std::sqrt(product(problem, dg, q, q) * product(problem, dg, rate, rate));
  }

  Random random{41};
  const int dim = GetParam().dim, fields = dim + 1, order = dim == 3 ? 2 : 3;
  ModelIn model{"acoustics", dim};
};

TEST_P(Mixed, LosesEnergyWithTheUpwindFluxAndKeepsItWithTheCentralOne) {
  for (const bool periodic : {true, false}) {
    const Mesh mesh = box(periodic);
    Problem problem = acoustics(mesh);
    NodalOperator upwind(problem, test_device());
    const State q = random_state(upwind, random);
    EXPECT_LT(relative_power(problem, upwind, q), -1e-3);
    problem.alpha = 0;
    NodalOperator central(problem, test_device());
    EXPECT_NEAR(relative_power(problem, central, q), 0, 1e-11) << (periodic ? "periodic" : "walls");
  }
}

TEST_P(Mixed, KeepsAConstantState) {
  if (GetParam().varying) return;  // nothing says that it should stay
  const Mesh mesh = box(false);
  const Vector state = random.matrix(fields, 1);
  const Problem problem = free_stream_problem(mesh, model, order, state);
  NodalOperator dg(problem, test_device());
  State q = random_state(dg, random);
  const double size = largest(rate_of(dg, q));
  for (Matrix& of_cell : q) of_cell.rowwise() = state.transpose();
  EXPECT_LT(largest(rate_of(dg, q)), 1e-12 * size);
}

// In the mass that the rate divides by, the integral of a rate is its product with 1.
TEST_P(Mixed, KeepsTheIntegralOfEachField) {
  const Mesh mesh = box(true);
  const Problem problem = acoustics(mesh);
  NodalOperator dg(problem, test_device());
  const State q = random_state(dg, random), rate = rate_of(dg, q);
  for (int f = 0; f < fields; ++f) {
    State one = rate;
    for (Matrix& of_cell : one) of_cell.setZero(), of_cell.col(f).setOnes();
    const double size = std::sqrt(product(problem, dg, one, one) * product(problem, dg, rate, rate));
    EXPECT_LT(std::abs(product(problem, dg, one, rate)), 1e-12 * size) << f;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Mixed,
                         testing::Values(Mix{"straight", 0, 0, 1}, Mix{"moved", 0.2, 0, 1}, Mix{"curved", 0, 0.1, 2},
                                         Mix{"curved_3", 0, 0.1, 3}, Mix{"curved_4_varying", 0, 0.1, 4, true},
                                         Mix{"varying", 0, 0, 1, true}, Mix{"moved_varying", 0.2, 0, 1, true},
                                         Mix{"straight_in_space", 0, 0, 1, false, 3}, Mix{"moved_in_space", 0.15, 0, 1, false, 3},
                                         Mix{"varying_in_space", 0, 0, 1, true, 3}, Mix{"moved_varying_in_space", 0.15, 0, 1, true, 3},
                                         Mix{"curved_in_space", 0, 0.1, 2, false, 3}, Mix{"moved_curved_3_in_space", 0.1, 0.05, 3, false, 3},
                                         Mix{"curved_varying_in_space", 0, 0.1, 2, true, 3}),
                         [](const auto& given) { return std::string(given.param.name); });

// Meshes of prisms or pyramids alone have two kinds of faces too.
TEST(WedgeOperator, KeepsAConstantState) {
  for (const Shape shape : {Shape::prism, Shape::pyramid}) {
    BoxOptions options;
    options.low = {0, 0, 0}, options.high = {1, 1, 1}, options.cells = {2, 2, 2};
    options.shape = shape;
    options.move = 0.15;
    const Mesh mesh = make_box(options);
    Random random{5};
    const ModelIn model{"acoustics", 3};
    const Vector state = random.matrix(4, 1);
    NodalOperator dg(free_stream_problem(mesh, model, 3, state), test_device());
    State q = random_state(dg, random);
    const double size = largest(rate_of(dg, q));
    for (Matrix& of_cell : q) of_cell.rowwise() = state.transpose();
    EXPECT_LT(largest(rate_of(dg, q)), 1e-12 * size);
  }
}

TEST(MixedOperator, CountsTheUnknownsOfEveryShape) {
  BoxOptions options;
  options.low = {0, 0}, options.high = {1, 1}, options.cells = {4, 2};
  options.shape = Shape::quadrilateral;
  options.mixed = true;
  const Mesh mesh = make_box(options);
  Random random;
  NodalOperator dg(random_problem(mesh, {"acoustics", 2}, 2, random), test_device());
  EXPECT_EQ(dg.dofs(), 3 * (8 * 6 + 4 * 9));
  EXPECT_EQ(dg.group_count(), 2u);
}

}  // namespace
}  // namespace swell
