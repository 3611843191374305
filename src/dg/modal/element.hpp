// SPDX-License-Identifier: Apache-2.0
// The modal family's view of a reference element: its modes by rising degree, their derivatives and traces, and the
// coefficients that carry a trace across a face.
#pragma once

#include <vector>

#include "element/triple.hpp"

namespace swell {

// A face's trace is carried by `values` coefficients that two cells exchange: a change of orientation only permutes them and
// turns some signs. With one material in each element a linear flux acts on them one by one. They are the trace's Legendre
// modes on lines and quadrilaterals and its values at the nodes of triangles. Where material varies along the face they are
// values at points instead, enough to integrate the product of test function, coefficient and solution exactly (Gauss points;
// on triangles the nodes of a higher degree, since these map onto themselves under all orientations).
struct ModalElement {
  ModalElement(Shape shape, int order, int coefficient_order, bool varying);

  Shape shape;
  int order, dim, count, faces, values;
  int coefficient_order, coefficient_count;
  bool varying, signed_values;

  std::vector<int> lattice;  // [mode]: its number in the lattice order of element/basis.hpp
  std::vector<int> degree;   // [mode]: total degree, ascending
  std::array<Matrix, 3> derivative;  // d/dr_d of mode j is sum over i of derivative[d](i, j) mode i
  std::vector<Matrix> trace;         // [face]: values x modes
  std::vector<Matrix> lift;          // [face]: modes x values, the integral over the reference face against each mode
  std::vector<std::vector<int>> partner, sign;  // [orientation][value]: mine = sign * neighbour's partner

  Matrix face_points;    // points of the reference face at which boundary states are found
  Matrix to_points;      // points x values
  Matrix from_points;    // values x points

  // Exact for products of a coefficient with two solutions: where expressions are projected.
  Cubature rule;
  Matrix at_rule;              // points x modes
  Matrix coefficient_at_rule;  // points x coefficient modes, in lattice order

  // The modes that ADER carries from step to step, ascending (ader_memory()).
  std::vector<int> remembered() const;
  int mode_count_of(int total_degree) const;  // modes up to this degree; they come first
  Matrix evaluate(const Matrix& points) const;  // points x modes
  // A triple product whose test and solution modes are counted as here.
  TripleProducts renumbered(const TripleProducts& from) const;
};

}  // namespace swell
