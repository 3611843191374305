// SPDX-License-Identifier: Apache-2.0
// Local time stepping: steps of two clusters against the formula of the scheme, written with the right-hand sides of the whole mesh;
// what leaves one element enters another; noise does not grow.
#include <cmath>

#include "problems.hpp"
#include "time/clusters.hpp"
#include "time/stability.hpp"

namespace swell {
namespace {

struct LocalCase {
  Family family;
  Shape shape;
  int order;
  bool varying = false;  // material inside elements
};

std::string words(const LocalCase& of) {
  return std::string(of.family == Family::modal ? "modal" : "nodal") + "_" + std::string(shape_name(of.shape)) + std::to_string(of.order) +
         (of.varying ? "_varying" : "");
}

void PrintTo(const LocalCase& of, std::ostream* out) { *out << words(of); }

// Acoustics on a sheared periodic box, with a material for each cell or one that varies.
class LocalSteps : public testing::TestWithParam<LocalCase> {
 protected:
  LocalSteps() : mesh_(unit_box(GetParam().shape, std::vector<std::int64_t>(dimension(GetParam().shape), dimension(GetParam().shape) == 3 ? 3 : 5), true)) {
    shear(mesh_);
    if (!GetParam().varying) region_per_cell(mesh_);
  }

  Problem problem() const {
    Random random(2);
    Problem problem = random_problem(mesh_, {"acoustics", mesh_.dim}, GetParam().order, random);
    problem.family = GetParam().family;
    problem.scheme = "ader";
    problem.source.clear();
    problem.points.clear();
    if (GetParam().varying) problem.material = {{parse("1.2 + 0.3*sin(x)"), parse("0.9 + 0.2*cos(y)")}};
    problem.coefficient_order = 1;
    return problem;
  }

  // Clusters 0 .. last by the distance from a cell.
  std::vector<std::uint8_t> clusters_around(std::int64_t middle, int last) const {
    std::vector<std::uint8_t> of_cell(mesh_.cell_count(), static_cast<std::uint8_t>(last));
    of_cell[middle] = 0;
    for (int pass = 0; pass < last; ++pass) {
      const auto before = of_cell;
      for (std::int64_t cell = 0; cell < mesh_.cell_count(); ++cell)
        for (int f = 0; f < face_count(mesh_.shape()); ++f)
          of_cell[cell] = std::min<std::uint8_t>(of_cell[cell], before[mesh_.neighbour(cell, f).cell] + 1);
    }
    return of_cell;
  }

