// SPDX-License-Identifier: Apache-2.0
// Functions of the place against the polynomials of a cell: integrals with its test functions, and the projection in L2, which is the
// nearest polynomial (Castro, Behrens and Pelties 2013, appendix B).
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <memory>
#include <vector>

#include "base/expression.hpp"
#include "element/element.hpp"
#include "mesh/geometry.hpp"

namespace swell {

// Whether the text of an expression has a comparison, a choice or a function that jumps.
bool may_jump(const Expression& expression);

class CellProjection {
 public:
  // The fields of a cell at so many places: values[point][field].
  using Values = std::function<void(std::int64_t cell, const double* x, int points, double* values)>;

  // For cells of the element's shape. `jumps`: the functions may jump inside cells, which are then halved where the rule does not integrate them.
  CellProjection(const Mesh& mesh, const ReferenceElement& element, int fields, bool jumps);

  const Cubature& rule() const { return rule_; }
  // Integrals of the fields times each of the cell's test functions: [node][field].
  Matrix moments(std::int64_t cell, const Values& values) const;
  // This projection of values at the points of the rule, [point][field].
  Matrix moments_of(std::int64_t cell, const Matrix& at_points) const;
  // The polynomials that have these moments, as values at the nodes: [node][field].
  Matrix solved(std::int64_t cell, const Matrix& moments) const;

 private:
  // A part of the reference element: x = first + sum of (r_d + 1) / 2 edge_d.
  struct Part {
    Matrix corner;  // 1 + dim rows: the first corner, then edges
    double measure = 1;
  };
  Part child(const Part& of, int which) const;
  Matrix moments_in(std::int64_t cell, const Values& values, const Part& part, std::uint64_t path) const;
  Matrix refined(std::int64_t cell, const Values& values, const Part& part, std::uint64_t path, const Matrix& whole, int depth, double enough) const;
  const CellMap& map_in(const Part& part, std::uint64_t path) const;
  int children() const { return 1 << element_.dim; }

  const Mesh& mesh_;
  const ReferenceElement& element_;
  int fields_;
  bool jumps_;
  Cubature rule_;
  Matrix values_;                   // of the test functions at the points of the rule
  CellMap map_;
  Matrix inverse_mass_;             // of the reference element
  std::vector<Matrix> to_child_;    // [child]: values of the test functions at the child's nodes
  mutable std::mutex maps_change_;
  mutable std::map<std::uint64_t, std::unique_ptr<CellMap>> maps_;  // of parts, by their path
};

}  // namespace swell
