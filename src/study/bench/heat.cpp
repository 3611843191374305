// SPDX-License-Identifier: Apache-2.0
#include "study/bench/heat.hpp"

#include <algorithm>
#include <limits>

#include "base/timer.hpp"
#include "cg/grid/grid.hpp"
#include "cg/operator.hpp"
#include "dg/diffusion/operator.hpp"
#include "mesh/sources.hpp"

namespace swell {

namespace {

constexpr std::int64_t timed_iterations = 40;  // fewer than the 50 between two new residuals
constexpr int rounds = 4;
// A tolerance that is never reached, so that a timed solve takes all its iterations.
constexpr double unreachable = 1e-300;

// Far more iterations than the sqrt(cond(A)) / 2 ln(2 / tolerance), at most about 3000 here, that conjugate gradients take
// (Shewchuk 1994, 10.2).
constexpr std::int64_t most_iterations = 10000;

// 0 where rounding keeps the residual above the tolerance: an iteration is timed all the same.
std::int64_t count_iterations(Pcg& solver, const Buffer& b, Buffer& x, double tolerance) {
  try {
    return solver.solve(b, x, {tolerance, most_iterations}).iterations;
  } catch (const NotConverged&) {
    return 0;
  }
}

// The best time of many iterations less the best time of one: whatever else the machine does only adds to each of them.
double seconds_of_iteration(Pcg& solver, Device& device, const Buffer& b, Buffer& x) {
  double best[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (int round = 0; round < rounds; ++round) {
    for (const bool more : {false, true}) {
      x.fill_zero();
      device.queue().finish();
      const Stopwatch clock;
      try {
        solver.solve(b, x, {unreachable, more ? timed_iterations : 1});
      } catch (const NotConverged&) {
        device.queue().finish();
      }
      best[more] = std::min(best[more], clock.seconds());
    }
  }
  return (best[1] - best[0]) / (timed_iterations - 1);
}

}  // namespace

// Rounding of A x leaves a residual of about u |A| |x| <= u cond(A) |b|, u = 2^-24 in single precision. On a cube of N^3
// vertices cond(A) = 12 N^2 / (3 pi^2): the eigenvalues of the stencil go from 3 pi^2 to 12 N^2. With order p the largest one
// grows with p^4, by the inverse inequality |grad u| <= c p^2 / h |u| (Schwab 1998).
double bench_heat_tolerance(Precision precision, std::int64_t cells, int order) {
  constexpr double usual = 1e-8, usual_single = 1e-5, roundoff = 0x1p-24, pi = 3.14159265358979323846;
  if (precision == Precision::double_) return usual;
  const double along = static_cast<double>(cells) * order * order;
  return std::max(usual_single, roundoff * 4 * along * along / (pi * pi));
}

HeatBench bench_fixed_grid(Device& device, Precision precision, std::int64_t cells, std::optional<double> tolerance) {
  Vectors vectors(device, precision);
  GridProblem problem;
  problem.cells = {cells, cells, cells};
  problem.fixed = 63;
  problem.mass = false;
  GridOperator of(problem, 0, 1, vectors);
  const double volume = 1.0 / static_cast<double>(cells * cells * cells);
  std::vector<double> right(of.length(), 0.0);
  for (std::int64_t k = 1; k < cells; ++k)
    for (std::int64_t j = 1; j < cells; ++j)
      for (std::int64_t i = 1; i < cells; ++i) right[of.place(i, j, k)] = volume;
  const auto b = vectors.upload(right, "right-hand side"), x = vectors.make(of.length(), "solution");
  Pcg solver(vectors, of);
  solver.precondition(of.inverse_diagonal());
  solver.fuse(&of);
  HeatBench result{"fixed grid", cells, of.vertices()};
  result.tolerance = tolerance.value_or(bench_heat_tolerance(precision, cells, 1));
  result.iterations = count_iterations(solver, *b, *x, result.tolerance);
  result.seconds = seconds_of_iteration(solver, device, *b, *x);
  // Traffic: r, p read, p written; then p, x, r read, x and r written.
  result.bytes = 8.0 * static_cast<double>(of.vertices()) * static_cast<double>(bytes_of(precision));
  return result;
}

namespace {

// The Poisson problem of the benchmarks, f = 1 with zero Dirichlet values, on a cube.
DiffusionProblem bench_problem(const Mesh& mesh, Precision precision, const ElementBench& asked) {
  DiffusionProblem problem;
  problem.mesh = &mesh;
  problem.precision = precision;
  problem.order = asked.order;
  problem.form = asked.form;
  problem.material.resize(mesh.regions.size());
  problem.boundary.resize(mesh.boundaries.size() + 1, {DiffusionBoundary::Kind::value, Expression(0.0), Expression(0.0)});
  problem.source = Expression(1.0);
  return problem;
}

}  // namespace

HeatBench bench_elements(Device& device, Precision precision, const ElementBench& asked) {
  const std::int64_t cells = asked.cells;
  Vectors vectors(device, precision);
  const Mesh mesh = make_box({{0, 0, 0}, {1, 1, 1}, {cells, cells, cells}, asked.shape, {}});
  ContinuousOperator of(bench_problem(mesh, precision, asked), vectors, true);
  ScaledOperator matrix(of, 0, 1);
  const auto b = vectors.make(of.length(), "right-hand side"), x = vectors.make(of.length(), "solution"),
             d = vectors.make(of.length(), "inverse diagonal");
  of.load(0, *b);
  of.inverse_diagonal(0, 1, *d);
  Pcg solver(vectors, matrix);
  solver.precondition(*d);
  HeatBench result{asked.form == DiffusionForm::vertices ? "vertices" : "elements", cells, of.length()};
  result.element = shape_name(asked.shape);
  result.order = asked.order;
  result.tolerance = bench_heat_tolerance(precision, cells, asked.order);
  result.iterations = count_iterations(solver, *b, *x, result.tolerance);
  result.seconds = seconds_of_iteration(solver, device, *b, *x);
  // Traffic: d, r, p read, p written; then p, q, x, r, d read, x and r written; p and q again where their product is a pass.
  const double words = of.dots().sums ? 11 : 13, unknowns = static_cast<double>(of.size());
  result.bytes = of.apply_work().bytes + words * unknowns * static_cast<double>(bytes_of(precision));
  result.flops = of.apply_work().flops + 12 * unknowns;
  return result;
}

HeatBench bench_discontinuous(Device& device, Precision precision, const ElementBench& asked) {
  const std::int64_t cells = asked.cells;
  Vectors vectors(device, precision);
  const Mesh mesh = make_box({{0, 0, 0}, {1, 1, 1}, {cells, cells, cells}, asked.shape, {}});
  DiffusionOperator of(bench_problem(mesh, precision, asked), vectors);
  const auto b = vectors.make(of.length(), "right-hand side"), x = vectors.make(of.length(), "solution"),
             d = vectors.make(of.length(), "inverse diagonal");
  of.load(*b);
  of.inverse_diagonal(*d);
  Pcg solver(vectors, of);
  solver.precondition(*d);
  HeatBench result{"discontinuous", cells, of.size()};
  result.element = shape_name(asked.shape);
  result.order = asked.order;
  result.seconds = seconds_of_iteration(solver, device, *b, *x);
  // Traffic as with elements, p . A p being a pass of its own.
  result.bytes = of.apply_bytes() + 13.0 * static_cast<double>(of.size()) * static_cast<double>(bytes_of(precision));
  return result;
}

}  // namespace swell
