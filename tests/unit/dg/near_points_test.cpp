// SPDX-License-Identifier: Apache-2.0
// ADER near point sources: the series of their signals, and a step in which all elements are near.
#include "dg/near_points.hpp"

#include <cmath>

#include "problems.hpp"

namespace swell {
namespace {

// With one material and no boundary data; the signal is 1 + 2 t - 3 t^2.
Problem problem_with_a_point(const Mesh& mesh, Family family, int order, bool near) {
  Random random(3);
  Problem problem = random_problem(mesh, {"acoustics", 2}, order, random);
  problem.family = family;
  problem.scheme = "ader";
  problem.material = {{Expression(1.3), Expression(0.8)}};
  problem.source.clear();
  PointSourceSpec point;
  point.cell = 5;
  point.reference = {-0.4, -0.3, 0};
  const CellMap map(mesh, Matrix{{-0.4, -0.3}});
  map.coordinates(point.cell, point.position.data());
  point.balance = {0.7, 0.2, -0.4};
  point.rate = {0.1, -0.3, 0.5};
  point.signal = Expression::parse("1 + 2*t - 3*t^2", {"t"}, "test");
  problem.points = {point};
  problem.near_points.assign(mesh.cell_count(), near);
  problem.near_points[point.cell] = 1;
  return problem;
}

TEST(NearPoints, FindDerivativesAndMeansOfSignals) {
  const Mesh mesh = unit_box(Shape::triangle, {3, 3}, true);
  const Problem problem = problem_with_a_point(mesh, Family::modal, 5, true);
  const auto dg = make_operator(problem, test_device());
  const NearPoints points(problem, dg->layout());
  const int times = series_times(5);
  const auto applied = [&](int row, const std::function<double(double)>& signal) {
    double sum = 0;
    for (int i = 0; i < times; ++i) sum += points.series[row * times + i] * signal(points.series[i]);
    return sum;
  };
  const auto signal = [](double t) { return 2 - t + 3 * t * t - 0.5 * t * t * t; };
  for (const auto& [k, value] : {std::pair{0, 2.0}, {1, -1.0}, {2, 6.0}, {3, -3.0}, {4, 0.0}})
    EXPECT_NEAR(applied(NearPoints::derivative_row(k), signal), value, 1e-10) << k;
  EXPECT_NEAR(applied(points.mean_row(), signal), 2 - 0.5 + 1 - 0.125, 1e-13);
}

class NearStep : public testing::TestWithParam<std::tuple<Family, Shape, int>> {};

State sum_of(const State& a, double factor, const State& b) {
  State out = a;
  for (std::size_t cell = 0; cell < out.size(); ++cell) out[cell] += factor * b[cell];
  return out;
}

// q' = A q + s w: where the predictor leaves no face out, a step is the Taylor series of q up to dt^(p+1), w taken from the rate of
// a stage.
TEST_P(NearStep, OfAllElementsIsTheTaylorSeriesOfTheRightHandSide) {
  const auto [family, shape, order] = GetParam();
  const Mesh mesh = unit_box(shape, {3, 3}, true);
  const auto dg = make_operator(problem_with_a_point(mesh, family, order, true), test_device());
  Random random(7);
  const State start = random_state(*dg, random);
  State none = start;
  for (Matrix& cell : none) cell.setZero();
  const State w = rate_of(*dg, none, 0);  // the signal is 1 there
  const double t = 0.4, dt = 1e-2 / order, derivatives[] = {1 + 2 * t - 3 * t * t, 2 - 6 * t, -6};
  State expected = start, term = start;
  double factor = 1;
  for (int k = 0; k <= order; ++k) {
    State next = sum_of(rate_of(*dg, term, 0), -1, w);  // A alone
    if (k < 3) next = sum_of(next, derivatives[k], w);
    term = next;
    factor *= dt / (k + 1);
    expected = sum_of(expected, factor, term);
  }
  auto q = dg->make_state("q");
  write(*dg, *q, start);
  dg->predictor()->advance(q, t, dt, {});
  EXPECT_LT(distance(read(*dg, *q), expected), 1e-11 * largest(expected));
  EXPECT_GT(distance(start, expected), 1e-4);
}

// Also where its own element alone is near.
TEST_P(NearStep, PutsInTheIntegralOfTheSignal) {
  const auto [family, shape, order] = GetParam();
  const Mesh mesh = unit_box(shape, {3, 3}, true);
  const auto dg = make_operator(problem_with_a_point(mesh, family, order, false), test_device());
  auto q = dg->make_state("q");
  Random random(7);
  State none = random_state(*dg, random);
  for (Matrix& cell : none) cell.setZero();
  const State w = rate_of(*dg, none, 0);
  write(*dg, *q, none);
  const double t = 0.4, dt = 1e-2;
  dg->predictor()->advance(q, t, dt, {});
  const auto primitive = [](double s) { return s + s * s - s * s * s; };
  // The flux moves nothing into or out of a periodic mesh: the lowest modes of all elements, which have one size.
  const auto total = [&](const State& state) {
    double sum = 0;
    const Matrix to_modes = dg->element().vandermonde.inverse();
    for (const Matrix& cell : state) sum += to_modes.row(0) * cell.col(0);
    return sum;
  };
  EXPECT_NEAR(total(read(*dg, *q)), (primitive(t + dt) - primitive(t)) * total(w), 1e-13);
  EXPECT_GT(std::abs(total(w)), 0.1);
}

INSTANTIATE_TEST_SUITE_P(Families, NearStep,
                         testing::Combine(testing::Values(Family::nodal, Family::modal),
                                          testing::Values(Shape::triangle, Shape::quadrilateral),
                                          testing::Values(3, 4)),
                         [](const auto& given) {
                           return std::string(std::get<0>(given.param) == Family::modal ? "modal" : "nodal") + "_" +
                                  std::string(shape_name(std::get<1>(given.param))) +
                                  std::to_string(std::get<2>(given.param));
                         });

}  // namespace
}  // namespace swell
