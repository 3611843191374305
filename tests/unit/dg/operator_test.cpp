// SPDX-License-Identifier: Apache-2.0
// The compiled operator against the same sums done densely and plainly.
#include <set>

#include "problems.hpp"

namespace swell {
namespace {

constexpr double now = 0.37;

struct Setting {
  ModelIn model;
  Shape shape;
  int order;
  FluxKind flux = FluxKind::blend;
  double alpha = 1;
  Precision precision = Precision::double_;
  bool source = false;
};

std::string setting_name(const Setting& s) {
  std::string name = test_name(s.model) + "_" + std::string(shape_name(s.shape)) + "_" + std::to_string(s.order);
  if (s.flux == FluxKind::rusanov) name += "_rusanov";
  if (s.alpha != 1) name += s.alpha == 0 ? "_central" : "_blend";
  if (s.source) name += "_source";
  return s.precision == Precision::single_ ? name + "_single" : name;
}

// Every model on every shape once, at orders 1 to 3, and more orders of one model; the whole product with SWELL_LONG.
std::vector<Setting> settings() {
  std::vector<Setting> all;
  if (std::getenv("SWELL_LONG")) {
    for (const ModelIn& model : all_models())
      for (const Shape shape : shapes_of(model.dim))
        for (int order = 1; order <= (model.dim == 1 ? 12 : model.dim == 2 ? 8 : 6); ++order) all.push_back({model, shape, order});
    return all;
  }
  for (const ModelIn& model : all_models())
    for (const Shape shape : shapes_of(model.dim)) all.push_back({model, shape, usual_order(model, shape)});
  const ModelIn line{"acoustics", 1}, plane{"maxwell-tm", 2}, space{"acoustics", 3};
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::hexahedron})
    for (int order = dimension(shape) == 2 ? 1 : 3; order <= 4; ++order)
      all.push_back({dimension(shape) == 2 ? plane : space, shape, order});
  for (const int order : {1, 5, 12}) all.push_back({line, Shape::line, order});
  all.push_back({line, Shape::line, 3, FluxKind::blend, 0.25, Precision::single_, true});
  all.push_back({plane, Shape::triangle, 9});
  all.push_back({plane, Shape::quadrilateral, 9});
  all.push_back({space, Shape::tetrahedron, 6});
  all.push_back({space, Shape::hexahedron, 5});
  const FluxKind blend = FluxKind::blend;
  all.push_back({plane, Shape::triangle, 2, blend, 0.25, Precision::double_, true});
  all.push_back({space, Shape::hexahedron, 2, blend, 0, Precision::double_, true});
  all.push_back({space, Shape::tetrahedron, 2, FluxKind::rusanov, 1, Precision::double_});
  all.push_back({{"elastic", 2}, Shape::quadrilateral, 2, FluxKind::rusanov, 1, Precision::double_});
  all.push_back({{"elastic", 2}, Shape::triangle, 3, blend, 1, Precision::single_});
  all.push_back({{"maxwell", 3}, Shape::tetrahedron, 2, blend, 1, Precision::single_});
  all.push_back({{"acoustics", 3}, Shape::hexahedron, 3, blend, 1, Precision::single_});
  all.push_back({{"advection", 2}, Shape::quadrilateral, 4, blend, 1, Precision::single_});
  std::set<std::string> seen;
  std::erase_if(all, [&](const Setting& s) { return !seen.insert(setting_name(s)).second; });
  return all;
}

class Operator : public testing::TestWithParam<Setting> {
 protected:
  Random random{21};

  Problem problem_on(const Mesh& mesh) {
    const Setting& s = GetParam();
    Problem p = random_problem(mesh, s.model, s.order, random);
    p.flux = s.flux;
    p.alpha = s.alpha;
    p.precision = s.precision;
    if (s.source)
      for (std::size_t f = 0; f < p.model.fields.size(); ++f)
        p.source.push_back(parse("cos(3*x - y + 2*z + t + " + std::to_string(f) + ")"));
    return p;
  }

  void expect_same(const Mesh& mesh, const std::string& what) {
    const Problem problem = problem_on(mesh);
    NodalOperator dg(problem, test_device());
    const State q = random_state(dg, random),
                expected = DenseOperator(problem, probe_of(GetParam().model)).rate(q, now);
    const double tolerance = GetParam().precision == Precision::double_ ? 1e-12 : 1e-5;
    EXPECT_LT(distance(rate_of(dg, q, now), expected), tolerance * largest(expected)) << what;
  }
};

TEST_P(Operator, IsTheDenseOneOnABoxOfTurnedCellsWithDifferentMaterials) {
  const bool simplex = is_simplex(GetParam().shape);
  Mesh mesh = dimension(GetParam().shape) == 1 ? unit_box(GetParam().shape, {11}, false)
              : dimension(GetParam().shape) == 2
                  ? unit_box(GetParam().shape, {3, simplex ? 2 : 3}, false)
                  : unit_box(GetParam().shape, {simplex ? 2 : 3, simplex ? 1 : 2, 2}, false);
  shear(mesh);
  turn_cells(mesh, random);
  region_per_cell(mesh);
  expect_same(mesh, "turned cells");
}

TEST_P(Operator, IsTheDenseOneOnPeriodicBoxesDownToOneCell) {
  Mesh one = unit_box(GetParam().shape, {1, 1, 1}, true), few = unit_box(GetParam().shape, {2, 1, 1}, true);
  for (Mesh* mesh : {&one, &few}) {
    shear(*mesh);
    region_per_cell(*mesh);
    expect_same(*mesh, std::to_string(mesh->cell_count()) + " cells");
  }
}

// residual = a residual + dt rate, next = q + b residual.
TEST_P(Operator, UpdatesStateAndResidualInAStage) {
  Mesh mesh = unit_box(GetParam().shape, {3, 1, 1}, false);
  shear(mesh);
  const Problem problem = problem_on(mesh);
  NodalOperator dg(problem, test_device());
  const State q = random_state(dg, random), rate = rate_of(dg, q, now);
  const auto state = dg.make_state("q"), next = dg.make_state("next"), residual = dg.make_state("residual");
  write(dg, *state, q);
  const double a = -0.4, b = 0.3, dt = 1 / largest(rate);
  dg.stage(now, *state, *next, *residual, 0, 0.5, dt);
  dg.stage(now, *state, *next, *residual, a, b, dt);
  dg.device().queue().finish();
  State expected = q;
  for (std::size_t cell = 0; cell < q.size(); ++cell) expected[cell] += b * (a + 1) * dt * rate[cell];
  EXPECT_LT(distance(read(dg, *next), expected), GetParam().precision == Precision::double_ ? 1e-14 : 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, Operator, testing::ValuesIn(settings()),
                         [](const auto& given) { return setting_name(given.param); });

}  // namespace
}  // namespace swell
