// SPDX-License-Identifier: Apache-2.0
// Level sets: transport is what triple products say, and both it and reinitialisation keep what they must.
#include <cmath>

#include "base/error.hpp"
#include "dg/levelset/levelset.hpp"
#include "element/triple.hpp"
#include "mesh/geometry.hpp"
#include "mesh/sources.hpp"
#include "support.hpp"

namespace swell {
namespace {

const std::vector<std::string> variables{"x", "y", "z", "t"};

// A box with a level set in it, and a state.
struct Scene {
  Scene(Shape shape, int cells, int order, double thickness, const std::vector<std::string>& velocity, bool periodic)
      : mesh(box(shape, cells, periodic)) {
    LevelSetProblem problem;
    problem.mesh = &mesh;
    problem.order = order;
    problem.thickness = thickness;
    problem.closed.assign(mesh.boundaries.size() + 1, 0);
    problem.velocity.resize(mesh.regions.size());
    for (auto& region : problem.velocity)
      for (int d = 0; d < mesh.dim; ++d) region.push_back(Expression::parse(velocity[d], variables, "velocity"));
    levelset = std::make_unique<LevelSet>(problem, test_device());
    for (auto* state : {&q, &next, &residual}) *state = levelset->make_state("state");
  }

  static Mesh box(Shape shape, int cells, bool periodic) {
    BoxOptions options;
    options.low.assign(dimension(shape), 0.0);
    options.high.assign(dimension(shape), 1.0);
    options.cells.assign(dimension(shape), cells);
    options.periodic.assign(dimension(shape), periodic);
    options.shape = shape;
    return make_box(options);
  }

  template <class Function>
  void project(Function f) {
    const Cubature rule = cubature(mesh.shape(), 3 * levelset->problem().order + 6);
    const Matrix values = modes(mesh.shape(), levelset->problem().order, rule.points);
    const CellMap map(mesh, rule.points);
    std::vector<double> x(rule.points.size());
    levelset->write_modes(*q, [&](std::int64_t cell, double* out) {
      map.coordinates(cell, x.data());
      Vector weighted(rule.points.rows());
      for (Eigen::Index p = 0; p < weighted.size(); ++p) weighted[p] = rule.weights[p] * f(&x[p * mesh.dim]);
      Eigen::Map<Vector>(out, values.cols()) = values.transpose() * weighted;
    });
  }

  std::vector<Vector> read(const Buffer& state) const {
    std::vector<Vector> all(mesh.cell_count());
    levelset->read_modes(state, [&](std::int64_t cell, const double* own) {
      all[cell] = Eigen::Map<const Vector>(own, levelset->modes());
    });
    return all;
  }

  double volume(std::int64_t cell) const {
    Matrix jacobian(mesh.dim, mesh.dim);
    CellMap(mesh, Matrix::Zero(1, mesh.dim)).jacobians(cell, jacobian.data());
    return jacobian.determinant();
  }

  double mass() const {
    double sum = 0;
    const auto all = read(*q);
    for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell)
      sum += volume(cell) * all[cell][0] * std::sqrt(reference_measure(mesh.shape()));
    return sum;
  }

  template <class Function>
  double error(Function f) {
    const Cubature rule = cubature(mesh.shape(), 3 * levelset->problem().order + 6);
    const Matrix values = modes(mesh.shape(), levelset->problem().order, rule.points);
    const CellMap map(mesh, rule.points);
    std::vector<double> x(rule.points.size());
    double sum = 0;
    const auto all = read(*q);
    for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
      map.coordinates(cell, x.data());
      const Vector found = values * all[cell];
      for (Eigen::Index p = 0; p < found.size(); ++p)
        sum += volume(cell) * rule.weights[p] * std::pow(found[p] - f(&x[p * mesh.dim]), 2);
    }
    return std::sqrt(sum);
  }

  void euler(double t, double dt) {
    levelset->transport(t, *q, *next, LevelSet::Update::low_storage(*residual, 0, 1, dt));
    std::swap(q, next);
  }

