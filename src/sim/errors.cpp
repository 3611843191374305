// SPDX-License-Identifier: Apache-2.0
#include "sim/errors.hpp"

#include <algorithm>
#include <cmath>

#include "base/exact_sum.hpp"
#include "dg/group_data.hpp"

namespace swell {

ErrorNorms measure_errors(const Operator& dg, const Buffer& state, const std::vector<Expression>& exact,
                          const std::vector<char>& known, double t) {
  return measure_errors(
      *dg.problem().mesh, dg.elements(), [&](const auto& visit) { dg.states().read_state(state, visit); }, exact, known, t,
      *dg.problem().ranks);
}

namespace {

// The rule of a shape, and what it needs of the cells.
struct CellRule {
  CellRule(const Mesh& mesh, const ReferenceElement& element, int degree)
      : rule(cubature(element.shape, degree)),
        interpolation(element.interpolation(rule.points)),
        map(mesh, element.shape, rule.points) {}
  Cubature rule;
  Matrix interpolation;
  CellMap map;
};

}  // namespace

ErrorNorms measure_errors(const Mesh& mesh, const Elements& elements, const CellReader& read,
                          const std::vector<Expression>& exact, const std::vector<char>& known, double t,
                          Ranks& ranks, const Expression* where, const PointConversion& convert) {
  std::map<Shape, CellRule> rules;
  // Four degrees more than the square of the unknown: the exact answer is no polynomial.
  for (const auto& [shape, element] : elements.all()) rules.emplace(shape, CellRule(mesh, element, 2 * element.order + 4));
  const int fields = static_cast<int>(exact.size()), dim = mesh.dim;  // as many as variables
  ErrorNorms norms{std::vector<double>(fields, 0.0),
                   std::vector<double>(fields, 0.0),
                   std::vector<double>(fields, 0.0),
                   std::vector<double>(fields, 0.0),
                   0,
                   0};
  std::vector<ExactSum> l1(fields), l2(fields), size(fields);
  std::vector<double> of_cell(3);
  std::vector<double> x, jacobians, scaled(dim * dim);
  read([&](std::int64_t cell, const double* values) {
    const auto& [rule, interpolation, map] = rules.at(elements.of_cell(cell).shape);
    const int points = map.point_count();
    x.resize(points * dim);
    jacobians.resize(points * dim * dim);
    Matrix at = interpolation * Eigen::Map<const Matrix>(values, interpolation.cols(), fields);
    map.coordinates(cell, x.data());
    if (convert) at = convert(cell, x.data(), at);
    map.jacobians(cell, jacobians.data());
    for (int f = 0; f < fields; ++f) {
      if (!known[f]) continue;
      std::fill(of_cell.begin(), of_cell.end(), 0.0);
      for (int p = 0; p < points; ++p) {
        const double weight = rule.weights(p) * cofactors(dim, jacobians.data() + p * dim * dim, scaled.data());
        double place[4] = {0, 0, 0, t};
        for (int d = 0; d < dim; ++d) place[d] = x[p * dim + d];
        if (where && (*where)(place) == 0) continue;
        const double expected = exact[f](place), error = std::abs(at(p, f) - expected);
        of_cell[0] += weight * error;
        of_cell[1] += weight * error * error;
        of_cell[2] += weight * expected * expected;
        norms.linf[f] = error <= norms.linf[f] ? norms.linf[f] : error;  // keeps what is not a number
      }
      l1[f].add(of_cell[0]);
      l2[f].add(of_cell[1]);
      size[f].add(of_cell[2]);
    }
  });
  ranks.largest(norms.linf);
  const auto total = [&](ExactSum& sum) {
    ranks.sum(sum.digits());
    return sum.value();
  };
  for (int f = 0; f < fields; ++f) {
    norms.l1[f] = total(l1[f]);
    norms.l2[f] = total(l2[f]);
    norms.size[f] = total(size[f]);
    norms.total_l2 += norms.l2[f];
    norms.total_size += norms.size[f];
    norms.l2[f] = std::sqrt(norms.l2[f]);
    norms.size[f] = std::sqrt(norms.size[f]);
  }
  norms.total_l2 = std::sqrt(norms.total_l2);
  norms.total_size = std::sqrt(norms.total_size);
  return norms;
}

double mean_value(const Mesh& mesh, const Elements& elements, const std::function<const double*(std::int64_t)>& values, Ranks& ranks) {
  std::map<Shape, CellRule> rules;
  for (const auto& [shape, element] : elements.all()) rules.emplace(shape, CellRule(mesh, element, 2 * element.order));
  const int dim = mesh.dim;
  std::vector<double> jacobians, scaled(dim * dim);
  ExactSum integral, measure;
  for (std::int64_t cell = 0; cell < mesh.own_count(); ++cell) {
    const auto& [rule, interpolation, map] = rules.at(mesh.shape_of(cell));
    const int points = map.point_count();
    jacobians.resize(points * dim * dim);
    map.jacobians(cell, jacobians.data());
    const Vector at = interpolation * Eigen::Map<const Vector>(values(cell), interpolation.cols());
    for (int p = 0; p < points; ++p) {
      const double weight = rule.weights(p) * cofactors(dim, jacobians.data() + p * dim * dim, scaled.data());
      integral.add(weight * at(p));
      measure.add(weight);
    }
  }
  ranks.sum(integral.digits());
  ranks.sum(measure.digits());
  return integral.value() / measure.value();
}

}  // namespace swell
