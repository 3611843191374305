// SPDX-License-Identifier: Apache-2.0
// Distance between a state and exact expressions, by quadrature.
#pragma once

#include <functional>

#include "base/expression.hpp"
#include "dg/operator.hpp"

namespace swell {

struct ErrorNorms {
  std::vector<double> l1, l2, linf;  // [field], absolute
  std::vector<double> size;          // [field]: l2 norm of the exact field
  double total_l2 = 0, total_size = 0;
  double relative() const { return total_size > 0 ? total_l2 / total_size : total_l2; }
};

// Calls its argument once for each cell with the values [node][field].
using CellReader = std::function<void(const std::function<void(std::int64_t cell, const double* values)>&)>;

// Other values at points of a cell, [point][axis], from those of the fields there: a row for each point.
using PointConversion = std::function<Matrix(std::int64_t cell, const double* x, const Matrix& fields)>;

// Sums over the cells of all ranks, the same bits in any order. `exact` holds one expression for each field in x, y, z, t; fields that
// are not `known` count for nothing, nor do places at which `where`, in the same variables, is 0. With `convert` the expressions are of
// what it gives.
ErrorNorms measure_errors(const Operator& dg, const Buffer& state, const std::vector<Expression>& exact,
                          const std::vector<char>& known, double t);
ErrorNorms measure_errors(const Mesh& mesh, const Elements& elements, const CellReader& read,
                          const std::vector<Expression>& exact, const std::vector<char>& known, double t,
                          Ranks& ranks = lone_rank(), const Expression* where = nullptr, const PointConversion& convert = {});

// The mean over the cells of all ranks; `values` has those of a cell's nodes.
double mean_value(const Mesh& mesh, const Elements& elements, const std::function<const double*(std::int64_t)>& values, Ranks& ranks);

}  // namespace swell
