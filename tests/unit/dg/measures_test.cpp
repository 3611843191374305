// SPDX-License-Identifier: Apache-2.0
// A page's own measures of a state: rates of its waves, quantities, what is admissible; and its second set of names.
#include <cmath>

#include "base/error.hpp"
#include "dg/measures.hpp"
#include "model/variables.hpp"
#include "pages.hpp"

namespace swell {
namespace {

struct OnMesh {
  OnMesh(Shape shape, bool curved, Precision precision = Precision::double_) : mesh(unit_box(shape, {3, 2, 2}, false)) {
    if (curved) deform(mesh, 2, bent);
    else shear(mesh);
    region_per_cell(mesh);
    problem = page_problem(mesh, "euler", 3, random);
    problem.precision = precision;
    dg = std::make_unique<NodalOperator>(problem, test_device());
    q = page_state(problem, dg->element().node_count, random);
    state = dg->make_state("q");
    write(*dg, *state, q);
  }
  Matrix material(std::int64_t cell) const {
    const auto& given = problem.material[mesh.cells().region[cell]];
    Matrix m(dg->element().node_count, static_cast<Eigen::Index>(problem.model.material.size()));
    for (Eigen::Index k = 0; k < m.cols(); ++k) m.col(k).setConstant(given[static_cast<std::size_t>(k)].constant());
    return m;
  }

