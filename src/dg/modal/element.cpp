// SPDX-License-Identifier: Apache-2.0
#include "dg/modal/element.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "element/dense.hpp"
#include "element/lattice.hpp"
#include "time/stability.hpp"

namespace swell {

namespace {

constexpr int highest_node_degree = 12;  // that nodes(Shape::triangle, ...) has
constexpr double rounding = 1e-9;

// My face point x as the neighbour counts it: its vertex orientation(o)[i] lies on my vertex i.
Matrix turned(Shape face, int o, const Matrix& points) {
  const Matrix corners = swell::lattice(face, 1);
  const auto to = orientation(face, o);
  Matrix out(points.rows(), points.cols());
  for (Eigen::Index p = 0; p < points.rows(); ++p) {
    out.row(p) = corners.row(to[0]);
    for (Eigen::Index d = 0; d < points.cols(); ++d) {
      const double along = (points(p, d) + 1) / 2;
      // The vertex one step along axis d is number 1 << d on tensor shapes, d + 1 on simplices: both 1, 2 here.
      out.row(p) += along * (corners.row(to[d + 1]) - corners.row(to[0]));
    }
  }
  return out;
}

std::vector<int> matched(const Matrix& mine, const Matrix& theirs) {
  std::vector<int> partner(mine.rows(), -1);
  for (Eigen::Index i = 0; i < mine.rows(); ++i)
    for (Eigen::Index j = 0; j < theirs.rows(); ++j)
      if ((mine.row(i) - theirs.row(j)).norm() < rounding) partner[i] = static_cast<int>(j);
  if (std::find(partner.begin(), partner.end(), -1) != partner.end())
    throw std::logic_error("points of a face are not symmetric");
  return partner;
}

Matrix columns(const Matrix& from, const std::vector<int>& order) {
  Matrix out(from.rows(), from.cols());
  for (std::size_t j = 0; j < order.size(); ++j) out.col(j) = from.col(order[j]);
  return out;
}

}  // namespace

ModalElement::ModalElement(Shape shape_in, int order_in, int coefficient, bool varies)
    : shape(shape_in),
      order(order_in),
      dim(dimension(shape)),
      count(mode_count(shape, order)),
      faces(face_count(shape)),
      coefficient_order(coefficient),
      coefficient_count(mode_count(shape, coefficient)),
      varying(varies) {
  const auto indices = lattice_indices(shape, order);
  const auto total = [&](int mode) { return indices[mode][0] + indices[mode][1] + indices[mode][2]; };
  lattice.resize(count);
  std::iota(lattice.begin(), lattice.end(), 0);
  std::stable_sort(lattice.begin(), lattice.end(), [&](int a, int b) { return total(a) < total(b); });
  for (const int mode : lattice) degree.push_back(total(mode));

  for (int d = 0; d < dim; ++d) {
    const Matrix all = mode_derivative(shape, order, d);
    derivative[d].resize(count, count);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) derivative[d](i, j) = all(lattice[i], lattice[j]);
  }

  const Shape side = face_shape(shape);
  signed_values = !varying && side != Shape::triangle;
  Matrix to_values, from_values;  // between modes of the face and its values
  const Cubature gauss = cubature(side, 2 * order + (varying ? coefficient : 2));
  if (signed_values) {
    values = mode_count(side, order);
    to_values = from_values = Matrix::Identity(values, values);
  } else if (side == Shape::triangle) {
    const int nodal = varying ? std::min(order + coefficient, highest_node_degree) : order;
    const Matrix points = nodes(side, nodal);
    values = static_cast<int>(points.rows());
    to_values = modes(side, order, points);
    // The polynomial through all values, projected to the degree of the trace.
    const Cubature exact = cubature(side, order + nodal);
    from_values = modes(side, order, exact.points).transpose() * exact.weights.asDiagonal() *
                  modes(side, nodal, exact.points) * inverse(modes(side, nodal, points));
    face_points = points;
  } else {
    values = static_cast<int>(gauss.points.rows());
    to_values = modes(side, order, gauss.points);
    from_values = to_values.transpose() * gauss.weights.asDiagonal();
    face_points = gauss.points;
  }
  for (int f = 0; f < faces; ++f) {
    const Matrix modes_of_face = columns(trace_matrix(shape, order, f), lattice);
    trace.push_back(to_values * modes_of_face);
    lift.push_back(modes_of_face.transpose() * from_values);
  }
  if (signed_values) {
    face_points = gauss.points;
    to_points = modes(side, order, face_points);
    from_points = to_points.transpose() * gauss.weights.asDiagonal();
  } else {
    to_points = from_points = Matrix::Identity(values, values);
  }
  for (int o = 0; o < orientation_count(side); ++o) {
    partner.emplace_back();
    sign.emplace_back(values, 1);
    if (!signed_values) {
      partner.back() = matched(turned(side, o, face_points), face_points);
      continue;
    }
    const Matrix turn = orientation_matrix(side, order, o);
    for (int i = 0; i < values; ++i) {
      Eigen::Index j = 0;
      turn.row(i).cwiseAbs().maxCoeff(&j);
      partner.back().push_back(static_cast<int>(j));
      sign.back()[i] = turn(i, j) > 0 ? 1 : -1;
      if (std::abs(std::abs(turn(i, j)) - 1) > rounding) throw std::logic_error("modes of a face do not map one to one");
    }
  }

  // Expressions are no polynomials: two degrees more than the product of coefficient and solutions has.
  rule = cubature(shape, 2 * order + std::max(coefficient, 2));
  at_rule = evaluate(rule.points);
  coefficient_at_rule = modes(shape, coefficient, rule.points);
}

int ModalElement::mode_count_of(int total_degree) const {
  return static_cast<int>(std::upper_bound(degree.begin(), degree.end(), total_degree) - degree.begin());
}

std::vector<int> ModalElement::remembered() const {
  const int limit = ader_memory(order).degree;
  const std::vector<LatticeIndex> degrees = lattice_indices(shape, order);
  std::vector<int> all;
  for (int mode = 0; mode < count; ++mode) {
    const LatticeIndex& d = degrees[lattice[mode]];
    if ((is_simplex(shape) ? degree[mode] : *std::max_element(d.begin(), d.end())) <= limit) all.push_back(mode);
  }
  return all;
}

Matrix ModalElement::evaluate(const Matrix& points) const { return columns(modes(shape, order, points), lattice); }

TripleProducts ModalElement::renumbered(const TripleProducts& from) const {
  std::vector<int> number(count);
  for (int i = 0; i < count; ++i) number[lattice[i]] = i;
  TripleProducts out = from;
  for (auto& e : out.entries) e.test = number[e.test], e.solution = number[e.solution];
  std::sort(out.entries.begin(), out.entries.end(), [](const auto& a, const auto& b) {
    return std::array{a.test, a.coefficient, a.solution} < std::array{b.test, b.coefficient, b.solution};
  });
  out.row_start.assign(out.test_count + 1, 0);
  for (const auto& e : out.entries) ++out.row_start[e.test + 1];
  std::partial_sum(out.row_start.begin(), out.row_start.end(), out.row_start.begin());
  return out;
}

}  // namespace swell
