// SPDX-License-Identifier: Apache-2.0
// Distance between a state and exact expressions, by quadrature.
#pragma once

#include "base/expression.hpp"
#include "dg/operator.hpp"

namespace swell {

struct ErrorNorms {
  std::vector<double> l1, l2, linf;  // [field], absolute
  std::vector<double> size;          // [field]: l2 norm of the exact field
  double total_l2 = 0, total_size = 0;
  double relative() const { return total_size > 0 ? total_l2 / total_size : total_l2; }
};

// `exact` holds one expression for each field in x, y, z, t; fields that are not `known` count for nothing.
ErrorNorms measure_errors(const Operator& dg, const Buffer& state, const std::vector<Expression>& exact,
                          const std::vector<char>& known, double t);

}  // namespace swell