  Mesh mesh;
  std::unique_ptr<LevelSet> levelset;
  std::unique_ptr<Buffer> q, next, residual;
};

// One direction, a polynomial velocity that is positive: the neighbour upwind is known, and every integral is a triple
// product of modes that the host projects itself.
TEST(LevelSetTransport, IsWhatTripleProductsGive) {
  for (const Shape shape : {Shape::quadrilateral, Shape::hexahedron}) {
    const int order = 2, dim = dimension(shape);
    Scene scene(shape, 3, order, 0.1, {"1 + 0.5*x + 0.25*x*y", "0", "0"}, false);
    scene.project([](const double* x) { return std::sin(3 * x[0] + 2 * x[1]); });
    scene.levelset->transport(0, *scene.q, *scene.next, {});
    const auto g = scene.read(*scene.q), rate = scene.read(*scene.next);

    const TripleDegrees degrees{order, order, order};
    const TripleProducts volume = volume_triples(shape, degrees, {Factor::test, 0});
    const TripleProducts leaving = face_triples(shape, degrees, 1);
    const TripleProducts entering = face_triples(shape, degrees, 0, Across{1, 0, true, true});
    const Cubature rule = cubature(shape, 3 * order);
    const Matrix values = modes(shape, order, rule.points);
    const CellMap map(scene.mesh, rule.points);
    std::vector<double> x(rule.points.size());
    const double slope = 2 * 3;  // dr/dx of three cells on the unit length
    const auto speed = [&](std::int64_t cell) {
      map.coordinates(cell, x.data());
      Vector weighted(rule.points.rows());
      for (Eigen::Index p = 0; p < weighted.size(); ++p)
        weighted[p] = rule.weights[p] * slope * (1 + 0.5 * x[p * dim] + 0.25 * x[p * dim] * x[p * dim + 1]);
      return Vector(values.transpose() * weighted);
    };
    const auto add = [](const TripleProducts& t, const Vector& u, const Vector& state, double sign, Vector& sum) {
      for (const auto& e : t.entries) sum[e.test] += sign * e.value * u[e.coefficient] * state[e.solution];
    };
    int compared = 0;
    for (std::int64_t cell = 0; cell < scene.mesh.cell_count(); ++cell) {
      const Neighbour& left = scene.mesh.neighbour(cell, 0);
      if (left.cell < 0) continue;
      Vector expected = Vector::Zero(scene.levelset->modes());
      add(volume, speed(cell), g[cell], 1, expected);
      add(leaving, speed(cell), g[cell], -1, expected);
      add(entering, speed(left.cell), g[left.cell], 1, expected);
      EXPECT_LT((rate[cell] - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
      ++compared;
    }
    EXPECT_GT(compared, 0);
  }
}

TEST(LevelSetTransport, LeavesAConstantAloneInAFlowWithoutDivergence) {
  for (const Shape shape : {Shape::quadrilateral, Shape::triangle}) {
    Scene scene(shape, 6, 4, 0.1, {"-sin(pi*x)^2*sin(2*pi*y)*cos(t)", "sin(pi*y)^2*sin(2*pi*x)*cos(t)"}, false);
    scene.project([](const double*) { return 0.7; });
    scene.levelset->transport(0.3, *scene.q, *scene.next, {});
    for (const Vector& rate : scene.read(*scene.next)) EXPECT_LT(rate.cwiseAbs().maxCoeff(), 1e-7);
  }
}

TEST(LevelSetTransport, TakesAFieldThatIsNoProductWithTimeAtEachTime) {
  Scene scene(Shape::quadrilateral, 3, 2, 0.1, {"1 + x*t", "0"}, true);
  scene.project([](const double* x) { return std::sin(2 * M_PI * x[1]); });
  Scene constant(Shape::quadrilateral, 3, 2, 0.1, {"1 + x*2", "0"}, true);
  constant.project([](const double* x) { return std::sin(2 * M_PI * x[1]); });
  scene.levelset->transport(0, *scene.q, *scene.next, {});
  scene.levelset->transport(2, *scene.q, *scene.next, {});
  constant.levelset->transport(0, *constant.q, *constant.next, {});
  const auto found = scene.read(*scene.next), expected = constant.read(*constant.next);
  for (std::size_t cell = 0; cell < found.size(); ++cell) EXPECT_LT((found[cell] - expected[cell]).norm(), 1e-12);
  EXPECT_GT(expected[0].norm(), 0.1);
}

double round_profile(const double* x, double thickness, double radius = 0.25) {
  return 1 / (1 + std::exp((std::hypot(x[0] - 0.5, x[1] - 0.5) - radius) / thickness));
}

// An arc whose centre, where a round profile has a kink, lies outside of the box.
TEST(LevelSetReinitialisation, LeavesTheProfileAloneToTheOrderOfTheSpace) {
  const double thickness = 0.1;
  for (const auto& [shape, order] : {std::pair{Shape::quadrilateral, 1},
                                     {Shape::quadrilateral, 2},
                                     {Shape::quadrilateral, 3},
                                     {Shape::quadrilateral, 4},
                                     {Shape::triangle, 1},
                                     {Shape::triangle, 2},
                                     {Shape::triangle, 3}}) {
    double last = 0;
    for (const int cells : {8, 16}) {
      Scene scene(shape, cells, order, thickness, {"1", "0"}, false);
      const auto profile = [&](const double* x) {
        return 1 / (1 + std::exp((std::hypot(x[0] + 0.3, x[1] + 0.3) - 1) / thickness));
      };
      scene.project(profile);
      for (int i = 0; i < 2; ++i) scene.levelset->reinitialise(*scene.q, 1);
      const double error = scene.error(profile);
      if (last > 0) {
        EXPECT_GT(std::log2(last / error), order + 1 - 0.25) << shape_name(shape) << " of order " << order;
      }
      last = error;
    }
  }
}

// The integral pi R^2 + pi^3 eps^2 / 3 stays, so that the radius grows a little.
TEST(LevelSetReinitialisation, BringsAThickProfileBack) {
  const double thickness = 0.04;
  for (const auto which : {LevelSet::Restore::both, LevelSet::Restore::thick}) {
    Scene scene(Shape::quadrilateral, 16, 3, thickness, {"1", "0"}, true);
    scene.project([&](const double* x) { return round_profile(x, 1.5 * thickness); });
    const double radius = std::sqrt(0.0625 + M_PI * M_PI / 3 * (1.5 * 1.5 - 1) * thickness * thickness);
    const auto profile = [&](const double* x) { return round_profile(x, thickness, radius); };
    const double before = scene.error(profile);
    for (int i = 0; i < 16; ++i) scene.levelset->reinitialise(*scene.q, 1, which);
    EXPECT_LT(scene.error(profile), (which == LevelSet::Restore::both ? 0.2 : 0.25) * before);
  }
}

TEST(LevelSetReinitialisation, LeavesAThinProfileAloneWhereItIsToRestoreThickOnes) {
  const double thickness = 0.06;
  const auto thin = [&](const double* x) { return round_profile(x, 0.7 * thickness); };
  for (const auto which : {LevelSet::Restore::both, LevelSet::Restore::thick}) {
    Scene scene(Shape::quadrilateral, 16, 4, thickness, {"1", "0"}, true);
    scene.project(thin);
    const double before = scene.error(thin);
    for (int i = 0; i < 3; ++i) scene.levelset->reinitialise(*scene.q, 1, which);
    if (which == LevelSet::Restore::both)
      EXPECT_GT(scene.error(thin), 100 * before);
    else
      EXPECT_LT(scene.error(thin), 2 * before);
  }
}

// A strip that is half as wide as the profile is thick, cut by the mesh at an angle: with normals that turn round inside elements
// nothing must be moved, or the strip would fall to drops.
TEST(LevelSetReinitialisation, LeavesAThreadAloneThatIsThinnerThanAnElement) {
  const double thickness = 0.1;
  const auto strip = [](const double* x) {
    const double d = (x[0] + 0.4 * x[1] - 0.7) / 0.04;
    return 0.9 * std::exp(-d * d);
  };
  Scene scene(Shape::quadrilateral, 6, 4, thickness, {"1", "0"}, false);
  scene.project(strip);
  const auto before = scene.read(*scene.q);
  for (int i = 0; i < 5; ++i) scene.levelset->reinitialise(*scene.q, 1, LevelSet::Restore::thick);
  double change = 0, size = 0;
  const auto after = scene.read(*scene.q);
  for (std::size_t cell = 0; cell < after.size(); ++cell)
    change += (after[cell] - before[cell]).squaredNorm(), size += before[cell].squaredNorm();
  EXPECT_LT(std::sqrt(change / size), 0.1);
}

// Far outside of [0, 1] there is no compression, so that the right-hand side is linear: the diffusion along one direction.
TEST(LevelSetReinitialisation, KnowsTheFastestDecay) {
  for (const auto& [shape, orders] : {std::pair{Shape::quadrilateral, std::vector{1, 3}},
                                      {Shape::triangle, std::vector{1, 2, 3, 5}},
                                      {Shape::tetrahedron, std::vector{1, 2, 3}}}) {
    for (const int order : orders) {
      Scene scene(shape, 4, order, 1.0, {"1", "0", "0"}, false);
      double fastest = 0;
      for (const double across : {0.0, 1.0, -1.0}) {
        scene.project([&](const double* x) { return 10 * (x[0] + across * x[1]); });
        scene.levelset->take_normals(*scene.q, LevelSet::Restore::both);
        unsigned number = 1;
        scene.levelset->write_modes(*scene.q, [&](std::int64_t, double* out) {
          for (int m = 0; m < scene.levelset->modes(); ++m)
            out[m] = 1e9 * ((number = number * 1664525 + 1013904223) / 4294967296.0 - 0.5);
        });
        double norm = 0;
        for (int i = 0; i < 60; ++i) {
          scene.levelset->profile(*scene.q, *scene.next, {});
          const auto rate = scene.read(*scene.next);
          const auto own = scene.read(*scene.q);
          double square = 0, last = 0;
          for (std::size_t cell = 0; cell < rate.size(); ++cell)
            square += rate[cell].squaredNorm(), last += own[cell].squaredNorm();
          norm = std::sqrt(square / last);
          scene.levelset->write_modes(*scene.q, [&](std::int64_t cell, double* out) {
            Eigen::Map<Vector>(out, rate[cell].size()) = rate[cell] / norm;
          });
        }
        fastest = std::max(fastest, norm);
      }
      EXPECT_LT(fastest, 1.03 * scene.levelset->fastest_decay()) << shape_name(shape) << " of order " << order;
      EXPECT_GT(fastest, 0.3 * scene.levelset->fastest_decay()) << shape_name(shape) << " of order " << order;
    }
  }
}

// On squares and on triangles that halve them, of a side of 1 / 8.
double stages_of_triangles_over_squares(int order, double thickness) {
  const Scene triangles(Shape::triangle, 8, order, thickness, {"1", "0"}, true);
  const Scene quadrilaterals(Shape::quadrilateral, 8, order, thickness, {"1", "0"}, true);
  const double length = 4;
  return static_cast<double>(triangles.levelset->reinitialisation_steps(length)) /
         static_cast<double>(quadrilaterals.levelset->reinitialisation_steps(length));
}

TEST(LevelSetReinitialisation, TakesNoMoreStagesOnTrianglesThanOnQuadrilateralsUpToOrderFour) {
  const double half_a_cell = 1.0 / 16;
  for (const int order : {1, 2, 3, 4}) EXPECT_LE(stages_of_triangles_over_squares(order, half_a_cell), 1) << order;
}

// docs/levelset.md: where diffusion limits the step, the gradients of triangles are larger.
TEST(LevelSetReinitialisation, TakesLittleMoreOnTrianglesAtHigherOrdersAndInThickerProfiles) {
  const double cell = 1.0 / 8;
  for (const int order : {5, 6, 7, 8}) EXPECT_LE(stages_of_triangles_over_squares(order, cell / 2), 1.6) << order;
  for (const int order : {3, 4, 5}) EXPECT_LE(stages_of_triangles_over_squares(order, cell), 1.8) << order;
  for (const int order : {2, 3}) EXPECT_LE(stages_of_triangles_over_squares(order, 2 * cell), 2) << order;
}

TEST(LevelSet, KeepsItsIntegralOverAHundredCyclesOfTransportAndReinitialisation) {
  const double thickness = 0.06;
  for (const Shape shape : {Shape::quadrilateral, Shape::triangle}) {
    Scene scene(shape, 8, 2, thickness, {"1 + 0.5*sin(2*pi*y)", "0.5 + 0.5*cos(2*pi*x)"}, true);
    scene.project([&](const double* x) { return round_profile(x, thickness); });
    const double before = scene.mass();
    for (int cycle = 0; cycle < 100; ++cycle) {
      for (int step = 0; step < 4; ++step) scene.euler(0, 5e-4);
      scene.levelset->reinitialise(*scene.q, 0.25);
    }
    EXPECT_NEAR(scene.mass() / before, 1, 1e-12) << shape_name(shape);
    EXPECT_GT(scene.error([&](const double* x) { return round_profile(x, thickness); }), 1e-3);
  }
}

TEST(LevelSet, MeasuresItsMassItsThicknessAndItsEnergy) {
  const double thickness = 0.04;
  Scene scene(Shape::quadrilateral, 16, 4, thickness, {"1", "0"}, true);
  scene.project([&](const double* x) { return round_profile(x, thickness); });
  const std::int64_t slots = scene.levelset->slots();
  const auto out = test_device().allocate(LevelSet::measures * slots * sizeof(double), "measures");
  scene.levelset->measure(*scene.q, *out);
  std::vector<double> all(LevelSet::measures * slots);
  out->read(all.data(), all.size() * sizeof(double));
  std::array<double, LevelSet::measures> sum{};
  for (int kind = 0; kind < LevelSet::measures; ++kind)
    for (std::int64_t slot = 0; slot < slots; ++slot) sum[kind] += all[kind * slots + slot];
  EXPECT_NEAR(sum[LevelSet::mass], scene.mass(), 1e-14);
  // The mass of a round profile of radius R: pi R^2 + pi^3 eps^2 / 3, but for a remainder in the middle.
  EXPECT_NEAR(sum[LevelSet::mass], M_PI * 0.0625 + std::pow(M_PI, 3) * thickness * thickness / 3, 3e-4);
  EXPECT_NEAR(sum[LevelSet::spread] / sum[LevelSet::surface], thickness, 1e-4);
  EXPECT_NEAR(sum[LevelSet::surface], M_PI * 0.5, 1e-2);
  EXPECT_NEAR(sum[LevelSet::energy], 0.5 * (sum[LevelSet::mass] - sum[LevelSet::spread]), 1e-14);
}

TEST(LevelSet, RefusesCellsThatAreNotAffine) {
  DiscOptions disc;
  disc.shape = Shape::quadrilateral;
  const Mesh mesh = make_disc(disc);
  LevelSetProblem problem;
  problem.mesh = &mesh;
  problem.thickness = 0.1;
  problem.closed.assign(mesh.boundaries.size() + 1, 0);
  problem.velocity.assign(mesh.regions.size(), {Expression(1.0), Expression(0.0)});
  EXPECT_THROW(LevelSet(problem, test_device()), InputError);
}

}  // namespace
}  // namespace swell
