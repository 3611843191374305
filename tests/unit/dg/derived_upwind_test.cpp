// SPDX-License-Identifier: Apache-2.0
// The upwind flux that is derived for a model without one, against the closed form that the shipped models have.
#include "base/error.hpp"
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

TEST(DerivedUpwindOf, AModelWithADirectionOfItsOwnIsRefused) {
  const Mesh mesh = unit_box(Shape::triangle, {1, 1}, true);
  Random random{8};
  Problem problem = random_problem(mesh, {"advection", 2}, 1, random);
  problem.model = without_upwind(problem.model);
  EXPECT_THROW(NodalOperator(problem, test_device()), InputError);
}

TEST(DerivedUpwindOf, MaterialThatVariesIsRefused) {
  const Mesh mesh = unit_box(Shape::triangle, {1, 1}, true);
  Random random{9};
  Problem problem = random_problem(mesh, {"acoustics", 2}, 1, random);
  problem.model = without_upwind(problem.model);
  problem.material[0][0] = parse("1 + 0.1*x");
  EXPECT_THROW(NodalOperator(problem, test_device()), InputError);
}

}  // namespace
}  // namespace swell
