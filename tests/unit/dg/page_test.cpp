// SPDX-License-Identifier: Apache-2.0
// Nonlinear pages: the compiled operator against the same sums done densely and plainly.
#include "base/error.hpp"
#include "pages.hpp"

namespace swell {
namespace {

constexpr double now = 0.37;

struct Setting {
  std::string page;
  Shape shape;
  int order;
  std::string flux = "rusanov";
  Precision precision = Precision::double_;
};

std::string setting_name(const Setting& s) {
  return s.page + "_" + std::string(shape_name(s.shape)) + "_" + std::to_string(s.order) + "_" + s.flux +
         (s.precision == Precision::single_ ? "_single" : "");
}

std::vector<Setting> settings() {
  const Precision single = Precision::single_;
  return {{"burgers", Shape::triangle, 3},
          {"burgers", Shape::quadrilateral, 2, "osher"},
          {"burgers", Shape::tetrahedron, 2, "osher", single},
          {"burgers", Shape::hexahedron, 3},
          {"euler", Shape::triangle, 3, "hll"},
          {"euler", Shape::triangle, 2, "rusanov", single},
          {"euler", Shape::quadrilateral, 3},
          {"euler", Shape::quadrilateral, 2, "hll", single},
          {"euler", Shape::tetrahedron, 3},
          {"euler", Shape::tetrahedron, 2, "hll", single},
          {"euler", Shape::triangle, 2, "hllc"},
          {"euler", Shape::tetrahedron, 1, "hllc", single},
          {"euler", Shape::quadrilateral, 2, "roe"},
          {"euler", Shape::triangle, 1, "entropy"},
          {"euler", Shape::hexahedron, 2, "hll"},
          {"euler", Shape::hexahedron, 3, "rusanov", single}};
}

class Page : public testing::TestWithParam<Setting> {
 protected:
  Random random{31};

  Problem problem_on(const Mesh& mesh) {
    const Setting& s = GetParam();
    Problem p = page_problem(mesh, s.page, s.order, random);
    p.precision = s.precision;
    if (s.flux == "rusanov") return p;
    p.flux = FluxKind::blend;
    p.riemann = s.flux;
    return p;
  }

