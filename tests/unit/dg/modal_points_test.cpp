// SPDX-License-Identifier: Apache-2.0
// Products with coefficients at points: the same integrals as the sparse triple products.
#include "dg/modal/operator.hpp"
#include "problems.hpp"

namespace swell {
namespace {

struct Setting {
  ModelIn model;
  Shape shape;
  int order, coefficient_order;
  std::vector<std::string> material;
};

// Velocities stand in the flux; epsilon, mu and the elastic moduli in the mass, sigma in the reaction.
std::vector<Setting> settings() {
  const std::vector<std::string> plane{"1 + 0.3*sin(3*x)*y", "0.5 - 0.2*cos(x + 2*y)"},
      space{"1 + 0.3*sin(3*x)*y", "0.5 - 0.2*cos(x + 2*z)", "0.7 + 0.1*exp(x*y)"};
  std::vector<Setting> all{
      {{"advection", 2}, Shape::triangle, 4, 4, plane},
      {{"advection", 2}, Shape::quadrilateral, 4, 4, plane},
      {{"advection", 2}, Shape::quadrilateral, 3, 0, plane},
      {{"advection", 3}, Shape::tetrahedron, 3, 2, space},
      {{"advection", 3}, Shape::hexahedron, 2, 1, space},
      {{"elastic", 2}, Shape::triangle, 3, 3, {"1 + 0.2*x", "2 + sin(3*y)", "1 + 0.3*x*y"}},
      {{"maxwell-tm", 2}, Shape::quadrilateral, 3, 3, {"1 + 0.5*x*y", "1.5 - 0.3*sin(2*x)", "0.3 + exp(-y)"}}};
  if (std::getenv("SWELL_LONG"))
    all.insert(all.end(), {{{"advection", 2}, Shape::triangle, 5, 5, plane},
                           {{"advection", 2}, Shape::triangle, 9, 4, plane},  // beyond the symmetric rules
                           {{"advection", 2}, Shape::quadrilateral, 6, 6, plane}});
  return all;
}

// The operator's results for a state with the first variant of this form: its rate, and the predictor's data.
std::vector<State> results_of(ModalOperator& dg, int form) {
  dg.expect_scheme("ader");
  for (std::size_t g = 0; g < dg.group_count(); ++g) {
    const auto all = dg.group_variants(g);
    const auto found = std::find_if(all.begin(), all.end(), [&](const Variant& v) { return v.constant("FORM") == form; });
    EXPECT_NE(found, all.end()) << form;
    dg.set_variant(g, *found);
  }
  Random random(9);
  const State start = random_state(dg, random);
  const auto q = dg.make_state("q"), out = dg.make_state("out");
  write(dg, *q, start);
  std::vector<State> all{rate_of(dg, start, 0.3)};
  dg.predictor()->local_rate(0, *q, *out);
  all.push_back(read(dg, *out));
  dg.predict(*q, 0.01, *out);
  all.push_back(read(dg, *out));
  return all;
}

TEST(ModalProducts, AtPointsAreTheTripleProducts) {
  for (const Setting& s : settings()) {
    Random random(6);
    Mesh mesh = unit_box(s.shape, {2, 1, 1}, false);
    shear(mesh);
    turn_cells(mesh, random);
    Problem problem = random_problem(mesh, s.model, s.order, random);
    problem.family = Family::modal;
    problem.coefficient_order = s.coefficient_order;
    problem.material[0].clear();
    for (const auto& text : s.material) problem.material[0].push_back(parse(text));
    ModalOperator dg(problem, test_device());
    const auto tables = results_of(dg, 1), points = results_of(dg, 3);
    for (std::size_t i = 0; i < tables.size(); ++i)
      EXPECT_LT(distance(points[i], tables[i]), 1e-13 * largest(tables[i]))
          << s.model.name << " " << shape_name(s.shape) << " " << s.order << " result " << i;
  }
}

}  // namespace
}  // namespace swell
