// SPDX-License-Identifier: Apache-2.0
#include "element/triple.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "element/triple_values.hpp"

namespace swell {

namespace {

constexpr long double zero_below = 1e-13L;  // of the largest value; long double leaves about 1e-18 of what cancels

using Indices = std::array<int, 3>;  // (test, coefficient, solution)

// Takes values in any order, keeps those that are not zero, and sorts them.
class Collector {
 public:
  Collector(int test, int coefficient, int solution) : count_{test, coefficient, solution} {}

  void add(const Indices& at, long double value) {
    const long double size = std::abs(value);
    largest_ = std::max(largest_, size);
    if (size > zero_below * largest_)
      kept_.push_back({at, value});
    else
      dropped_ = std::max(dropped_, size);
  }

  TripleProducts finish() {
    TripleProducts result;
    result.test_count = count_[0], result.coefficient_count = count_[1], result.solution_count = count_[2];
    long double smallest = largest_;
    std::ranges::sort(kept_, {}, &Kept::at);
    for (const Kept& k : kept_) {
      const long double size = std::abs(k.value);
      if (size > zero_below * largest_) {
        result.entries.push_back({k.at[0], k.at[1], k.at[2], static_cast<double>(k.value)});
        smallest = std::min(smallest, size);
      } else {
        dropped_ = std::max(dropped_, size);
      }
    }
    if (largest_ > 0.0L) result.largest_dropped = dropped_ / largest_, result.smallest_kept = smallest / largest_;
    result.row_start.assign(count_[0] + 1, 0);
    for (const TripleProducts::Entry& entry : result.entries) ++result.row_start[entry.test + 1];
    for (int i = 0; i < count_[0]; ++i) result.row_start[i + 1] += result.row_start[i];
    return result;
  }

