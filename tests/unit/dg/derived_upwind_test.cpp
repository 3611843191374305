// SPDX-License-Identifier: Apache-2.0
// The upwind flux that is derived for a model without one, against the closed form that the shipped models have.
#include "base/error.hpp"
#include "dg/modal/operator.hpp"
#include "problems.hpp"

namespace swell {
namespace {

Model without_upwind(const Model& model) {
  std::string text = model.text;
  const auto begin = text.find("FUNCTION void flux_upwind(");
  text.erase(begin, text.find("\n}\n", begin) + 3 - begin);
  return parse_model(text, "test", model.dim);
}

class DerivedUpwind : public testing::TestWithParam<ModelIn> {
 protected:
  Mesh box() const {
    Mesh mesh = unit_box(GetParam().dim == 2 ? Shape::triangle : Shape::tetrahedron, {2, 2, 1}, false);
    shear(mesh);
    // Three materials, so that most pairs of different ones meet somewhere.
    mesh.regions = {"", "a", "b"};
    for (std::size_t i = 0; i < mesh.blocks[0].region.size(); ++i) mesh.blocks[0].region[i] = static_cast<int>(i % 3);
    return mesh;
  }
};

TEST_P(DerivedUpwind, GivesTheRateOfTheClosedForm) {
  const Mesh mesh = box();
  Random random{7};
  const Problem closed = random_problem(mesh, GetParam(), 2, random);
  Problem derived = closed;
  derived.model = without_upwind(closed.model);
  ASSERT_FALSE(derived.model.has("flux_upwind"));
  NodalOperator one(closed, test_device()), other(derived, test_device());
  const State q = random_state(one, random), expected = rate_of(one, q, 0.1);
  EXPECT_LT(distance(rate_of(other, q, 0.1), expected), 1e-11 * largest(expected));
}

INSTANTIATE_TEST_SUITE_P(Waves, DerivedUpwind,
                         testing::Values(ModelIn{"acoustics", 2}, ModelIn{"maxwell-tm", 2}, ModelIn{"maxwell", 3},
                                         ModelIn{"elastic", 2}, ModelIn{"elastic", 3}),
                         [](const auto& given) { return test_name(given.param); });

// Waves that differ by direction, or material that varies: a matrix for each place of a face.
struct Directional {
  const char* name;
  Shape shape;
  bool curved, varying;
};

class DirectionalUpwind : public testing::TestWithParam<Directional> {
 protected:
  static Mesh mesh_of(const Directional& given) {
    Mesh mesh = unit_box(given.shape, dimension(given.shape) == 2 ? std::vector<std::int64_t>{3, 2} : std::vector<std::int64_t>{2, 1, 2}, false);
    shear(mesh);
    if (given.curved) deform(mesh, 2, bent);
    return mesh;
  }
  // Two media that let the same mass through their faces; all flows are slower than sound.
  static Problem flow(const Mesh& mesh, bool varying, Random& random) {
    Problem problem = random_problem(mesh, {"linear-euler", mesh.dim}, 2, random);
    const auto set = [&](const char* name, const std::string& text) {
      for (auto& region : problem.material) region[problem.model.material_index(name)] = parse(text);
    };
    for (const auto& p : problem.model.material)
      if (p.derivative_of >= 0) set(p.name.c_str(), "0.1");
    set("rho0", varying ? "1.2 + 0.1*x" : "1.2");
    set("c0", varying ? "1.5 + 0.2*y" : "1.5");
    set("ux0", "0.4");
    set("uy0", varying ? "-0.3 + 0.05*x" : "-0.3");
    return problem;
  }
};

TEST_P(DirectionalUpwind, GivesTheRateOfTheClosedForm) {
  const Mesh mesh = mesh_of(GetParam());
  Random random{12};
  const Problem closed = flow(mesh, GetParam().varying, random);
  Problem derived = closed;
  derived.model = without_upwind(closed.model);
  NodalOperator one(closed, test_device()), other(derived, test_device());
  const State q = random_state(one, random), expected = rate_of(one, q, 0.1);
  EXPECT_LT(distance(rate_of(other, q, 0.1), expected), 1e-10 * largest(expected));
}

INSTANTIATE_TEST_SUITE_P(Cells, DirectionalUpwind,
                         testing::Values(Directional{"triangles", Shape::triangle, false, false},
                                         Directional{"curved_triangles", Shape::triangle, true, false},
                                         Directional{"varying_triangles", Shape::triangle, false, true},
                                         Directional{"quadrilaterals", Shape::quadrilateral, false, false},
                                         Directional{"curved_quadrilaterals", Shape::quadrilateral, true, true},
                                         Directional{"tetrahedra", Shape::tetrahedron, false, false},
                                         Directional{"hexahedra", Shape::hexahedron, false, false}),
                         [](const auto& given) { return std::string(given.param.name); });

TEST(DerivedUpwindOf, AFlowIsTheSameInTheModalFamily) {
  const Mesh mesh = unit_box(Shape::triangle, {3, 2}, true);
  Random random{13};
  Problem closed = random_problem(mesh, {"linear-euler", 2}, 2, random);
  closed.family = Family::modal;
  Problem derived = closed;
  derived.model = without_upwind(closed.model);
  ModalOperator one(closed, test_device()), other(derived, test_device());
  const State q = random_state(one, random), expected = rate_of(one, q, 0.1);
  EXPECT_LT(distance(rate_of(other, q, 0.1), expected), 1e-10 * largest(expected));
  for (auto& region : derived.material) region[0] = parse("1 + 0.1*x");
  EXPECT_THROW(ModalOperator(derived, test_device()), InputError);
}

TEST(DerivedUpwindOf, MaterialThatChangesWithTimeIsRefused) {
  const Mesh mesh = unit_box(Shape::triangle, {1, 1}, true);
  Random random{9};
  Problem problem = random_problem(mesh, {"advection", 2}, 1, random);
  problem.model = without_upwind(problem.model);
  problem.material[0][0] = parse("1 + 0.1*t");
  EXPECT_THROW(NodalOperator(problem, test_device()), InputError);
}

}  // namespace
}  // namespace swell
