// SPDX-License-Identifier: Apache-2.0
// How steep the penalty of the symmetric interior penalty method must be where the material jumps inside a cell.
#pragma once

#include "dg/diffusion/geometry.hpp"

namespace swell {

class DiffusionPenalty {
 public:
  // `rules` are those of cells whose coefficients differ from point to point. Both must outlive this.
  DiffusionPenalty(const DiffusionRules& rules, const DiffusionGeometry& geometry, double penalty);
  // A jump of the material inside a cell makes T from its least and most far too steep: where the face sees much, so does most
  // of the cell. T comes down to the largest of (integral of k v^2 on the face) / (the same in the cell) over the polynomials v
  // that a slope can be, by the operator's own points. The cell is straight: on curved cells a slope is no polynomial. The
  // arrays are those of one lane: k at the volume's points, then at the faces' points, and T of the faces.
  void sharpen(std::int64_t cell, const double* k, double* steepness) const;

 private:

  const DiffusionRules& rules_;
  const DiffusionGeometry& geometry_;
  double scale_;
  bool polynomials_;                // they are few enough for this to pay
  Matrix inside_;                   // [point][mode]
  std::vector<Matrix> at_face_;     // [face][point][mode]
  // For tensor products: [face][point][point of the volume], the squares of the weights that give v at a point of the face.
  std::vector<Matrix> along_lines_;
};

}  // namespace swell
