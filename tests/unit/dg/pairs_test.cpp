// SPDX-License-Identifier: Apache-2.0
// Volume terms by two-point fluxes: against the same sums done densely and plainly, and what they keep.
#include <cmath>

#include "base/error.hpp"
#include "dg/measures.hpp"
#include "pages.hpp"

namespace swell {
namespace {

constexpr double now = 0.37;

// Rows of the page's material with this ratio of heats and nothing else.
Matrix gas(const ModelProbe& probe, Eigen::Index rows) {
  Matrix m = Matrix::Zero(rows, probe.parameters());
  m.col(0).setConstant(1.4);
  return m;
}

struct Setting {
  Shape shape;
  int order;
  std::string pair;
  std::string flux = "hll";
  Precision precision = Precision::double_;
  std::string page = "euler";
};

std::string setting_name(const Setting& s) {
  return s.page + "_" + std::string(shape_name(s.shape)) + "_" + std::to_string(s.order) + "_" + s.pair + "_" + s.flux +
         (s.precision == Precision::single_ ? "_single" : "");
}

std::vector<Setting> settings() {
  const Precision single = Precision::single_;
  return {{Shape::line, 3, "ranocha"},
          {Shape::line, 1, "kennedy_gruber", "rusanov", single},
          {Shape::quadrilateral, 1, "chandrashekar"},
          {Shape::quadrilateral, 3, "kennedy_gruber", "rusanov"},
          {Shape::quadrilateral, 4, "ranocha", "ranocha"},
          {Shape::quadrilateral, 2, "ranocha", "hll", single},
          {Shape::quadrilateral, 3, "tadmor", "osher", Precision::double_, "burgers"},
          {Shape::hexahedron, 2, "chandrashekar", "rusanov"},
          {Shape::hexahedron, 3, "kennedy_gruber", "rusanov", single},
          {Shape::hexahedron, 4, "kennedy_gruber"}};
}

Problem pair_problem(const Mesh& mesh, const Setting& s, Random& random) {
  Problem p = page_problem(mesh, s.page, s.order, random);
  p.precision = s.precision;
  p.volume_form = VolumeForm::split;
  p.pair = s.pair;
  if (s.flux != "rusanov") p.flux = FluxKind::blend, p.riemann = s.flux;
  return p;
}

void expect_dense(const Mesh& mesh, const Setting& s, Device& device, bool varying, const std::string& what) {
  Random random(31);
  Problem problem = pair_problem(mesh, s, random);
  if (varying) problem.material[0][0] = parse("1.4 + 0.1*sin(x + 2*y - z)");
  NodalOperator dg(problem, device);
  const State q = page_state(problem, dg.element().node_count, random),
              expected = DenseOperator(problem, probe_of_page(s.page, mesh.dim)).rate(q, now);
  const double tolerance = s.precision == Precision::double_ ? 1e-12 : 3e-5;
  EXPECT_LT(distance(rate_of(dg, q, now), expected), tolerance * largest(expected)) << setting_name(s) << " " << what;
}

class Pairs : public testing::TestWithParam<Setting> {};

TEST_P(Pairs, AreTheDenseOperatorOnABoxOfTurnedCellsWithDifferentMaterials) {
  Random random(31);
  Mesh mesh = dimension(GetParam().shape) == 3 ? unit_box(GetParam().shape, {3, 2, 2}, false) : unit_box(GetParam().shape, {3, 3}, false);
  shear(mesh);
  turn_cells(mesh, random);
  region_per_cell(mesh);
  expect_dense(mesh, GetParam(), test_device(), false, "turned cells");
}

// Metric terms in curl form are the exact ones of the dense operator only where the order can hold their products.
TEST_P(Pairs, AreTheDenseOperatorOnIrregularAndCurvedCells) {
  if (GetParam().shape == Shape::line) return;
  for (const int geometry_order : {1, 2}) {
    if (dimension(GetParam().shape) == 3 && GetParam().order < 2 * geometry_order) continue;
    if (GetParam().order < geometry_order) continue;
    Mesh mesh = unit_box(GetParam().shape, {2, 2, 1}, false);
    deform(mesh, geometry_order, bent);
    region_per_cell(mesh);
    expect_dense(mesh, GetParam(), test_device(), false, "geometry order " + std::to_string(geometry_order));
  }
}

TEST_P(Pairs, AreTheDenseOperatorWithMaterialThatVaries) {
  if (GetParam().page != "euler") return;
  Mesh mesh = unit_box(GetParam().shape, {3, 2, 1}, false);
  expect_dense(mesh, GetParam(), test_device(), true, "varying material");
}

INSTANTIATE_TEST_SUITE_P(All, Pairs, testing::ValuesIn(settings()), [](const auto& given) { return setting_name(given.param); });

// The other backends compile other kernel sources.
TEST(PairsElsewhere, AreTheDenseOperator) {
  keep_cache_beside_program();
  for (const DeviceChoice& choice : list_devices()) {
    if (!choice.usable || choice.name == "cpu") continue;
    const auto device = open_device(choice.name);
    for (const Setting& s : {Setting{Shape::line, 2, "ranocha", "rusanov", Precision::single_},
                             Setting{Shape::quadrilateral, 2, "kennedy_gruber", "rusanov", Precision::single_},
                             Setting{Shape::quadrilateral, 3, "ranocha"}, Setting{Shape::hexahedron, 2, "chandrashekar"}}) {
      if (s.precision == Precision::double_ && !device->info().doubles) continue;
      for (const int geometry_order : {0, 1, 2}) {
        if (geometry_order > 0 && s.shape == Shape::line) continue;
        if (s.shape == Shape::hexahedron && geometry_order == 2) continue;
        Mesh mesh = unit_box(s.shape, {2, 2, 1}, false);
        if (geometry_order > 0) deform(mesh, geometry_order, bent);
        else shear(mesh);
        region_per_cell(mesh);
        expect_dense(mesh, s, *device, geometry_order == 0 && s.order == 3, choice.name + " " + std::to_string(geometry_order));
      }
    }
  }
}

TEST(TwoPointFlux, IsSymmetricAndThatOfTheModelForEqualStates) {
  Random random(5);
  const ModelProbe& probe = probe_of_page("euler", 3);
  constexpr int rows = 40;
  const Matrix m = gas(probe, rows), n = random.matrix(rows, 3);
  Matrix a = random.matrix(rows, 5, -0.9, 0.9), b = a + 0.03 * random.matrix(rows, 5);  // means by series, and by logarithms:
  for (const bool far : {false, true}) {
    if (far) b = random.matrix(rows, 5, -0.9, 0.9);
    for (const int positive : {0, 4}) a.col(positive) = a.col(positive).cwiseAbs().array() + 0.1, b.col(positive) = b.col(positive).cwiseAbs().array() + 0.1;
    for (const auto& name : probe.model().pairs) {
      const Matrix there = probe.pair(name, a, b, m, n), back = probe.pair(name, b, a, m, n);
      EXPECT_LT(largest(Matrix(there - back)), 1e-13 * largest(there)) << name;
      EXPECT_LT(largest(Matrix(probe.pair(name, a, a, m, n) - probe.flux(probe.fields_of(a, m), m, n))), 1e-13 * largest(there)) << name;
    }
  }
}

// The derivatives of the entropy -rho s / (gamma - 1) by the fields.
Matrix entropy_variables(const Matrix& v, double gamma) {
  const Eigen::Index dim = v.cols() - 2;
  Matrix w(v.rows(), v.cols());
  for (Eigen::Index i = 0; i < v.rows(); ++i) {
    const double rho = v(i, 0), p = v(i, dim + 1), s = std::log(p) - gamma * std::log(rho);
    w(i, 0) = (gamma - s) / (gamma - 1) - 0.5 * rho / p * v.row(i).segment(1, dim).squaredNorm();
    w.row(i).segment(1, dim) = rho / p * v.row(i).segment(1, dim);
    w(i, dim + 1) = -rho / p;
  }
  return w;
}

struct Box {
  Shape shape;
  int order, geometry_order;
};

std::vector<Box> periodic_boxes() {
  return {{Shape::line, 4, 0}, {Shape::quadrilateral, 3, 0}, {Shape::quadrilateral, 3, 1}, {Shape::quadrilateral, 3, 3},
          {Shape::hexahedron, 2, 0}, {Shape::hexahedron, 1, 1}, {Shape::hexahedron, 2, 1}, {Shape::hexahedron, 3, 2}};
}

Mesh periodic_mesh(const Box& box) {
  Mesh mesh = unit_box(box.shape, {4, 3, 3}, true);
  if (box.geometry_order > 0) deform(mesh, box.geometry_order, wavy);
  return mesh;
}

Problem periodic_problem(const Mesh& mesh, const Box& box, const std::string& pair, const std::string& flux) {
  Random random(3);
  Problem p = pair_problem(mesh, {box.shape, box.order, pair, flux}, random);
  for (auto& region : p.material) {
    std::fill(region.begin(), region.end(), Expression(0.0));  // no gravity, no rotation
    region[0] = Expression(1.4);
  }
  return p;
}

// The rate of the entropy, and the sum of the absolute values that it is made of.
std::pair<double, double> entropy_rate(const Problem& problem, NodalOperator& dg, const State& q) {
  const ModelProbe& probe = probe_of_page("euler", problem.mesh->dim);
  const State rate = rate_of(dg, q);
  State product = rate;
  for (std::size_t cell = 0; cell < q.size(); ++cell) {
    const Matrix v = probe.variables_of(q[cell], gas(probe, q[cell].rows()));
    product[cell] = rate[cell].cwiseProduct(entropy_variables(v, 1.4));
  }
  const auto [sum, size] = DenseOperator(problem, probe).integral_of_mass_times(product);
  return {sum.sum(), size.sum()};
}

TEST(EntropyOfPairs, StaysWithAFluxThatConservesItInsideAndOnFacesAndFallsWithADissipativeOne) {
  for (const Box& box : periodic_boxes()) {
    if (box.shape == Shape::hexahedron && box.order < 2 * box.geometry_order) continue;  // the dense sum has the exact Jacobian
    const Mesh mesh = periodic_mesh(box);
    Random random(17);
    const std::string pair = box.order % 2 == 0 ? "chandrashekar" : "ranocha";
    const Problem keeps = periodic_problem(mesh, box, pair, pair);
    NodalOperator dg(keeps, test_device());
    const State q = page_state(keeps, dg.element().node_count, random);
    const auto [change, size] = entropy_rate(keeps, dg, q);
    EXPECT_LT(std::abs(change), 1e-13 * size) << pair << " " << shape_name(box.shape) << box.geometry_order;
    if (box.shape != Shape::quadrilateral) continue;  // each operator is a compilation
    const Problem loses = periodic_problem(mesh, box, pair, "rusanov");
    NodalOperator upwind(loses, test_device());
    const auto [loss, of] = entropy_rate(loses, upwind, q);
    EXPECT_LT(loss, -1e-4 * of) << pair << " " << box.geometry_order;
    if (box.geometry_order > 0) continue;
    // Kennedy and Gruber's does not keep it, so that the first claim can fail.
    const Problem other = periodic_problem(mesh, box, "kennedy_gruber", "kennedy_gruber");
    NodalOperator unproven(other, test_device());
    const auto [drift, all] = entropy_rate(other, unproven, q);
    EXPECT_GT(std::abs(drift), 1e-9 * all);
  }
}

TEST(FreeStreamOfPairs, StaysOnIrregularAndCurvedCells) {
  for (const Box& box : periodic_boxes()) {
    const Mesh mesh = periodic_mesh(box);
    const Problem problem = periodic_problem(mesh, box, "ranocha", "hll");
    NodalOperator dg(problem, test_device());
    Random random(17);
    State q = page_state(problem, dg.element().node_count, random);
    const Matrix same = q[0].row(0);
    for (Matrix& cell : q) cell = same.replicate(cell.rows(), 1);
    // A rate is a sum of fluxes of size 1 over lengths of 1/4 and weights down to 2 / (p (p + 1)).
    EXPECT_LT(largest(rate_of(dg, q)), 2e-12) << shape_name(box.shape) << box.order << box.geometry_order;
  }
}

TEST(ConservationOfPairs, HoldsToRoundingInTheMeasuresOfThePage) {
  for (const Box& box : periodic_boxes()) {
    const Mesh mesh = periodic_mesh(box);
    const Problem problem = periodic_problem(mesh, box, "kennedy_gruber", "hll");
    NodalOperator dg(problem, test_device());
    Random random(17);
    const auto q = dg.make_state("q"), rate = dg.make_state("rate"), next = dg.make_state("next");
    write(dg, *q, page_state(problem, dg.element().node_count, random));
    dg.rate(0, *q, *rate);
    const double small = 1e-2 / largest(read(dg, *rate));
    dg.combine(*next, std::array{RightHandSide::Term{1, q.get()}, RightHandSide::Term{small, rate.get()}});
    for (std::size_t i = 0; i < problem.model.quantities.size(); ++i) {
      if (problem.model.quantities[i] == "entropy" || problem.model.quantities[i] == "kinetic") continue;
      const double before = dg.measures()->quantity(i, *q, 0);
      EXPECT_NEAR(dg.measures()->quantity(i, *next, 0), before, 1e-14 * std::abs(before)) << problem.model.quantities[i];
    }
  }
}

TEST(FormOfVolumeTerms, IsRefusedWhereItsMeshOrModelLacksWhatItNeeds) {
  const auto refusal = [](Shape shape, const std::string& pair, const std::string& page) -> std::string {
    Random random(3);
    const Mesh mesh = unit_box(shape, {2, 2, 1}, true);
    Problem p = page_problem(mesh, page, 2, random);
    p.volume_form = VolumeForm::split;
    p.pair = pair;
    try {
      NodalOperator dg(p, test_device());
    } catch (const InputError& refused) {
      return refused.what();
    }
    return "";
  };
  EXPECT_NE(refusal(Shape::triangle, "ranocha", "euler").find("model.form = \"split\" is for lines, quadrilaterals and hexahedra"), std::string::npos);
  EXPECT_NE(refusal(Shape::quadrilateral, "ranoca", "euler").find("did you mean 'ranocha'"), std::string::npos);
  EXPECT_NE(refusal(Shape::quadrilateral, "ranocha", "carried-sound").find("has no function pair_NAME"), std::string::npos);
}

}  // namespace
}  // namespace swell
