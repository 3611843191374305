// SPDX-License-Identifier: Apache-2.0
// Jacobi polynomials, Gauss rules and cubature of element/basis.hpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "element/basis.hpp"
#include "element/dense.hpp"
#include "element/jacobi.hpp"
#include "element/prism.hpp"
#include "element/pyramid.hpp"

namespace swell {

double jacobi(double x, double alpha, double beta, int n) { return scaled_jacobi<double>(x, 1.0, alpha, beta, n)[n]; }

// d/dx P_n^(a,b) = sqrt(n (n+a+b+1)) P_(n-1)^(a+1,b+1) for orthonormal polynomials.
double jacobi_derivative(double x, double alpha, double beta, int n) {
  if (n == 0) return 0.0;
  return std::sqrt(n * (n + alpha + beta + 1.0)) * jacobi(x, alpha + 1.0, beta + 1.0, n - 1);
}

// Golub and Welsch (1969): eigenvalues of the recurrence's tridiagonal matrix, then two Newton steps so that the points
// are right to the last digits; weights are 1 / sum_k p_k(x)^2 over the orthonormal polynomials of lower degree.
Cubature gauss_jacobi(double alpha, double beta, int count) {
  if (count < 1) throw std::logic_error("A Gauss rule has at least one point.");
  Vector diagonal(count), off(std::max(count - 1, 1));
  for (int n = 0; n < count; ++n) diagonal[n] = jacobi_centre(alpha, beta, n);
  for (int n = 1; n < count; ++n) off[n - 1] = jacobi_coupling(alpha, beta, n);
  const Vector guesses = tridiagonal_eigenvalues(diagonal, off.head(count - 1));

  Cubature rule{Matrix(count, 1), Vector(count)};
  for (int i = 0; i < count; ++i) {
    double x = guesses[i];
    for (int step = 0; step < 2; ++step) x -= jacobi(x, alpha, beta, count) / jacobi_derivative(x, alpha, beta, count);
    rule.points(i, 0) = x;
  }
  if (alpha == beta) {
    const Matrix mirrored = -rule.points.colwise().reverse();
    rule.points = 0.5 * (rule.points + mirrored);
  }
  for (int i = 0; i < count; ++i) {
    double sum = 0.0;
    for (const double p : scaled_jacobi<double>(rule.points(i, 0), 1.0, alpha, beta, count - 1)) sum += p * p;
    rule.weights[i] = 1.0 / sum;
  }
  return rule;
}

// Interior points are the roots of P'_n, that is of P_(n-1)^(1,1); weights 2 / (n (n+1) L_n(x)^2) with L_n(1) = 1.
Cubature gauss_lobatto(int order) {
  if (order < 1) throw std::logic_error("A Gauss-Lobatto rule has at least two points.");
  Cubature rule{Matrix(order + 1, 1), Vector(order + 1)};
  rule.points(0, 0) = -1.0;
  rule.points(order, 0) = 1.0;
  if (order > 1) rule.points.middleRows(1, order - 1) = gauss_jacobi(1.0, 1.0, order - 1).points;
  for (int i = 0; i <= order; ++i) {
    const double p = jacobi(rule.points(i, 0), 0.0, 0.0, order);  // = L_n sqrt((2n+1)/2)
    rule.weights[i] = (2.0 * order + 1.0) / (order * (order + 1.0) * p * p);
  }
  return rule;
}

namespace {

// Collapsed coordinates (Duffy 1982): r = (1+a)(1-b)(1-c)/4 - 1, s = (1+b)(1-c)/2 - 1, t = c, with the Jacobian
// ((1-b)/2) ((1-c)/2)^2 carried by the Gauss-Jacobi weights of b and c.
Cubature collapsed(int dim, int count) {
  std::array<Cubature, 3> rule;
  for (int d = 0; d < dim; ++d) {
    rule[d] = gauss_jacobi(d, 0.0, count);
    rule[d].weights /= std::ldexp(1.0, d);
  }
  const int total = dim == 2 ? count * count : count * count * count;
  Cubature result{Matrix(total, dim), Vector(total)};
  for (int q = 0; q < total; ++q) {
    const int i = q % count, j = q / count % count, k = q / (count * count);
    const double a = rule[0].points(i, 0), b = rule[1].points(j, 0), c = dim == 3 ? rule[2].points(k, 0) : -1.0;
    result.points(q, 0) = 0.25 * (1.0 + a) * (1.0 - b) * (1.0 - c) - 1.0;
    result.points(q, 1) = 0.5 * (1.0 + b) * (1.0 - c) - 1.0;
    if (dim == 3) result.points(q, 2) = c;
    result.weights[q] = rule[0].weights[i] * rule[1].weights[j] * (dim == 3 ? rule[2].weights[k] : 1.0);
  }
  return result;
}

}  // namespace

Cubature cubature(Shape shape, int degree) {
  if (degree < 0) throw std::logic_error("A cubature is exact to a degree that is not negative.");
  const int count = degree / 2 + 1;  // a Gauss rule with n points is exact to degree 2n - 1
  const int dim = dimension(shape);
  if (dim == 0) return {Matrix(1, 0), Vector::Ones(1)};
  const Cubature line = gauss_jacobi(0.0, 0.0, count);
  if (dim == 1) return line;
  if (is_simplex(shape)) return collapsed(dim, count);
  if (shape == Shape::prism) return prism_cubature(collapsed(2, count), line);
  if (shape == Shape::pyramid) return pyramid_cubature(count, count);
  const int total = dim == 2 ? count * count : count * count * count;
  Cubature result{Matrix(total, dim), Vector::Ones(total)};
  for (int q = 0; q < total; ++q)
    for (int d = 0, rest = q; d < dim; ++d, rest /= count) {
      result.points(q, d) = line.points(rest % count, 0);
      result.weights[q] *= line.weights[rest % count];
    }
  return result;
}

}  // namespace swell
