// SPDX-License-Identifier: Apache-2.0
// Triple products of orthonormal modes: sparse integrals of test x coefficient x solution, from which the modal family
// is made without quadrature; and the matrices that take modes to faces and to their derivatives.
#pragma once

#include <vector>

#include "element/basis.hpp"

namespace swell {

enum class Factor { none, test, coefficient, solution };

// Degrees of the three factors; each factor is expanded in modes(shape, its degree, ...).
struct TripleDegrees {
  int test = 0, coefficient = 0, solution = 0;
};

// The factor that stands differentiated, and the reference direction (r, s, t).
struct TripleDerivative {
  Factor factor = Factor::none;
  int direction = 0;
};

// Values are computed in long double; those below 1e-13 of the largest are exact zeros and not stored.
struct TripleProducts {
  struct Entry {
    int test, coefficient, solution;
    double value;
  };

  int test_count = 0, coefficient_count = 0, solution_count = 0;
  std::vector<Entry> entries;         // sorted by (test, coefficient, solution)
  std::vector<int> row_start;         // entries of test mode i: row_start[i] to row_start[i + 1]
  long double largest_dropped = 0.0;  // relative to the largest value
  long double smallest_kept = 0.0;

  double fill() const;  // stored entries over all combinations
};

// Integral over the reference shape (also the line).
TripleProducts volume_triples(Shape shape, TripleDegrees degrees, TripleDerivative derivative = {});

// Integral over a reference face (with the measure of its own reference shape) of traces from inside.
TripleProducts face_triples(Shape shape, TripleDegrees degrees, int face, TripleDerivative derivative = {});

// Face products in which some factors are the neighbour's: its face `face` lies on mine in this orientation
// (element/shape.hpp). A derivative is along the reference direction of the cell that the factor belongs to.
struct Across {
  int face = 0;
  int orientation = 0;
  bool coefficient = true;  // the coefficient is the neighbour's
  bool solution = true;     // the solution is the neighbour's
};
TripleProducts face_triples(Shape shape, TripleDegrees degrees, int face, Across across,
                            TripleDerivative derivative = {});

// Modes on the face (of face_shape, orthonormal there) of a solution's trace: face modes x element modes.
Matrix trace_matrix(Shape shape, int order, int face);
// The neighbour's face modes in mine: mine = orientation_matrix * (trace_matrix of the neighbour's face * its modes).
// Orthogonal, since the maps between faces keep the measure.
Matrix orientation_matrix(Shape face, int order, int orientation);
// d/dr_direction of mode i is sum_l D(l, i) mode l.
Matrix mode_derivative(Shape shape, int order, int direction);

}  // namespace swell
