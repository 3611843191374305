// SPDX-License-Identifier: Apache-2.0
// The three-term recurrence of orthonormal Jacobi polynomials, for numbers and for jets (values with their gradient).
#pragma once

#include <array>
#include <cmath>
#include <vector>

namespace swell {

// A value and its gradient: forward differentiation of the recurrences below.
template <class Real>
struct JetOf {
  Real value = 0.0;
  std::array<Real, 3> gradient{};

  JetOf() = default;
  JetOf(Real constant) : value(constant) {}
  JetOf(Real value_at_point, int direction) : value(value_at_point) { gradient[direction] = 1.0; }
};
using Jet = JetOf<double>;

template <class Real>
JetOf<Real> operator+(const JetOf<Real>& a, const JetOf<Real>& b) {
  JetOf<Real> c(a.value + b.value);
  for (int d = 0; d < 3; ++d) c.gradient[d] = a.gradient[d] + b.gradient[d];
  return c;
}
template <class Real>
JetOf<Real> operator-(const JetOf<Real>& a, const JetOf<Real>& b) {
  JetOf<Real> c(a.value - b.value);
  for (int d = 0; d < 3; ++d) c.gradient[d] = a.gradient[d] - b.gradient[d];
  return c;
}
template <class Real>
JetOf<Real> operator*(const JetOf<Real>& a, const JetOf<Real>& b) {
  JetOf<Real> c(a.value * b.value);
  for (int d = 0; d < 3; ++d) c.gradient[d] = a.gradient[d] * b.value + a.value * b.gradient[d];
  return c;
}

template <class Real>
JetOf<Real> operator/(const JetOf<Real>& a, const JetOf<Real>& b) {
  JetOf<Real> c(a.value / b.value);
  for (int d = 0; d < 3; ++d) c.gradient[d] = (a.gradient[d] - c.value * b.gradient[d]) / b.value;
  return c;
}

template <class Number>
Number value_of(const Number& number) {
  return number;
}
template <class Real>
Real value_of(const JetOf<Real>& jet) {
  return jet.value;
}

// The floating type behind a number or a jet: coefficients are computed in it.
template <class Number>
struct RealOf {
  using type = Number;
};
template <class Real>
struct RealOf<JetOf<Real>> {
  using type = Real;
};

// x p_n = coupling_(n+1) p_(n+1) + centre_n p_n + coupling_n p_(n-1) (Hesthaven and Warburton 2008, appendix A).
template <class Real>
Real jacobi_centre(Real alpha, Real beta, int n) {
  const Real h = 2.0 * n + alpha + beta;
  if (alpha == beta) return 0.0;
  if (n == 0) return (beta - alpha) / (alpha + beta + 2.0);
  return (beta * beta - alpha * alpha) / (h * (h + 2.0));
}
template <class Real>
Real jacobi_coupling(Real alpha, Real beta, int n) {
  const Real h = 2.0 * n + alpha + beta;
  if (n == 1)  // the factor (n + alpha + beta) / (h - 1) is 1 here, and 0/0 where alpha + beta = -1
    return 2.0 / h * std::sqrt((1.0 + alpha) * (1.0 + beta) / (h + 1.0));
  return 2.0 / h * std::sqrt(n * (n + alpha + beta) * (n + alpha) * (n + beta) / ((h - 1.0) * (h + 1.0)));
}

// The integral of (1-x)^alpha (1+x)^beta over [-1,1].
template <class Real>
Real jacobi_weight_integral(Real alpha, Real beta) {
  if (beta == 0.0) return std::exp2(alpha + 1.0) / (alpha + 1.0);
  return std::exp2(alpha + beta + 1.0) * std::beta(alpha + 1.0, beta + 1.0);
}

// scale^n p_n(x / scale) for n = 0..last, without the division: nothing is singular at scale = 0, a simplex's vertex.
template <class Number>
std::vector<Number> scaled_jacobi(const Number& x, const Number& scale, typename RealOf<Number>::type alpha,
                                  typename RealOf<Number>::type beta, int last) {
  using Real = typename RealOf<Number>::type;
  std::vector<Number> p(last + 1);
  p[0] = Number(Real(1) / std::sqrt(jacobi_weight_integral(alpha, beta)));
  for (int n = 0; n < last; ++n) {
    Number next = (x - Number(jacobi_centre(alpha, beta, n)) * scale) * p[n];
    if (n > 0) next = next - Number(jacobi_coupling(alpha, beta, n)) * scale * scale * p[n - 1];
    p[n + 1] = Number(Real(1) / jacobi_coupling(alpha, beta, n + 1)) * next;
  }
  return p;
}

}  // namespace swell
