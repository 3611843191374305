// SPDX-License-Identifier: Apache-2.0
// The integration points of the symmetric interior penalty method, and the matrices of an element that its kernels read.
#pragma once

#include "element/element.hpp"
#include "model/diffusion.hpp"

namespace swell {

struct DiffusionRules {
  // The rules of cells whose coefficients differ from point to point.
  DiffusionRules(const DiffusionProblem& problem, int lanes);
  // The rules where every cell and face has one set of coefficients: cells are straight, with one material and one transfer
  // each.
  DiffusionRules constant_rules() const;

  ReferenceElement element;
  bool constant = false;
  int lanes;
  std::int64_t batches;   // with the halo
  Cubature volume, face;  // of simplices that are constant, `volume` holds the nodes of one order less
  std::vector<Matrix> at_face;  // [face]: points of the face's rule in coordinates of the element
  std::vector<std::vector<int>> turned;  // [orientation][point]: the same point among those of the neighbour's face

  int face_points() const { return static_cast<int>(face.points.rows()); }
  // The number of coefficient sets that a cell, or a face, has in the kernels.
  int volume_sets() const { return constant ? 1 : static_cast<int>(volume.points.rows()); }
  int face_sets() const { return constant ? 1 : face_points(); }
};

// The middle of an element, as a row.
Matrix middle_of(Shape shape);
// Points moved a little towards it: there a jump of material on a face is seen by each side as its own value.
Matrix moved_inwards(const Matrix& points, Shape shape);

// Matrices of kernels/diffusion/simplex.h: [point][node][axis], [node][point][axis], [face][point][node][value, axes]; of
// tensor elements only the last one, for the right-hand side.
std::vector<double> diffusion_matrices(const DiffusionRules& rules);

}  // namespace swell
