// SPDX-License-Identifier: Apache-2.0
#include "sim/cell_projection.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace swell {

namespace {

constexpr double converged = 1e-15;     // of the norm of the moments
constexpr int most_iterations = 100;    // of a mass matrix whose condition is the spread of one cell's Jacobian
constexpr double integrated = 1e-6;     // of the largest value times the size of the cell
constexpr int deepest_plane = 6, deepest_space = 3;  // halvings of a cell that a jump crosses

// The halves of a simplex by the middles of its edges, corner + corner each (Bey 1995), and of a square or cube by its corners; those of
// a prism are those of its triangle, below and above. A pyramid has no halves of its own shape: its moments are those of the rule.
constexpr int triangle_children[4][3][2] = {{{0, 0}, {0, 1}, {0, 2}}, {{0, 1}, {1, 1}, {1, 2}}, {{0, 2}, {1, 2}, {2, 2}}, {{1, 2}, {0, 2}, {0, 1}}};
constexpr int tetrahedron_children[8][4][2] = {
    {{0, 0}, {0, 1}, {0, 2}, {0, 3}}, {{0, 1}, {1, 1}, {1, 2}, {1, 3}}, {{0, 2}, {1, 2}, {2, 2}, {2, 3}}, {{0, 3}, {1, 3}, {2, 3}, {3, 3}},
    {{0, 1}, {0, 2}, {0, 3}, {1, 3}}, {{0, 1}, {0, 2}, {1, 2}, {1, 3}}, {{0, 2}, {0, 3}, {1, 3}, {2, 3}}, {{0, 2}, {1, 2}, {1, 3}, {2, 3}}};

Matrix points_in(const Matrix& corner, const Matrix& points) {
  Matrix inside(points.rows(), points.cols());
  for (Eigen::Index p = 0; p < points.rows(); ++p) {
    inside.row(p) = corner.row(0);
    for (Eigen::Index d = 0; d < points.cols(); ++d) inside.row(p) += (points(p, d) + 1) / 2 * corner.row(1 + d);
  }
  return inside;
}

Matrix whole_element(int dim) {
  Matrix corner = Matrix::Zero(1 + dim, dim);
  corner.row(0).setConstant(-1);
  for (int d = 0; d < dim; ++d) corner(1 + d, d) = 2;
  return corner;
}

std::vector<double> determinants(const CellMap& map, std::int64_t cell, int dim) {
  std::vector<double> jacobians(static_cast<std::size_t>(map.point_count() * dim * dim)), all;
  map.jacobians(cell, jacobians.data());
  for (int p = 0; p < map.point_count(); ++p)
    all.push_back(std::abs(Eigen::Map<const Matrix>(jacobians.data() + p * dim * dim, dim, dim).determinant()));
  return all;
}

}  // namespace

bool may_jump(const Expression& expression) {
  const std::string text = expression.c_text();
  return std::ranges::any_of(std::initializer_list<const char*>{"?", "ex_step", "ex_sign", "ex_floor"},
                             [&](const char* word) { return text.find(word) != std::string::npos; });
}

CellProjection::CellProjection(const Mesh& mesh, const ReferenceElement& element, int fields, bool jumps)
    : mesh_(mesh),
      element_(element),
      fields_(fields),
      jumps_(jumps && element.shape != Shape::pyramid),
      rule_(cubature(element.shape, 2 * element.order + 2)),
      values_(element.interpolation(rule_.points)),
      map_(mesh, element.shape, rule_.points),
      inverse_mass_(element.vandermonde * element.vandermonde.transpose()) {
  if (!jumps_) return;
  const Part whole{whole_element(element.dim), 1};
  for (int c = 0; c < children(); ++c) to_child_.push_back(element.interpolation(points_in(child(whole, c).corner, element.nodes)));
}

CellProjection::Part CellProjection::child(const Part& of, int which) const {
  const int dim = element_.dim;
  Part part{of.corner, of.measure / children()};
  if (element_.shape == Shape::prism) {
    const auto vertex = [&](int v) -> Matrix { return v == 0 ? Matrix(of.corner.row(0)) : Matrix(of.corner.row(0) + of.corner.row(v)); };
    const auto middle = [&](int v) -> Matrix {
      const int* ends = triangle_children[which % 4][v];
      return (vertex(ends[0]) + vertex(ends[1])) / 2;
    };
    part.corner.row(3) /= 2;
    part.corner.row(0) = middle(0) + (which >= 4 ? 1 : 0) * part.corner.row(3);
    for (int d = 0; d < 2; ++d) part.corner.row(1 + d) = middle(1 + d) - middle(0);
    return part;
  }
  if (is_simplex(element_.shape)) {
    const auto vertex = [&](int v) -> Matrix { return v == 0 ? Matrix(of.corner.row(0)) : Matrix(of.corner.row(0) + of.corner.row(v)); };
    const auto middle = [&](int v) -> Matrix {
      const int* ends = dim == 2 ? triangle_children[which][v] : tetrahedron_children[which][v];
      return (vertex(ends[0]) + vertex(ends[1])) / 2;
    };
    part.corner.row(0) = middle(0);
    for (int d = 0; d < dim; ++d) part.corner.row(1 + d) = middle(1 + d) - middle(0);
    return part;
  }
  for (int d = 0; d < dim; ++d) {
    part.corner.row(1 + d) /= 2;
    if (which >> d & 1) part.corner.row(0) += part.corner.row(1 + d);
  }
  return part;
}

