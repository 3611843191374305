// SPDX-License-Identifier: Apache-2.0
// Material that varies inside elements.
#include <fmt/format.h>

#include "problems.hpp"

namespace swell {
namespace {

// Smooth, physical for every parameter.
void vary_material(Problem& problem) {
  for (auto& region : problem.material)
    for (std::size_t i = 0; i < region.size(); ++i)
      region[i] = parse("1.3 + 0.4*sin(2*x + " + std::to_string(i) + ")*cos(y - 0.5*z)");
}

Mesh small_box(Shape shape) {
  Mesh mesh = dimension(shape) == 2 ? unit_box(shape, {3, 3}, false) : unit_box(shape, {2, 1, 1}, false);
  shear(mesh);
  return mesh;
}

class VaryingMaterial : public testing::TestWithParam<std::pair<ModelIn, Shape>> {
 protected:
  ModelIn model = GetParam().first;
  Mesh mesh = small_box(GetParam().second);
  Random random{31};
  static constexpr int order = 2;
};

// 1e-10: material is sampled a 1e-11th of the way towards the middle of a cell.
TEST_P(VaryingMaterial, GivesTheRateOfTheDenseOperator) {
  Problem problem = random_problem(mesh, model, order, random);
  vary_material(problem);
  NodalOperator dg(problem, test_device());
  const State q = random_state(dg, random), expected = DenseOperator(problem, probe_of(model)).rate(q, 0.1);
  EXPECT_LT(distance(rate_of(dg, q, 0.1), expected), 1e-10 * largest(expected));
}

// Only the far end varies, in an expression that is constant before it.
TEST_P(VaryingMaterial, DoesNotChangeElementsFarFromIt) {
  Mesh longer = unit_box(mesh.shape(), {3, 1, 1}, false);
  shear(longer);
  Problem constant = random_problem(longer, model, order, random), mixed = constant;
  for (auto& region : mixed.material)
    for (auto& e : region) e = parse(fmt::format("{:.17g} + if(x > 1.1, 0.3*(x - 1.1)^2, 0)", e.constant()));
  NodalOperator a(constant, test_device()), b(mixed, test_device());
  const State q = random_state(a, random), one = rate_of(a, q, 0.1), other = rate_of(b, q, 0.1);
  int far = 0;
  for (std::int64_t cell = 0; cell < longer.cell_count(); ++cell) {
    bool touches = b.material().varies(cell);
    for (int f = 0; f < face_count(longer.shape()); ++f) {
      const auto next = longer.neighbour(cell, f).cell;
      touches = touches || (next >= 0 && b.material().varies(next));
    }
    if (touches) continue;
    ++far;
    EXPECT_LT(largest(Matrix(one[cell] - other[cell])), 1e-12 * largest(one)) << "cell " << cell;
  }
  EXPECT_GT(far, 0);
  EXPECT_GT(distance(one, other), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Some, VaryingMaterial,
                         testing::Values(std::pair{ModelIn{"maxwell-te", 2}, Shape::triangle},
                                         std::pair{ModelIn{"elastic", 2}, Shape::quadrilateral},
                                         std::pair{ModelIn{"acoustics", 3}, Shape::tetrahedron}),
                         [](const auto& given) {
                           return test_name(given.param.first) + "_" + std::string(shape_name(given.param.second));
                         });

// All elements through the kernel for varying material, by an expression whose variation is nothing but the last
// digits.
TEST(VaryingGroup, GivesTheSameRateAsThePlainGroupForConstantMaterial) {
  for (const Shape shape : {Shape::tetrahedron, Shape::quadrilateral}) {
    const Mesh mesh = small_box(shape);
    const ModelIn model{"acoustics", mesh.dim};
    Random random(6), same(6);
    Problem plain = random_problem(mesh, model, 2, random), varying = random_problem(mesh, model, 2, same);
    for (auto& e : varying.material[0]) e = parse(fmt::format("{:.17g} + 1e-15*x", e.constant()));
    for (auto& e : plain.material[0]) e = Expression(e.constant());
    // Plain elements take boundary data at nodes, the others at points: the same only for polynomials along the face.
    for (Problem* p : {&plain, &varying})
      for (auto& b : p->boundary) {
        if (b.kind != BoundarySpec::Kind::model) {
          b = BoundarySpec{};
          b.name = "absorbing";
        }
        for (auto& e : b.data) e = Expression(0.7);
      }
    NodalOperator a(plain, test_device()), b(varying, test_device());
    EXPECT_FALSE(a.layout().groups.front().varying);
    EXPECT_TRUE(b.layout().groups.front().varying);
    const State q = random_state(a, random), expected = rate_of(a, q, 0.3);
    EXPECT_LT(distance(rate_of(b, q, 0.3), expected), 1e-12 * largest(expected)) << shape_name(shape);
  }
}

TEST(MaterialThatJumpsOnFaces, IsTheSameAsMaterialByRegion) {
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron}) {
    Mesh mesh = unit_box(shape, {4, 1, 1}, false), regions = mesh;
    for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
      double middle = 0;
      for (int v = 0; v < vertex_count(shape); ++v) middle += mesh.vertex(cell, v)[0] / vertex_count(shape);
      regions.blocks.front().region[cell] = middle < 0.5 ? 0 : 1;
    }
    regions.regions.push_back("right");
    const ModelIn model{"acoustics", mesh.dim};
    Random random(6), same(6);
    Problem jump = random_problem(mesh, model, 2, random), by_region = random_problem(regions, model, 2, same);
    jump.material[0] = {parse("if(x < 0.5, 1, 2.25)"), parse("if(x < 0.5, 0.75, 0.5)")};
    by_region.material = {{Expression(1.0), Expression(0.75)}, {Expression(2.25), Expression(0.5)}};
    NodalOperator a(jump, test_device()), b(by_region, test_device());
    const State q = random_state(a, random);
    EXPECT_EQ(distance(rate_of(a, q), rate_of(b, q)), 0) << shape_name(shape);
  }
}

TEST(MaterialInTime, FollowsTheClock) {
  for (const Shape shape : {Shape::triangle, Shape::hexahedron}) {
    const Mesh mesh = small_box(shape);
    const ModelIn model{"advection", mesh.dim};
    Random random(6);
    Problem problem = random_problem(mesh, model, 2, random);
    for (std::size_t i = 0; i < problem.material[0].size(); ++i)
      problem.material[0][i] = parse("sin(x + 2*y + " + std::to_string(i) + ")*cos(3*t)");
    NodalOperator dg(problem, test_device());
    const State q = random_state(dg, random);
    for (const double t : {0.0, 0.4, 0.1}) {
      const State expected = DenseOperator(problem, probe_of(model)).rate(q, t);
      EXPECT_LT(distance(rate_of(dg, q, t), expected), 1e-10 * largest(expected)) << shape_name(shape) << ", t = " << t;
    }
  }
}

}  // namespace
}  // namespace swell