  Mesh mesh_;
};

State sum_of(const State& a, double factor, const State& b) {
  State out = a;
  for (std::size_t cell = 0; cell < out.size(); ++cell) out[cell] += factor * b[cell];
  return out;
}

// In cells of that cluster those of a, elsewhere those of b.
State chosen(const std::vector<std::uint8_t>& of_cell, int cluster, const State& a, const State& b) {
  State out = b;
  for (std::size_t cell = 0; cell < out.size(); ++cell)
    if (of_cell[cell] == cluster) out[cell] = a[cell];
  return out;
}

State zero_like(State state) {
  for (Matrix& cell : state) cell.setZero();
  return state;
}

// The integral over dt of each element's own Taylor series.
State integral(Operator& dg, const State& q, double dt) {
  auto buffer = dg.make_state("term"), out = dg.make_state("rate");
  State term = q, sum = zero_like(q);
  double factor = dt;
  for (int k = 0; k <= dg.problem().order; ++k) {
    sum = sum_of(sum, factor, term);
    write(dg, *buffer, term);
    dg.predictor()->local_rate(0, *buffer, *out);
    term = read(dg, *out);
    factor *= dt / (k + 2);
  }
  return sum;
}

TEST_P(LocalSteps, OfTwoClustersFollowTheFormula) {
  const auto whole = make_operator(problem(), test_device());
  Problem clustered = problem();
  clustered.cluster = clusters_around(3, 1);
  clustered.clusters = 2;
  const auto& of_cell = clustered.cluster;
  const auto dg = make_operator(clustered, test_device());
  Random random(9);
  const State q0 = random_state(*whole, random);
  const double dt = 1e-2 / GetParam().order;  // of the finer cluster
  // Neighbours see the integral over the shorter step of the two.
  const State coarse = integral(*whole, q0, 2 * dt), coarse_first = integral(*whole, q0, dt), coarse_last = sum_of(coarse, -1, coarse_first);
  const State q1 = sum_of(q0, 1, rate_of(*whole, coarse_first));  // of the finer cluster alone
  const State fine_last = integral(*whole, q1, dt);
  const State q2 = sum_of(q1, 1, rate_of(*whole, chosen(of_cell, 0, fine_last, coarse_last)));
  const State both = chosen(of_cell, 0, sum_of(coarse_first, 1, fine_last), coarse);
  const State expected = chosen(of_cell, 0, q2, sum_of(q0, 1, rate_of(*whole, both)));

  ClusterPredictor* steps = dg->predictor()->by_clusters();
  ASSERT_NE(steps, nullptr);
  ASSERT_EQ(steps->clusters(), 2);
  auto q = dg->make_state("q");
  write(*dg, *q, q0);
  steps->predict(1, 0, *q, 0, 2 * dt, {});
  steps->predict(0, 0, *q, 0, dt, {});
  steps->correct(0, *q, 0, dt);
  steps->predict(0, 1, *q, dt, dt, {});
  steps->correct(0, *q, dt, dt);
  steps->correct(1, *q, 0, 2 * dt);
  EXPECT_LT(distance(read(*dg, *q), expected), 1e-12 * largest(expected));
  EXPECT_GT(distance(q0, expected), 1e-4);
}

// A rate at one time sees the other clusters as they are then.
TEST_P(LocalSteps, LeaveTheRateAsItIs) {
  const auto whole = make_operator(problem(), test_device());
  Problem clustered = problem();
  clustered.cluster = clusters_around(1, 2);
  clustered.clusters = 3;
  const auto dg = make_operator(clustered, test_device());
  Random random(4);
  const State q = random_state(*whole, random);
  const State expected = rate_of(*whole, q);
  EXPECT_LT(distance(rate_of(*dg, q), expected), 1e-12 * largest(expected));
}

// Castro, Behrens and Pelties (2013), eq. (31), of one cell or of the worst.
double ader_step(const Operator& dg, double crossing) {
  return ader_fraction(dg.element().shape, dg.problem().order) / (crossing * (2 * dg.problem().order + 1));
}

// Sums over a periodic box of cells of one size, over a thousand steps.
TEST_P(LocalSteps, MoveNothingOutOfAPeriodicBox) {
  Problem clustered = problem();
  clustered.material.assign(mesh_.regions.size(), {Expression(1.0), Expression(1.0)});
  clustered.cluster = clusters_around(2, 2);
  clustered.clusters = 3;
  const auto dg = make_operator(clustered, test_device());
  const auto scheme = make_integrator("ader", *dg);
  Random random(6);
  State start = random_state(*dg, random);
  for (Matrix& cell : start) cell.array() += 1.5;
  write(*dg, scheme->state(), start);
  const Matrix to_modes = dg->element().vandermonde.inverse();
  const auto total = [&](const State& state) {
    Vector sum = Vector::Zero(state.front().cols());
    for (const Matrix& cell : state) sum += (to_modes.row(0) * cell).transpose();
    return sum;
  };
  const Vector before = total(start);
  const double energy = dg->observer().energy(scheme->state(), 0), dt = ader_step(*dg, dg->stiffness(0).crossing);
  for (int step = 0; step < 1000; ++step) scheme->step(step * dt, dt);
  EXPECT_LT((total(read(*dg, scheme->state())) - before).cwiseAbs().maxCoeff(), 1e-13 * before.cwiseAbs().maxCoeff());
  EXPECT_LT(dg->observer().energy(scheme->state(), 0), energy);
}

struct Graded {
  Family family;
  Shape shape;
  int order;
  double ratio;
};

void PrintTo(const Graded& of, std::ostream* out) { *out << words({of.family, of.shape, of.order}) << "_graded" << of.ratio; }

class LocalNoise : public testing::TestWithParam<Graded> {};

// Each cell at the largest step that it may take, from noise, which holds every mode.
TEST_P(LocalNoise, NeverGrows) {
  const auto [family, shape, order, ratio] = GetParam();
  const std::size_t dim = dimension(shape);
  const Mesh mesh = make_box({.low = std::vector<double>(dim, 0.0),
                              .high = std::vector<double>(dim, 1.0),
                              .cells = std::vector<std::int64_t>(dim, dim == 2 ? 10 : 5),
                              .shape = shape,
                              .periodic = std::vector<bool>(dim, true),
                              .grade = std::vector<double>(dim, ratio)});
  Random random(2);
  Problem problem = random_problem(mesh, {"acoustics", mesh.dim}, order, random);
  problem.family = family;
  problem.scheme = "ader";
  problem.material = {{Expression(1.0), Expression(1.0)}};
  problem.source.clear();
  problem.points.clear();
  std::vector<Stiffness> of_cells;
  const auto whole = make_operator(problem, test_device());
  whole->stiffness_of_shapes(0, &of_cells);
  CellGraph beside;
  std::vector<double> stable;
  for (std::int64_t cell = 0; cell < mesh.cell_count(); ++cell) {
    beside.first.push_back(static_cast<std::int64_t>(beside.neighbour.size()));
    for (int f = 0; f < face_count(shape); ++f) beside.neighbour.push_back(mesh.neighbour(cell, f).cell);
    stable.push_back(ader_step(*whole, of_cells[cell].crossing));
  }
  beside.first.push_back(static_cast<std::int64_t>(beside.neighbour.size()));
  const Clusters clusters = find_clusters(stable, beside, {});
  EXPECT_GE(clusters.count(), 2);
  problem.cluster = clusters.of_cell;
  problem.clusters = clusters.count();
  const auto dg = make_operator(problem, test_device());
  const auto scheme = make_integrator("ader", *dg);
  write(*dg, scheme->state(), random_state(*dg, random));
  double before = dg->observer().energy(scheme->state(), 0);
  constexpr int quarter = 100;
  for (int part = 0; part < 4; ++part) {
    for (int step = 0; step < quarter; ++step) scheme->step(0, clusters.longest());
    const double after = dg->observer().energy(scheme->state(), 0);
    EXPECT_LT(after, before * (1 + 1e-12)) << part;
    before = after;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LocalNoise,
                         testing::Values(Graded{Family::modal, Shape::triangle, 3, 16}, Graded{Family::nodal, Shape::quadrilateral, 3, 16},
                                         Graded{Family::nodal, Shape::tetrahedron, 1, 8}),
                         [](const auto& given) {
                           return words({given.param.family, given.param.shape, given.param.order}) + "_graded" +
                                  std::to_string(static_cast<int>(given.param.ratio));
                         });

INSTANTIATE_TEST_SUITE_P(All, LocalSteps,
                         testing::Values(LocalCase{Family::modal, Shape::triangle, 3}, LocalCase{Family::nodal, Shape::quadrilateral, 3},
                                         LocalCase{Family::nodal, Shape::tetrahedron, 1}, LocalCase{Family::modal, Shape::hexahedron, 1},
                                         LocalCase{Family::modal, Shape::triangle, 2, true}),
                         [](const auto& given) { return words(given.param); });

}  // namespace
}  // namespace swell