const CellMap& CellProjection::map_in(const Part& part, std::uint64_t path) const {
  if (path == 1) return map_;
  const std::lock_guard lock(maps_change_);
  auto& map = maps_[path];
  if (!map) map = std::make_unique<CellMap>(mesh_, element_.shape, points_in(part.corner, rule_.points));
  return *map;
}

Matrix CellProjection::moments_of(std::int64_t cell, const Matrix& at_points) const {
  const auto sizes = determinants(map_, cell, element_.dim);
  Matrix weighted = at_points;
  for (Eigen::Index p = 0; p < weighted.rows(); ++p) weighted.row(p) *= rule_.weights(p) * sizes[static_cast<std::size_t>(p)];
  return values_.transpose() * weighted;
}

// With the test functions of the part, as if it were the element.
Matrix CellProjection::moments_in(std::int64_t cell, const Values& values, const Part& part, std::uint64_t path) const {
  const CellMap& map = map_in(part, path);
  const int points = map.point_count();
  std::vector<double> x(static_cast<std::size_t>(points * element_.dim));
  map.coordinates(cell, x.data());
  const auto sizes = determinants(map, cell, element_.dim);
  Matrix at_points(points, fields_);
  values(cell, x.data(), points, at_points.data());
  for (int p = 0; p < points; ++p) at_points.row(p) *= part.measure * rule_.weights(p) * sizes[static_cast<std::size_t>(p)];
  return values_.transpose() * at_points;
}

// Test functions of the element are combinations of those of a part: phi_i = sum_j phi_i(node j of the part) phi_j of the part.
Matrix CellProjection::refined(std::int64_t cell, const Values& values, const Part& part, std::uint64_t path, const Matrix& whole, int depth,
                               double enough) const {
  if (depth == (element_.dim == 2 ? deepest_plane : deepest_space)) return whole;
  std::vector<Matrix> of_children;
  Matrix sum = Matrix::Zero(whole.rows(), whole.cols());
  for (int c = 0; c < children(); ++c) {
    of_children.push_back(moments_in(cell, values, child(part, c), path * 8 + static_cast<std::uint64_t>(c)));
    sum += to_child_[c].transpose() * of_children.back();
  }
  if ((sum - whole).cwiseAbs().maxCoeff() <= enough) return sum;
  sum.setZero();
  for (int c = 0; c < children(); ++c)
    sum += to_child_[c].transpose() *
           refined(cell, values, child(part, c), path * 8 + static_cast<std::uint64_t>(c), of_children[c], depth + 1, enough);
  return sum;
}

Matrix CellProjection::moments(std::int64_t cell, const Values& values) const {
  const Part all{whole_element(element_.dim), 1};
  double largest = 0;
  const Values seen = [&](std::int64_t of, const double* x, int points, double* to) {
    values(of, x, points, to);
    for (int i = 0; i < points * fields_; ++i) largest = std::max(largest, std::abs(to[i]));
  };
  const Matrix whole = moments_in(cell, seen, all, 1);
  if (!jumps_) return whole;
  double size = 0;
  const auto sizes = determinants(map_, cell, element_.dim);
  for (Eigen::Index p = 0; p < rule_.weights.size(); ++p) size += rule_.weights(p) * sizes[static_cast<std::size_t>(p)];
  return refined(cell, values, all, 1, whole, 0, integrated * largest * size);
}

// Where the map is affine the mass matrix is that of the reference element; else conjugate gradients with that one.
Matrix CellProjection::solved(std::int64_t cell, const Matrix& moments) const {
  const auto sizes = determinants(map_, cell, element_.dim);
  if (is_affine(mesh_, cell)) return inverse_mass_ * moments / sizes.front();
  Vector weight(rule_.weights.size());
  for (Eigen::Index p = 0; p < weight.size(); ++p) weight(p) = rule_.weights(p) * sizes[static_cast<std::size_t>(p)];
  Matrix answer(moments.rows(), moments.cols());
  for (Eigen::Index f = 0; f < moments.cols(); ++f) {
    Vector x = Vector::Zero(moments.rows()), r = moments.col(f), z = inverse_mass_ * r, p = z;
    double rz = r.dot(z);
    const double least = converged * converged * rz;
    for (int i = 0; i < most_iterations && rz > least; ++i) {
      const Vector q = values_.transpose() * (weight.asDiagonal() * (values_ * p));
      const double alpha = rz / p.dot(q);
      x += alpha * p;
      r -= alpha * q;
      z = inverse_mass_ * r;
      const double next = r.dot(z);
      p = z + next / rz * p;
      rz = next;
    }
    answer.col(f) = x;
  }
  return answer;
}

}  // namespace swell
