// SPDX-License-Identifier: Apache-2.0
// Viscous terms: the compiled operator against the same sums done densely and plainly; energy, conservation, and the steps.
#include <cmath>

#include "base/error.hpp"
#include "dense_viscous.hpp"
#include "pages.hpp"
#include "time/diffusion_limit.hpp"
#include "time/integrator.hpp"

namespace swell {
namespace {

constexpr double now = 0.37;

struct Setting {
  Shape shape;
  int order;
  Precision precision = Precision::double_;
  std::string page = "advection-diffusion";
};

std::string setting_name(const Setting& s) {
  std::string name = s.page + "_" + std::string(shape_name(s.shape)) + "_" + std::to_string(s.order) +
                     (s.precision == Precision::single_ ? "_single" : "");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<Setting> settings() {
  const Precision single = Precision::single_;
  return {{Shape::line, 3},        {Shape::triangle, 3},    {Shape::triangle, 2, single}, {Shape::quadrilateral, 3},
          {Shape::tetrahedron, 2}, {Shape::hexahedron, 3},  {Shape::hexahedron, 2, single}};
}

// Mirrors, walls through which nothing spreads and given fluxes on the sides in turn.
Problem viscous_problem(const Mesh& mesh, const Setting& s, Random& random) {
  Problem p = page_problem(mesh, s.page, s.order, random);
  const int nu = p.model.material_index("nu");
  for (auto& region : p.material)
    if (nu >= 0) region[static_cast<std::size_t>(nu)] = Expression(random.between(0.1, 0.4));
  p.flux = FluxKind::blend;
  p.precision = s.precision;
  return p;
}

void expect_dense(const Mesh& mesh, const Setting& s, Random& random, Device& device, const std::string& what) {
  const Problem problem = viscous_problem(mesh, s, random);
  NodalOperator dg(problem, device);
  const State q = page_state(problem, dg.element().node_count, random);
  const DenseViscous dense(problem, probe_of_page(s.page, mesh.dim));
  State expected = dense.rate(q, now);
  const State spread = dense.divergence(q, now);
  for (std::size_t cell = 0; cell < expected.size(); ++cell) expected[cell] += spread[cell];
  // Two derivatives multiply rounding by the square of the order over the height.
  const double tolerance = s.precision == Precision::double_ ? 1e-11 : 1e-4;
  EXPECT_LT(distance(rate_of(dg, q, now), expected), tolerance * largest(expected)) << setting_name(s) << " " << what;
}

Mesh sheared_box(Shape shape, Random& random) {
  const bool simplex = is_simplex(shape);
  Mesh mesh = dimension(shape) == 3 ? unit_box(shape, {simplex ? 2 : 3, simplex ? 1 : 2, 2}, false)
                                    : unit_box(shape, {3, simplex ? 2 : 3}, false);
  shear(mesh);
  if (dimension(shape) > 1) turn_cells(mesh, random);
  region_per_cell(mesh);
  return mesh;
}

// The metric terms of hexahedra are those of the dense operator from order 3 on (page_test.cpp).
Mesh curved_box(const Setting& s) {
  Mesh mesh = unit_box(s.shape, {2, 2, 1}, false);
  deform(mesh, s.shape == Shape::hexahedron && s.order < 3 ? 1 : 2, bent);
  region_per_cell(mesh);
  return mesh;
}

class Viscous : public testing::TestWithParam<Setting> {
 protected:
  Random random{17};
};

TEST_P(Viscous, IsTheDenseOperatorOnABoxOfTurnedCellsWithDifferentMaterials) {
  expect_dense(sheared_box(GetParam().shape, random), GetParam(), random, test_device(), "turned cells");
}

TEST_P(Viscous, IsTheDenseOperatorOnCurvedCells) {
  if (dimension(GetParam().shape) == 1) GTEST_SKIP() << "a line has no curved cells";
  expect_dense(curved_box(GetParam()), GetParam(), random, test_device(), "curved cells");
}

// A periodic, wavy box with a diffusivity of its own in every cell.
struct Wavy {
  explicit Wavy(const Setting& s, Random& random, double velocity) : mesh(unit_box(s.shape, {3, 3, 3}, true)) {
    if (mesh.dim > 1) deform(mesh, s.shape == Shape::hexahedron && s.order < 3 ? 1 : 2, wavy);
    region_per_cell(mesh);
    problem = viscous_problem(mesh, s, random);
    for (auto& region : problem.material)
      for (int d = 0; d < mesh.dim; ++d) region[d] = Expression(velocity);
  }
  Mesh mesh;
  Problem problem;
};

TEST_P(Viscous, LetsNoEnergyGrow) {
  Wavy on(GetParam(), random, 0);
  NodalOperator dg(on.problem, test_device());
  const DenseViscous dense(on.problem, probe_of_page(GetParam().page, on.mesh.dim));
  const State q = random_state(dg, random), rate = rate_of(dg, q);
  EXPECT_LT(dense.weighted_product(q, rate), 0);
  // A constant has nothing to lose.
  State even = q;
  for (Matrix& cell : even) cell.setConstant(0.7);
  EXPECT_LT(largest(rate_of(dg, even)), (GetParam().precision == Precision::double_ ? 1e-11 : 1e-3) * largest(rate));
}

TEST_P(Viscous, KeepsTheIntegral) {
  Wavy on(GetParam(), random, 0.5);
  NodalOperator dg(on.problem, test_device());
  const DenseViscous dense(on.problem, probe_of_page(GetParam().page, on.mesh.dim));
  const auto [sum, size] = dense.integral_of_mass_times(rate_of(dg, random_state(dg, random)));
  EXPECT_LT(std::abs(sum(0)), (GetParam().precision == Precision::double_ ? 1e-12 : 1e-4) * size(0));
}

// The largest eigenvalue by power iteration, beside the one that steps are made for.
double largest_eigenvalue(NodalOperator& dg, Random& random) {
  const auto q = dg.make_state("q"), out = dg.make_state("rate");
  State state = random_state(dg, random);
  double size = 0;
  for (int i = 0; i < 60; ++i) {
    size = largest(state);
    for (Matrix& cell : state) cell /= size;
    write(dg, *q, state);
    dg.rate(0, *q, *out);
    dg.device().queue().finish();
    state = read(dg, *out);
  }
  return largest(state);
}

class ViscousSteps : public testing::TestWithParam<std::pair<Shape, int>> {};

TEST_P(ViscousSteps, AreMadeForTheLargestEigenvalue) {
  const auto [shape, order] = GetParam();
  for (const bool moved : {false, true}) {
    Random random(3);
    Mesh mesh = unit_box(shape, {4, 4, dimension(shape) == 3 ? 2 : 1}, true);
    if (moved && dimension(shape) > 1) deform(mesh, 1, wavy);
    Problem problem = viscous_problem(mesh, {shape, order}, random);
    for (auto& region : problem.material)
      for (int d = 0; d < mesh.dim; ++d) region[d] = Expression(0.0);
    NodalOperator dg(problem, test_device());
    const double found = largest_eigenvalue(dg, random),
                 bound = dg.stiffness(0).reaction * diffusion_limit(problem.scheme, order) / decay_limit(problem.scheme);
    EXPECT_LT(found, bound) << shape_name(shape) << (moved ? " moved" : "");
    // The step is made for the worst cell of the mesh and the worst shape of cells of its metric.
    EXPECT_GT(found, 0.3 * bound) << shape_name(shape) << (moved ? " moved" : "");
  }
}

TEST(ViscousTerms, RefuseWhatDoesNotGoWithThem) {
  Random random(5);
  const Mesh mesh = unit_box(Shape::triangle, {2, 2}, false);
  Problem incident = viscous_problem(mesh, {Shape::triangle, 2}, random);
  incident.boundary[0].kind = BoundarySpec::Kind::incident;
  EXPECT_THROW(NodalOperator(incident, test_device()), InputError);
}

TEST(ViscousPage, NeedsItsDiffusivity) {
  const std::string page = R"(/* model
name   half
dimensions  2
fields scalar u
linear yes
*/
FUNCTION void flux(const real *q, const real *m, const real *n, real *f) { f[u] = n[0] * q[u]; }
FUNCTION real speed(const real *q, const real *m, const real *n) { return fabs(n[0]); }
FUNCTION void viscous_flux(const real *q, const real *dq, const real *m, const real *n, real *f) { f[u] = n[0] * dq[0]; }
)";
  EXPECT_THROW(parse_model(page, "half.h", 2), InputError);
}

// The other backends compile the same kernel source for teams of threads.
class ViscousElsewhere : public testing::TestWithParam<std::string> {};

TEST_P(ViscousElsewhere, IsTheDenseOperator) {
  const auto device = open_device(GetParam());
  const Setting some[] = {{Shape::triangle, 2}, {Shape::quadrilateral, 2}, {Shape::tetrahedron, 1, Precision::single_}, {Shape::hexahedron, 1}};
  for (const Setting& s : some) {
    if (s.precision == Precision::double_ && !device->info().doubles) continue;
    Random random(7);
    expect_dense(sheared_box(s.shape, random), s, random, *device, GetParam());
    if (s.shape != Shape::tetrahedron) expect_dense(curved_box(s), s, random, *device, GetParam() + " curved");
  }
}

std::vector<std::string> other_devices() {
  keep_cache_beside_program();
  std::vector<std::string> names;
  for (const DeviceChoice& choice : list_devices())
    if (choice.usable && choice.name != "cpu") names.push_back(choice.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Devices, ViscousElsewhere, testing::ValuesIn(other_devices()), [](const auto& given) {
  std::string name = given.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
});
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ViscousElsewhere);
INSTANTIATE_TEST_SUITE_P(Linear, Viscous, testing::ValuesIn(settings()), [](const auto& given) { return setting_name(given.param); });
INSTANTIATE_TEST_SUITE_P(Shapes, ViscousSteps,
                         testing::Values(std::pair{Shape::line, 4}, std::pair{Shape::triangle, 1}, std::pair{Shape::triangle, 3},
                                         std::pair{Shape::quadrilateral, 2}, std::pair{Shape::tetrahedron, 1},
                                         std::pair{Shape::tetrahedron, 3}, std::pair{Shape::hexahedron, 2},
                                         std::pair{Shape::prism, 2}, std::pair{Shape::pyramid, 1}),
                         [](const auto& given) {
                           return std::string(shape_name(given.param.first)) + "_" + std::to_string(given.param.second);
                         });

}  // namespace
}  // namespace swell
