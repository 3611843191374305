// SPDX-License-Identifier: Apache-2.0
// The values behind element/triple.hpp, in long double: factorised triple products, traces and derivatives of modes.
#pragma once

#include "element/triple.hpp"

namespace swell {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Every mode is a product of functions of one coordinate each: Legendre polynomials on tensor shapes, Jacobi
// polynomials of the collapsed coordinates on simplices. So is a triple product: one number for each coordinate.
// A derivative is possible on tensor shapes and on the line, where it keeps the product form.
class TripleValues {
 public:
  TripleValues(Shape shape, TripleDegrees degrees, TripleDerivative derivative = {});
  long double operator()(int test, int coefficient, int solution) const {
    long double product = 1.0L;
    for (int axis = 0; axis < dim_; ++axis) {
      const long double value =
          table_[axis][(place_[0][test][axis] * size_[axis][1] + place_[1][coefficient][axis]) * size_[axis][2] +
                       place_[2][solution][axis]];
      if (value == 0.0L) return 0.0L;
      product *= value;
    }
    return product;
  }

 private:
  int dim_;
  std::array<std::vector<std::array<int, 3>>, 3> place_;  // [factor][mode][axis]: which function of the coordinate
  std::array<std::array<int, 3>, 3> size_{};              // [axis][factor]: how many there are
  std::array<std::vector<long double>, 3> table_;         // [axis][(test, coefficient, solution)]
};

LongMatrix long_trace(Shape shape, int order, int face);
LongMatrix long_orientation(Shape face, int order, int orientation);
LongMatrix long_derivative(Shape shape, int order, int direction);

}  // namespace swell
