// SPDX-License-Identifier: Apache-2.0
// Gradients of fields at reference points of a cell, of the polynomials of that cell alone.
#pragma once

#include "element/element.hpp"
#include "mesh/geometry.hpp"

namespace swell {

class PointGradients {
 public:
  PointGradients(const Mesh& mesh, const ReferenceElement& element, const Matrix& points);

  // For each axis in turn, the points' rows: what each node of the cell counts in the derivative along it.
  Matrix weights(std::int64_t cell) const;
  // [point][field][axis] from the values [node][field] of a cell.
  Matrix of(std::int64_t cell, const double* values, int fields) const;

 private:
  std::array<Matrix, 3> slopes_;  // along reference coordinates
  CellMap map_;
  int dim_;
};

}  // namespace swell
