// SPDX-License-Identifier: Apache-2.0
#include "element/triple_values.hpp"

#include <numbers>
#include <stdexcept>

#include "element/mode_values.hpp"

namespace swell {

namespace {

struct LongRule {
  std::vector<long double> points, weights;
};

// Gauss-Legendre by Newton's method from Chebyshev's points; weights 1 / sum_k p_k(x)^2 as in element/quadrature.cpp.
LongRule long_gauss(int degree) {
  const int count = degree / 2 + 1;
  LongRule rule;
  for (int i = 0; i < count; ++i) {
    long double x = -std::cos(std::numbers::pi_v<long double> * (i + 0.75L) / (count + 0.5L));
    for (int step = 0; step < 8; ++step) {
      const std::vector<JetOf<long double>> p =
          scaled_jacobi(JetOf<long double>(x, 0), JetOf<long double>(1.0L), 0, 0, count);
      x -= p[count].value / p[count].gradient[0];
    }
    long double sum = 0.0L;
    for (const long double p : scaled_jacobi<long double>(x, 1.0L, 0, 0, count - 1)) sum += p * p;
    rule.points.push_back(x);
    rule.weights.push_back(1.0L / sum);
  }
  return rule;
}

bool of_lines(Shape shape) { return !is_simplex(shape) || dimension(shape) <= 1; }

// Legendre polynomials (or, in direction `differentiated`, their derivatives) at the points: function x point.
LongMatrix legendre(int order, const LongRule& rule, bool differentiated) {
  LongMatrix values(order + 1, rule.points.size());
  for (std::size_t q = 0; q < rule.points.size(); ++q) {
    const auto p = scaled_jacobi(JetOf<long double>(rule.points[q], 0), JetOf<long double>(1.0L), 0, 0, order);
    for (int i = 0; i <= order; ++i) values(i, q) = differentiated ? p[i].gradient[0] : p[i].value;
  }
  return values;
}

// Functions of one collapsed coordinate, numbered (s, k) in lattice order of a triangle: ((1-x)/2)^s p_k^(2s+axis,0)(x)
// with 2^(s+axis/2), so that their products are the modes (element/mode_values.hpp).
LongMatrix collapsed_functions(int order, int axis, const LongRule& rule) {
  LongMatrix values(lattice_count(Shape::triangle, order), rule.points.size());
  for (std::size_t q = 0; q < rule.points.size(); ++q)
    for (int s = 0; s <= order; ++s) {
      const long double x = rule.points[q];
      const long double power = std::exp2(s + 0.5L * axis) * std::pow(0.5L * (1.0L - x), static_cast<long double>(s));
      const auto p = scaled_jacobi<long double>(x, 1.0L, 2 * s + axis, 0, order - s);
      for (int k = 0; s + k <= order; ++k) values(lattice_number(Shape::triangle, order, {s, k, 0}), q) = power * p[k];
    }
  return values;
}

// Cubature with Gauss points in each (collapsed) coordinate: exact for polynomials of this degree.
struct LongCubature {
  std::vector<std::array<long double, 3>> points;
  std::vector<long double> weights;
};
LongCubature long_cubature(Shape shape, int degree) {
  const int dim = dimension(shape);
  const LongRule line = long_gauss(degree + (is_simplex(shape) ? dim - 1 : 0));
  const int count = static_cast<int>(line.points.size());
  LongCubature result;
  int total = 1;
  for (int d = 0; d < dim; ++d) total *= count;
  for (int q = 0; q < total; ++q) {
    std::array<long double, 3> at{-1.0L, -1.0L, -1.0L};
    long double weight = 1.0L;
    for (int d = 0, rest = q; d < dim; ++d, rest /= count) {
      at[d] = line.points[rest % count];
      weight *= line.weights[rest % count];
    }
    if (!of_lines(shape)) {
      const long double half_b = 0.5L * (1.0L - at[1]), half_c = dim == 3 ? 0.5L * (1.0L - at[2]) : 1.0L;
      at[0] = (1.0L + at[0]) * half_b * half_c - 1.0L;
      at[1] = (1.0L + at[1]) * half_c - 1.0L;
      weight *= half_b * half_c * half_c;
    }
    result.points.push_back(at);
    result.weights.push_back(weight);
  }
  return result;
}

// Point of the affine map of face coordinates that sends the vertices 0, 1, 2 of a face to the given corners.
std::array<long double, 3> on_face(const Matrix& corners, std::span<const int> vertices, int face_dim,
                                   const std::array<long double, 3>& at) {
  std::array<long double, 3> point{};
  for (int d = 0; d < corners.cols(); ++d) {
    point[d] = corners(vertices[0], d);
    for (int f = 0; f < face_dim; ++f)
      point[d] += 0.5L * (1.0L + at[f]) * (corners(vertices[f + 1], d) - corners(vertices[0], d));
  }
  return point;
}

// Integrals over the face of its modes times the modes of `shape` at the mapped points: face modes x modes.
LongMatrix integrals_on_face(Shape face, Shape shape, int order, std::span<const int> vertices) {
  const LongCubature rule = long_cubature(face, 2 * order);
  const Matrix corners = lattice(shape, 1);
  LongMatrix result = LongMatrix::Zero(mode_count(face, order), mode_count(shape, order));
  Eigen::Matrix<long double, Eigen::Dynamic, 1> here(result.rows()), there(result.cols());
  for (std::size_t q = 0; q < rule.points.size(); ++q) {
    all_modes(face, order, rule.points[q], [&](int mode, long double value) { here[mode] = value * rule.weights[q]; });
    all_modes(shape, order, on_face(corners, vertices, dimension(face), rule.points[q]),
              [&](int mode, long double value) { there[mode] = value; });
    result += here * there.transpose();
  }
  return result;
}

}  // namespace

TripleValues::TripleValues(Shape shape, TripleDegrees degrees, TripleDerivative derivative) : dim_(dimension(shape)) {
  if (derivative.factor != Factor::none && !of_lines(shape))
    throw std::logic_error("A derivative on a simplex is no product of functions of one coordinate.");
  const std::array<int, 3> order{degrees.test, degrees.coefficient, degrees.solution};
  const LongRule rule = long_gauss(order[0] + order[1] + order[2] + dim_ - 1);
  for (int factor = 0; factor < 3; ++factor)
    for (const LatticeIndex& index : lattice_indices(shape, order[factor])) {
      std::array<int, 3> place = index;
      if (!of_lines(shape))
        for (int axis = 1, before = index[0]; axis < dim_; before += index[axis++])
          place[axis] = lattice_number(Shape::triangle, order[factor], {before, index[axis], 0});
      place_[factor].push_back(place);
    }
  for (int axis = 0; axis < dim_; ++axis) {
    std::array<LongMatrix, 3> values;
    for (int factor = 0; factor < 3; ++factor) {
      const bool differentiated = static_cast<int>(derivative.factor) == factor + 1 && derivative.direction == axis;
      values[factor] = of_lines(shape) || axis == 0 ? legendre(order[factor], rule, differentiated)
                                                     : collapsed_functions(order[factor], axis, rule);
      size_[axis][factor] = static_cast<int>(values[factor].rows());
    }
    // The Jacobian of the collapsed coordinates is ((1-b)/2) ((1-c)/2)^2.
    Eigen::Array<long double, 1, Eigen::Dynamic> weights(rule.points.size());
    for (std::size_t q = 0; q < rule.points.size(); ++q)
      weights[q] = rule.weights[q] *
                   (of_lines(shape) ? 1.0L : std::pow(0.5L * (1.0L - rule.points[q]), static_cast<long double>(axis)));
    table_[axis].reserve(values[0].rows() * values[1].rows() * values[2].rows());
    for (Eigen::Index i = 0; i < values[0].rows(); ++i)
      for (Eigen::Index k = 0; k < values[1].rows(); ++k) {
        const Eigen::Array<long double, 1, Eigen::Dynamic> product =
            weights * values[0].row(i).array() * values[1].row(k).array();
        for (Eigen::Index j = 0; j < values[2].rows(); ++j)
          table_[axis].push_back((product * values[2].row(j).array()).sum());
      }
  }
}

LongMatrix long_trace(Shape shape, int order, int face) {
  return integrals_on_face(face_shape(shape), shape, order, face_vertices(shape, face));
}

LongMatrix long_orientation(Shape face, int order, int number) {
  return integrals_on_face(face, face, order, orientation(face, number));
}

LongMatrix long_derivative(Shape shape, int order, int direction) {
  const int count = mode_count(shape, order), dim = dimension(shape);
  LongMatrix result = LongMatrix::Zero(count, count);
  if (of_lines(shape)) {
    const TripleValues along(Shape::line, {order, 0, order}, {Factor::solution, 0});
    const std::vector<LatticeIndex> index = lattice_indices(shape, order);
    const long double one = std::sqrt(2.0L);  // 1 / (the constant mode of the line)
    for (int i = 0; i < count; ++i)
      for (int to = 0; to < index[i][direction]; ++to) {
        LatticeIndex target = index[i];
        target[direction] = to;
        result(lattice_number(shape, order, target), i) = one * along(to, 0, index[i][direction]);
      }
    return result;
  }
  const LongCubature rule = long_cubature(shape, 2 * order);
  LongMatrix values(rule.points.size(), count), slopes(rule.points.size(), count);
  for (std::size_t q = 0; q < rule.points.size(); ++q) {
    std::array<JetOf<long double>, 3> at{};
    for (int d = 0; d < dim; ++d) at[d] = JetOf<long double>(rule.points[q][d], d);
    all_modes(shape, order, at, [&](int mode, const JetOf<long double>& jet) {
      values(q, mode) = rule.weights[q] * jet.value;
      slopes(q, mode) = jet.gradient[direction];
    });
  }
  return values.transpose() * slopes;
}

}  // namespace swell
