// SPDX-License-Identifier: Apache-2.0
// The formulas of the orthonormal modes of element/basis.hpp at one point, for any kind of number or jet.
#pragma once

#include "element/jacobi.hpp"
#include "element/lattice.hpp"

namespace swell {

// Calls emit(mode, value) for all modes of a simplex at (r,s,t) (Koornwinder 1975; Dubiner 1991):
//   2 sqrt(2) P_i(a) P_j^(2i+1,0)(b) P_k^(2i+2j+2,0)(c) (1-b)^i (1-c)^(i+j)
// on the tetrahedron, without the factors of the missing directions on the line and the triangle. Each factor is a
// scaled polynomial (element/jacobi.hpp), so that the collapsed coordinates a and b are never divided out.
template <class Number, class Emit>
void simplex_modes(Shape shape, int order, const Number& r, const Number& s, const Number& t, Emit emit) {
  using Real = typename RealOf<Number>::type;
  const int dim = dimension(shape);
  const Number one(1.0), half(0.5);
  if (dim == 0) return emit(0, one);
  const Number scale_a = dim == 1 ? one : dim == 2 ? half * (one - s) : Number(-0.5) * (s + t);
  const Number x = dim == 1 ? r : one + r - scale_a;
  const Number scale_b = dim == 3 ? half * (one - t) : one;
  const Number y = dim == 3 ? one + s - scale_b : s;
  const std::vector<Number> in_a = scaled_jacobi(x, scale_a, 0.0, 0.0, order);
  for (int i = 0; i <= order; ++i) {
    if (dim == 1) {
      emit(i, in_a[i]);
      continue;
    }
    const std::vector<Number> in_b = scaled_jacobi(y, scale_b, 2.0 * i + 1.0, 0.0, order - i);
    for (int j = 0; i + j <= order; ++j) {
      // The scaled polynomials carry ((1-b)(1-c)/4)^i ((1-c)/2)^j; the powers of two put the norm right.
      if (dim == 2) {
        emit(lattice_number(shape, order, {i, j, 0}), Number(std::exp2(i + Real(0.5))) * in_a[i] * in_b[j]);
        continue;
      }
      const std::vector<Number> in_c = scaled_jacobi(t, one, 2.0 * (i + j) + 2.0, 0.0, order - i - j);
      const Number in_ab = Number(std::exp2(2 * i + j + Real(1.5))) * in_a[i] * in_b[j];
      for (int k = 0; i + j + k <= order; ++k) emit(lattice_number(shape, order, {i, j, k}), in_ab * in_c[k]);
    }
  }
}

template <class Number, class Emit>
void tensor_modes(Shape shape, int order, const Number& r, const Number& s, const Number& t, Emit emit) {
  const Number one(1.0);
  const std::vector<Number> in_r = scaled_jacobi(r, one, 0.0, 0.0, order);
  const std::vector<Number> in_s = scaled_jacobi(s, one, 0.0, 0.0, order);
  const std::vector<Number> in_t =
      dimension(shape) == 3 ? scaled_jacobi(t, one, 0.0, 0.0, order) : std::vector<Number>{one};
  int mode = 0;
  for (const Number& c : in_t)
    for (const Number& b : in_s) {
      const Number bc = b * c;
      for (const Number& a : in_r) emit(mode++, a * bc);
    }
}

// The modes of the triangle times those of the line.
template <class Number, class Emit>
void prism_modes(int order, const Number& r, const Number& s, const Number& t, Emit emit) {
  const int layer = lattice_count(Shape::triangle, order);
  const std::vector<Number> in_t = scaled_jacobi(t, Number(1.0), 0.0, 0.0, order);
  simplex_modes(Shape::triangle, order, r, s, Number(0.0), [&](int mode, const Number& value) {
    for (int k = 0; k <= order; ++k) emit(k * layer + mode, value * in_t[k]);
  });
}

// Bergot, Cohen and Durufle (2010), with m the larger one of i and j:
//   2 P_i(a) P_j(b) (1-t)^m P_k^(2m+2,0)(t),   m + k <= order.
// The factor of the lower degree has collapsed coordinates that are divided out; where i and j are not 0, value and gradient along
// the middle line are 0 at the apex.
template <class Number, class Emit>
void pyramid_modes(int order, const Number& r, const Number& s, const Number& t, Emit emit) {
  using Real = typename RealOf<Number>::type;
  const Number one(1.0), scale = Number(0.5) * (one - t);
  const bool apex = value_of(scale) == Real(0);
  const Number x = one + r - scale, y = one + s - scale;
  const std::vector<Number> scaled_a = scaled_jacobi(x, scale, 0.0, 0.0, order), scaled_b = scaled_jacobi(y, scale, 0.0, 0.0, order);
  const std::vector<Number> none(order + 1, Number(0.0));
  const std::vector<Number> in_a = apex ? none : scaled_jacobi(x / scale, one, 0.0, 0.0, order);
  const std::vector<Number> in_b = apex ? none : scaled_jacobi(y / scale, one, 0.0, 0.0, order);
  for (int m = 0; m <= order; ++m) {
    const std::vector<Number> in_t = scaled_jacobi(t, one, 2.0 * m + 2.0, 0.0, order - m);
    const auto column = [&](int i, int j, const Number& value) {
      const Number across = Number(std::exp2(m + Real(1))) * value;
      for (int k = 0; k <= order - m; ++k) emit(lattice_number(Shape::pyramid, order, {i, j, k}), across * in_t[k]);
    };
    // The constant of the lower degree 0 needs no division.
    for (int i = 0; i <= m; ++i) column(i, m, (i == 0 ? scaled_a[0] : in_a[i]) * scaled_b[m]);
    for (int j = 0; j < m; ++j) column(m, j, scaled_a[m] * (j == 0 ? scaled_b[0] : in_b[j]));
  }
}

// Calls emit(mode, value) for all modes of the shape.
template <class Number, class Emit>
void all_modes(Shape shape, int order, const std::array<Number, 3>& at, Emit emit) {
  if (is_simplex(shape))
    simplex_modes(shape, order, at[0], at[1], at[2], emit);
  else if (shape == Shape::prism)
    prism_modes(order, at[0], at[1], at[2], emit);
  else if (shape == Shape::pyramid)
    pyramid_modes(order, at[0], at[1], at[2], emit);
  else
    tensor_modes(shape, order, at[0], at[1], at[2], emit);
}

}  // namespace swell
