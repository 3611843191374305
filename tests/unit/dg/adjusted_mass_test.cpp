// SPDX-License-Identifier: Apache-2.0
// Straight simplices whose material varies a little inside them: their mass is weighed at points, their faces have one material.
#include "model/adjusted_mass.hpp"

#include <fmt/format.h>

#include <cmath>

#include "problems.hpp"

namespace swell {
namespace {

Problem plain_problem(const Mesh& mesh, const ModelIn& model, int order, const std::map<std::string, std::string>& material) {
  Random random(5);
  Problem p = random_problem(mesh, model, order, random);
  p.model = load_model(model.name, model.dim);
  p.material.assign(mesh.regions.size(), {});
  for (auto& region : p.material)
    for (const auto& parameter : p.model.material) {
      const auto given = material.find(parameter.name);
      region.push_back(given == material.end() ? Expression(parameter.value) : parse(given->second));
    }
  for (auto& b : p.boundary) b = BoundarySpec{BoundarySpec::Kind::model, p.model.wall, {}, false, {}};
  return p;
}

// The pieces in the order in which they are destroyed.
struct Adjusted {
  Adjusted(const Mesh& mesh, const ModelIn& model, const std::map<std::string, std::string>& material)
      : problem(plain_problem(mesh, model, 2, material)), elements(mesh, 2), field(problem, elements.nodes()), mass(problem, elements, field) {}
  Problem problem;
  Elements elements;
  MaterialField field;
  AdjustedMass mass;
};

TEST(AdjustedMass, WeighsTheFieldsWhoseMassVariesByTheFewestNumbers) {
  const Mesh plane = unit_box(Shape::triangle, {2, 2}, false), space = unit_box(Shape::tetrahedron, {2, 1, 1}, false);
  const Adjusted light(space, {"maxwell", 3}, {{"epsilon", "1 + 0.1*x"}});
  EXPECT_EQ(light.mass.moving(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(light.mass.weights(), 1);
  EXPECT_TRUE(light.mass.reacting().empty());
  const Adjusted lossy(space, {"maxwell", 3}, {{"epsilon", "1 + 0.1*x"}, {"sigma", "0.5"}});
  EXPECT_EQ(lossy.mass.reacting(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(lossy.mass.weights(), 2);
  const Adjusted speed(plane, {"acoustics", 2}, {{"c", "1 + 0.1*x"}});
  EXPECT_EQ(speed.mass.moving(), std::vector<int>{0});
  const Adjusted density(plane, {"acoustics", 2}, {{"rho", "1 + 0.1*x"}});
  EXPECT_EQ(density.mass.moving(), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(density.mass.weights(), 2);
  // lambda + 2 mu, lambda and mu for the stresses, which are coupled.
  const Adjusted solid(space, {"elastic", 3}, {{"mu", "1 + 0.1*x"}});
  EXPECT_EQ(solid.mass.moving(), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(solid.mass.weights(), 3);
  const Adjusted heavy(space, {"elastic", 3}, {{"rho", "1 + 0.1*x"}});
  EXPECT_EQ(heavy.mass.moving(), (std::vector<int>{6, 7, 8}));
}

TEST(AdjustedMass, LeavesToQuadratureWhatIsNotItsOwn) {
  const Mesh plane = unit_box(Shape::triangle, {2, 2}, false), squares = unit_box(Shape::quadrilateral, {2, 2}, false);
  EXPECT_FALSE(Adjusted(plane, {"acoustics", 2}, {}).mass.possible());
  EXPECT_FALSE(Adjusted(squares, {"acoustics", 2}, {{"rho", "1 + 0.1*x"}}).mass.possible());
  EXPECT_FALSE(Adjusted(plane, {"advection", 2}, {{"ax", "1 + 0.1*x"}}).mass.possible()) << "the flux depends on material";
  EXPECT_FALSE(Adjusted(plane, {"linear-euler", 2}, {{"c0", "1 + 0.1*x"}}).mass.possible());
}

TEST(AdjustedMass, GivesBothCellsOfAFaceTheSameMaterials) {
  const Mesh mesh = unit_box(Shape::tetrahedron, {2, 1, 1}, true);
  const Adjusted it(mesh, {"maxwell", 3}, {{"epsilon", "1.5 + 0.1*sin(2*pi*(x + y))"}, {"mu", "if(x < 0.5, 1, 2)"}});
  int faces = 0;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
    for (int f = 0; f < 4; ++f) {
      const Neighbour& n = mesh.neighbour(cell, f);
      std::vector<double> own(3), behind(3), theirs(3), mine(3);
      ASSERT_TRUE(it.mass.face(cell, f, own.data(), behind.data()));
      ASSERT_TRUE(it.mass.face(n.cell, n.face, theirs.data(), mine.data()));
      EXPECT_EQ(own, mine);
      EXPECT_EQ(behind, theirs);
      ++faces;
    }
  EXPECT_GT(faces, 0);
}

TEST(AdjustedMass, AsksForPointsWhereMaterialJumpsAlongAFaceOrAWallMakesItsStateOfWaves) {
  const Mesh mesh = unit_box(Shape::triangle, {3, 3}, false);
  const auto adjusted_cells = [&](const std::string& rho, const std::string& kind) {
    Problem p = plain_problem(mesh, {"acoustics", 2}, 2, {{"rho", rho}});
    for (auto& b : p.boundary) b.name = kind;
    NodalOperator dg(p, test_device());
    std::int64_t count = 0;
    for (const Group& g : dg.layout().groups) count += g.adjusted() ? g.count : 0;
    return count;
  };
  EXPECT_EQ(adjusted_cells("1 + 0.2*x*y", "rigid"), mesh.cell_count());
  // Twelve faces of as many cells lie at the sides; along two of the sides nothing varies.
  EXPECT_EQ(adjusted_cells("1 + 0.2*x", "absorbing"), mesh.cell_count() - 6);
  // The middle column of squares is cut.
  EXPECT_EQ(adjusted_cells("if(x < 0.4, 1, 8) + 0.01*x", "rigid"), mesh.cell_count() - 6);
}

struct Waves {
  ModelIn model;
  Shape shape;
  int order;
  std::map<std::string, std::string> material;
};

// Sources, boundaries and reactions with it.
TEST(AdjustedMass, GivesTheRateOfTheDenseOperator) {
  for (const Waves& waves :
       {Waves{{"maxwell-te", 2}, Shape::triangle, 3, {{"mu", "2 + 0.3*sin(x)*cos(y)"}, {"sigma", "0.4 + 0.1*x"}}},
        Waves{{"maxwell", 3}, Shape::tetrahedron, 2, {{"epsilon", "2 + 0.3*sin(x)*cos(y)"}}},
        Waves{{"elastic", 2}, Shape::triangle, 2, {{"mu", "1 + 0.1*x"}, {"lambda", "2 + 0.3*y"}}},
        Waves{{"elastic", 3}, Shape::tetrahedron, 1, {{"rho", "1 + 0.1*x*y"}, {"mu", "1 + 0.1*z"}}},
        Waves{{"acoustics", 1}, Shape::line, 4, {{"c", "1 + 0.2*x"}}}}) {
    Mesh mesh = unit_box(waves.shape, {2, 2, 1}, false);
    shear(mesh);
    Problem p = plain_problem(mesh, waves.model, waves.order, waves.material);
    for (std::size_t i = 0; i < p.model.fields.size(); ++i) p.source.push_back(parse(fmt::format("sin(x + {}*y)*cos(t)", i)));
    NodalOperator dg(p, test_device());
    for (const Group& g : dg.layout().groups) EXPECT_TRUE(g.adjusted()) << waves.model.name;
    Random random(7);
    const State q = random_state(dg, random), expected = DenseOperator(p, probe_of(waves.model)).rate(q, 0.3);
    // Material is sampled a 1e-11th of the way towards the middle of a cell.
    EXPECT_LT(distance(rate_of(dg, q, 0.3), expected), 1e-10 * largest(expected)) << waves.model.name << " " << waves.model.dim;
  }
}

// The energy of the log is that of the mass at the points, coupled fields and all.
TEST(AdjustedMass, MeasuresTheEnergyOfCoupledFields) {
  const Mesh mesh = unit_box(Shape::triangle, {2, 2}, false);
  const ModelIn model{"elastic", 2};
  Problem p = plain_problem(mesh, model, 3, {{"mu", "1 + 0.1*x"}, {"lambda", "2 + 0.3*y"}, {"rho", "1.5"}});
  NodalOperator dg(p, test_device());
  ASSERT_TRUE(dg.layout().groups.front().adjusted());
  const Vector values = Vector::LinSpaced(dg.fields(), 0.5, 1.5);
  State q(mesh.cell_count(), Matrix::Ones(dg.element().node_count, 1) * values.transpose());
  const auto state = dg.make_state("q");
  write(dg, *state, q);
  // The density is no polynomial: a fine midpoint rule.
  double expected = 0;
  constexpr int n = 200;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      Vector m(3);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::string& name = p.model.material[k].name;
        m(static_cast<Eigen::Index>(k)) = name == "rho" ? 1.5 : name == "mu" ? 1 + 0.1 * (i + 0.5) / n : 2 + 0.3 * (j + 0.5) / n;
      }
      expected += 0.5 * values.dot(probe_of(model).mass_matrix(m) * values) / (n * n);
    }
  EXPECT_NEAR(dg.observer().energy(*state, 0), expected, 1e-6 * expected);
}

}  // namespace
}  // namespace swell