  Random random{41};
  Mesh mesh;
  Problem problem;
  std::unique_ptr<NodalOperator> dg;
  State q;
  std::unique_ptr<Buffer> state;
};

TEST(Rates, AreTheFastestSpeedTimesTheStiffnessOfItsElement) {
  for (const Shape shape : {Shape::triangle, Shape::hexahedron}) {
    OnMesh on(shape, true);
    const ModelProbe& probe = probe_of_page("euler", on.mesh.dim);
    const int nodes = on.dg->element().node_count, dim = on.mesh.dim;
    const CellMap map(on.mesh, on.dg->element().nodes);
    std::vector<double> jacobians(nodes * dim * dim);
    double most = 0;
    for (std::int64_t cell = 0; cell < on.mesh.cell_count(); ++cell) {
      // The fastest wave runs along the velocity: |u| + c.
      const Matrix v = probe.variables_of(on.q[cell], on.material(cell)), m = on.material(cell);
      double speed = 0;
      for (int n = 0; n < nodes; ++n)
        speed = std::max(speed, v.row(n).segment(1, dim).norm() + std::sqrt(m(n, 0) * v(n, dim + 1) / v(n, 0)));
      map.jacobians(cell, jacobians.data());
      most = std::max(most, speed * transport_stiffness(shape, jacobians));
    }
    on.dg->measures()->note_rates(*on.state, 0);
    const double rate = on.dg->measures()->largest_rate();
    EXPECT_LE(rate, most * (1 + 1e-12));
    EXPECT_GT(rate, most * 0.97);
  }
}

TEST(Rates, AreNotFiniteWhereASpeedIsNot) {
  OnMesh on(Shape::triangle, false);
  on.q[3](2, 0) = -1;
  write(*on.dg, *on.state, on.q);
  on.dg->measures()->note_rates(*on.state, 0);
  EXPECT_FALSE(std::isfinite(on.dg->measures()->largest_rate()));
}

TEST(Quantities, AreIntegralsOverTheMesh) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
    for (const bool curved : {false, true}) {
      OnMesh on(shape, curved);
      // The mass of a constant density is the volume; sums of the state's own mass are those of its polynomials.
      State even = on.q;
      for (Matrix& cell : even) cell.col(0).setConstant(1.5);
      write(*on.dg, *on.state, even);
      const auto& names = on.dg->measures()->quantities();
      ASSERT_EQ(names, (std::vector<std::string>{"mass", "energy", "kinetic", "entropy"}));
      const ReferenceElement& element = on.dg->element();
      const Cubature rule = cubature(shape, 12);
      const CellMap map(on.mesh, rule.points);
      std::vector<double> jacobians(map.point_count() * on.mesh.dim * on.mesh.dim);
      const Matrix to_points = element.interpolation(rule.points);
      double volume = 0, energy = 0, scaled[9];
      for (std::int64_t cell = 0; cell < on.mesh.cell_count(); ++cell) {
        map.jacobians(cell, jacobians.data());
        const Vector density = to_points * even[cell].col(on.mesh.dim + 1);
        for (int i = 0; i < map.point_count(); ++i) {
          const double weight = rule.weights(i) * cofactors(on.mesh.dim, jacobians.data() + i * on.mesh.dim * on.mesh.dim, scaled);
          volume += weight;
          energy += weight * density(i);
        }
      }
      EXPECT_NEAR(on.dg->measures()->quantity(0, *on.state, 0), 1.5 * volume, 1.5 * volume * (curved ? 1e-3 : 1e-12));
      EXPECT_NEAR(on.dg->energy(*on.state, 0), energy, energy * (curved ? 2e-2 : 1e-12));
    }
}

TEST(Watch, NamesTheQuantityThatIsNotAdmissible) {
  OnMesh on(Shape::tetrahedron, false);
  const int fields = on.dg->fields();
  on.dg->watch(*on.state, 10, 0);
  EXPECT_TRUE(on.dg->finding().good);
  State broken = on.q;
  broken[4](1, fields - 1) = 1e-3;  // hardly any energy: the pressure is negative
  write(*on.dg, *on.state, broken);
  on.dg->watch(*on.state, 20, 0);
  const Finding found = on.dg->finding();
  EXPECT_FALSE(found.good);
  EXPECT_EQ(found.step, 20);
  EXPECT_EQ(found.place.cell, 4);
  EXPECT_EQ(found.place.node, 1);
  EXPECT_EQ(on.problem.model.admissible[found.place.field - fields], "p");
  on.dg->forget();
  broken[2](0, 0) = std::numeric_limits<double>::quiet_NaN();  // rho and what follows from it
  write(*on.dg, *on.state, broken);
  on.dg->watch(*on.state, 30, 0);
  EXPECT_EQ(on.problem.model.admissible[on.dg->finding().place.field - fields], "rho");
  on.dg->forget();
  EXPECT_TRUE(on.dg->finding().good);
}

TEST(Variables, OfAPageAreInverseToItsState) {
  for (const int dim : {2, 3}) {
    const ModelProbe& probe = probe_of_page("euler", dim);
    EXPECT_EQ(probe.model().variables.size(), probe.model().fields.size());
    EXPECT_EQ(probe.model().variable_index("p"), dim + 1);
    EXPECT_NO_THROW(check_variables(probe));
  }
}

TEST(Variables, ThatAreNotInverseAreRefused) {
  Model model = load_page("euler", 2);
  const std::string right = "q[E] = v[p] / (m[gamma] - 1.0) +";
  const auto at = model.text.find(right);
  ASSERT_NE(at, std::string::npos);
  model.text.replace(at, right.size(), "q[E] = v[p] / m[gamma] +");
  EXPECT_THROW(check_variables(ModelProbe(model, test_device())), InputError);
}

// A side with data in variables is the side with the same data in fields.
TEST(Variables, GiveTheDataOfABoundary) {
  Random random(3);
  const Mesh mesh = unit_box(Shape::triangle, {2, 2}, false);
  Problem variables = page_problem(mesh, "euler", 2, random);
  BoundarySpec spec;
  spec.kind = BoundarySpec::Kind::dirichlet;
  spec.in_variables = true;
  for (const char* value : {"1 + 0.1*x", "0.2 + 0.1*y", "-0.3", "0.9 + 0.05*x*y"}) spec.data.push_back(parse(value));
  variables.boundary.assign(5, spec);
  NodalOperator dg(variables, test_device());
  const State q = page_state(variables, dg.element().node_count, random),
              expected = DenseOperator(variables, probe_of_page("euler", 2)).rate(q, 0);
  EXPECT_LT(distance(rate_of(dg, q, 0), expected), 1e-12 * largest(expected));
}

}  // namespace
}  // namespace swell
