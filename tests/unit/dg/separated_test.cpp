// SPDX-License-Identifier: Apache-2.0
// Material that is a factor of time times a field: the same rates as from the whole expressions at every time.
#include "model/separated.hpp"

#include "dg/modal/operator.hpp"
#include "problems.hpp"

namespace swell {
namespace {

Problem swirl(const Mesh& mesh, Family family, const std::string& x, const std::string& y) {
  Random random(3);
  Problem problem = random_problem(mesh, {"advection", 2}, 3, random);
  problem.family = family;
  problem.coefficient_order = 3;
  problem.material.assign(mesh.regions.size(), {parse(x), parse(y)});
  problem.source = {parse("sin(x + t)")};  // needs the places too
  return problem;
}

TEST(SeparatedMaterial, HasTheRatesOfTheWholeExpressions) {
  const Mesh mesh = unit_box(Shape::quadrilateral, {3, 2}, false);
  for (const Family family : {Family::nodal, Family::modal}) {
    // The second is the same velocity, but no product at the top.
    const Problem plain = swirl(mesh, family, "sin(x)*y*cos(2*t)", "-x*cos(2*t)*exp(y)"),
                  hidden = swirl(mesh, family, "if(x < 9, sin(x)*y*cos(2*t), 0)", "if(x < 9, -x*cos(2*t)*exp(y), 0)");
    ASSERT_TRUE(separated_material(plain));
    ASSERT_FALSE(separated_material(hidden));
    const auto fast = make_operator(plain, test_device()), slow = make_operator(hidden, test_device());
    Random random(5);
    const State q = random_state(*fast, random);
    for (const double t : {0.0, 0.7}) {
      const State expected = rate_of(*slow, q, t);
      EXPECT_LT(distance(rate_of(*fast, q, t), expected), 1e-13 * largest(expected)) << t;
    }
    EXPECT_GT(distance(rate_of(*fast, q, 0.0), rate_of(*fast, q, 0.7)), 0.1);
  }
}

TEST(SeparatedMaterial, NeedsOneFactorForAllParts) {
  const Mesh mesh = unit_box(Shape::quadrilateral, {2, 1}, false);
  EXPECT_FALSE(separated_material(swirl(mesh, Family::nodal, "y*cos(2*t)", "x*sin(t)")));
  EXPECT_FALSE(separated_material(swirl(mesh, Family::nodal, "y*cos(2*t)", "x")));
  EXPECT_FALSE(separated_material(swirl(mesh, Family::nodal, "y", "x")));  // nothing changes
  EXPECT_TRUE(separated_material(swirl(mesh, Family::nodal, "y*cos(2*t)", "0")));
}

}  // namespace
}  // namespace swell