 private:
  struct Kept {
    Indices at;
    long double value;
  };
  Indices count_;
  std::vector<Kept> kept_;
  long double largest_ = 0.0L, dropped_ = 0.0L;
};

Collector collector(Shape shape, TripleDegrees degrees) {
  return {mode_count(shape, degrees.test), mode_count(shape, degrees.coefficient), mode_count(shape, degrees.solution)};
}

void check(Shape shape, TripleDegrees degrees, TripleDerivative derivative) {
  if (std::min({degrees.test, degrees.coefficient, degrees.solution}) < 0)
    throw std::logic_error("A factor of a triple product has a degree that is not negative.");
  if (derivative.direction < 0 || derivative.direction >= dimension(shape))
    throw std::logic_error("A triple product is differentiated along a direction of its shape.");
}

int degree_of(TripleDegrees degrees, int factor) {
  return factor == 0 ? degrees.test : factor == 1 ? degrees.coefficient : degrees.solution;
}

// d(mode i) = sum_l D(l,i) mode l: one factor's index is summed over, for each pair of the others.
TripleProducts simplex_derivative(Shape shape, TripleDegrees degrees, TripleDerivative derivative) {
  const TripleValues values(shape, degrees);
  const int along = static_cast<int>(derivative.factor) - 1, outer = (along + 1) % 3, inner = (along + 2) % 3;
  const LongMatrix d = long_derivative(shape, degree_of(degrees, along), derivative.direction);
  const int outer_count = mode_count(shape, degree_of(degrees, outer));
  const int inner_count = mode_count(shape, degree_of(degrees, inner));
  Collector result = collector(shape, degrees);
  LongMatrix plain(d.rows(), inner_count);
  Indices at;
  for (at[outer] = 0; at[outer] < outer_count; ++at[outer]) {
    for (at[along] = 0; at[along] < d.rows(); ++at[along])
      for (at[inner] = 0; at[inner] < inner_count; ++at[inner])
        plain(at[along], at[inner]) = values(at[0], at[1], at[2]);
    const LongMatrix product = d.transpose() * plain;
    for (at[along] = 0; at[along] < d.rows(); ++at[along])
      for (at[inner] = 0; at[inner] < inner_count; ++at[inner]) result.add(at, product(at[along], at[inner]));
  }
  return result.finish();
}

// Triple products of the face's own modes, with each factor's trace put in.
TripleProducts on_face(Shape shape, TripleDegrees degrees, const std::array<LongMatrix, 3>& trace) {
  const Shape face = face_shape(shape);
  const TripleValues values(face, degrees);
  LongMatrix plain(trace[0].rows(), trace[1].rows());
  Collector result = collector(shape, degrees);
  for (int j = 0; j < trace[2].cols(); ++j) {
    plain.setZero();
    for (int c = 0; c < trace[2].rows(); ++c)
      if (trace[2](c, j) != 0.0L)
        for (int a = 0; a < plain.rows(); ++a)
          for (int b = 0; b < plain.cols(); ++b) plain(a, b) += values(a, b, c) * trace[2](c, j);
    const LongMatrix product = trace[0].transpose() * (plain * trace[1]);
    for (int i = 0; i < product.rows(); ++i)
      for (int k = 0; k < product.cols(); ++k) result.add({i, k, j}, product(i, k));
  }
  return result.finish();
}

TripleProducts from_traces(Shape shape, TripleDegrees degrees, int face, const Across* across,
                           TripleDerivative derivative) {
  check(shape, degrees, derivative);
  std::array<LongMatrix, 3> trace;
  for (int factor = 0; factor < 3; ++factor) {
    const int order = degree_of(degrees, factor);
    const bool outside = across && (factor == 1 ? across->coefficient : factor == 2 && across->solution);
    trace[factor] = long_trace(shape, order, outside ? across->face : face);
    if (outside) trace[factor] = long_orientation(face_shape(shape), order, across->orientation) * trace[factor];
    if (static_cast<int>(derivative.factor) == factor + 1)
      trace[factor] = trace[factor] * long_derivative(shape, order, derivative.direction);
  }
  return on_face(shape, degrees, trace);
}

// Values that cancel become exact zeros.
Matrix rounded(const LongMatrix& values) {
  const long double least = zero_below * values.cwiseAbs().maxCoeff();
  return values.unaryExpr([&](long double v) { return std::abs(v) > least ? static_cast<double>(v) : 0.0; });
}

}  // namespace

double TripleProducts::fill() const {
  return static_cast<double>(entries.size()) / (static_cast<double>(test_count) * coefficient_count * solution_count);
}

TripleProducts volume_triples(Shape shape, TripleDegrees degrees, TripleDerivative derivative) {
  check(shape, degrees, derivative);
  if (derivative.factor != Factor::none && (shape == Shape::triangle || shape == Shape::tetrahedron))
    return simplex_derivative(shape, degrees, derivative);
  const TripleValues values(shape, degrees, derivative);
  Collector result = collector(shape, degrees);
  const Indices count{mode_count(shape, degrees.test), mode_count(shape, degrees.coefficient),
                      mode_count(shape, degrees.solution)};
  for (int i = 0; i < count[0]; ++i)
    for (int k = 0; k < count[1]; ++k)
      for (int j = 0; j < count[2]; ++j) result.add({i, k, j}, values(i, k, j));
  return result.finish();
}

TripleProducts face_triples(Shape shape, TripleDegrees degrees, int face, TripleDerivative derivative) {
  return from_traces(shape, degrees, face, nullptr, derivative);
}

TripleProducts face_triples(Shape shape, TripleDegrees degrees, int face, Across across, TripleDerivative derivative) {
  return from_traces(shape, degrees, face, &across, derivative);
}

Matrix trace_matrix(Shape shape, int order, int face) { return rounded(long_trace(shape, order, face)); }

Matrix orientation_matrix(Shape face, int order, int number) { return rounded(long_orientation(face, order, number)); }

Matrix mode_derivative(Shape shape, int order, int direction) {
  return rounded(long_derivative(shape, order, direction));
}

}  // namespace swell