  void expect_same(const Mesh& mesh, const std::string& what) {
    const Problem problem = problem_on(mesh);
    NodalOperator dg(problem, test_device());
    const State q = page_state(problem, dg.element().node_count, random),
                expected = DenseOperator(problem, probe_of_page(GetParam().page, mesh.dim)).rate(q, now);
    const double tolerance = GetParam().precision == Precision::double_ ? 1e-12 : 2e-5;
    EXPECT_LT(distance(rate_of(dg, q, now), expected), tolerance * largest(expected)) << what;
  }
};

TEST_P(Page, IsTheDenseOperatorOnABoxOfTurnedCellsWithDifferentMaterials) {
  const bool simplex = is_simplex(GetParam().shape);
  Mesh mesh = dimension(GetParam().shape) == 2
                  ? unit_box(GetParam().shape, {3, simplex ? 2 : 3}, false)
                  : unit_box(GetParam().shape, {simplex ? 2 : 3, simplex ? 1 : 2, 2}, false);
  shear(mesh);
  turn_cells(mesh, random);
  region_per_cell(mesh);
  expect_same(mesh, "turned cells");
}

// On hexahedra the operator's metric terms are those whose discrete divergence vanishes, and these are the exact ones of the
// dense operator only where the order can hold their products: trilinear cells from order 2 on, these quadratic ones from order
// 3 on.
int curved_geometry(const Setting& s) { return s.shape == Shape::hexahedron && s.order < 3 ? 1 : 2; }

TEST_P(Page, IsTheDenseOperatorOnCurvedCells) {
  Mesh mesh = unit_box(GetParam().shape, {2, 2, 1}, false);
  deform(mesh, curved_geometry(GetParam()), bent);
  region_per_cell(mesh);
  expect_same(mesh, "curved cells");
}

// Fluxes at points for products of a degree, on all shapes.
struct AtPoints {
  Shape shape;
  int order, degree;
};

void expect_dense_at_points(const AtPoints& s, Device& device, const std::string& what) {
  for (const bool curved : {false, true}) {
    if (curved && s.shape == Shape::line) continue;
    Random random(7);
    Mesh mesh = unit_box(s.shape, {2, 2, 1}, false);
    if (curved) deform(mesh, s.shape == Shape::hexahedron ? 1 : 2, bent);
    else shear(mesh);
    region_per_cell(mesh);
    Problem problem = page_problem(mesh, "euler", s.order, random);
    problem.volume_form = VolumeForm::quadrature;
    problem.degree = s.degree;
    NodalOperator dg(problem, device);
    const State q = page_state(problem, dg.element().node_count, random),
                expected = DenseOperator(problem, probe_of_page("euler", mesh.dim)).rate(q, now);
    EXPECT_LT(distance(rate_of(dg, q, now), expected), 1e-12 * largest(expected))
        << what << " " << shape_name(s.shape) << " degree " << s.degree << (curved ? " curved" : "");
  }
}

TEST(PageAtPoints, IsTheDenseOperatorForTheDegreeThatIsAsked) {
  for (const AtPoints& s : {AtPoints{Shape::line, 3, 0}, AtPoints{Shape::triangle, 2, 0}, AtPoints{Shape::triangle, 2, 7},
                            AtPoints{Shape::tetrahedron, 2, 5}, AtPoints{Shape::quadrilateral, 2, 0}})
    expect_dense_at_points(s, test_device(), "cpu");
}

TEST(PageAtPoints, RefusesDegreesThatTheMassOrTheRulesDoNotAllow) {
  const auto refusal = [](Shape shape, int degree) -> std::string {
    Random random(3);
    const Mesh mesh = unit_box(shape, {1, 1, 1}, false);
    Problem p = page_problem(mesh, "euler", 3, random);
    p.volume_form = VolumeForm::quadrature;
    p.degree = degree;
    try {
      NodalOperator dg(p, test_device());
    } catch (const InputError& refused) {
      return refused.what();
    }
    return "";
  };
  EXPECT_NE(refusal(Shape::triangle, 5).find("model.degree = 5 is too low for model.order = 3"), std::string::npos);
  EXPECT_NE(refusal(Shape::tetrahedron, 30).find("26 is the highest that there are"), std::string::npos);
  EXPECT_NE(refusal(Shape::quadrilateral, 8).find("model.degree is for lines, triangles and tetrahedra"), std::string::npos);
}

// The other backends compile other kernel sources: every shape straight and curved, in both precisions.
class PageElsewhere : public testing::TestWithParam<std::string> {};

TEST_P(PageElsewhere, IsTheDenseOperator) {
  const auto device = open_device(GetParam());
  const Setting some[] = {{"euler", Shape::triangle, 2, "hll"},
                          {"euler", Shape::quadrilateral, 2, "rusanov", Precision::single_},
                          {"euler", Shape::tetrahedron, 1, "rusanov", Precision::single_},
                          {"euler", Shape::hexahedron, 2, "hll"},
                          {"burgers", Shape::triangle, 1, "osher", Precision::single_},
                          {"burgers", Shape::hexahedron, 2, "rusanov"}};
  for (const Setting& s : some)
    for (const bool curved : {false, true}) {
      if (s.precision == Precision::double_ && !device->info().doubles) continue;
      if (curved && s.page == "burgers") continue;  // as Euler's
      Random random(7);
      Mesh mesh = unit_box(s.shape, {2, 2, 1}, false);
      if (curved) deform(mesh, curved_geometry(s), bent);
      else shear(mesh);
      region_per_cell(mesh);
      Problem problem = page_problem(mesh, s.page, s.order, random);
      problem.precision = s.precision;
      if (s.flux != "rusanov") problem.flux = FluxKind::blend, problem.riemann = s.flux;
      NodalOperator dg(problem, *device);
      const State q = page_state(problem, dg.element().node_count, random),
                  expected = DenseOperator(problem, probe_of_page(s.page, mesh.dim)).rate(q, now);
      const double tolerance = s.precision == Precision::double_ ? 1e-12 : 2e-5;
      EXPECT_LT(distance(rate_of(dg, q, now), expected), tolerance * largest(expected)) << setting_name(s) << (curved ? " curved" : "");
    }
}

TEST_P(PageElsewhere, IsTheDenseOperatorAtPointsForADegree) {
  const auto device = open_device(GetParam());
  if (device->info().doubles) expect_dense_at_points({Shape::triangle, 2, 7}, *device, GetParam());
}

std::vector<std::string> other_devices() {
  keep_cache_beside_program();
  std::vector<std::string> names;
  for (const DeviceChoice& choice : list_devices())
    if (choice.usable && choice.name != "cpu") names.push_back(choice.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Devices, PageElsewhere, testing::ValuesIn(other_devices()), [](const auto& given) {
  std::string name = given.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PageElsewhere);

INSTANTIATE_TEST_SUITE_P(Nonlinear, Page, testing::ValuesIn(settings()),
                         [](const auto& given) { return setting_name(given.param); });

}  // namespace
}  // namespace swell
