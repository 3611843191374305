// SPDX-License-Identifier: Apache-2.0
// The matrices of a modal element stacked, so that one pass over a field's modes gives all results.
#pragma once

#include <vector>

#include "dg/modal/element.hpp"

namespace swell {

// Two faces of a triangle are mirror images: trace b = sign_i parity_j trace a for value i and mode j. With even and odd
// modes summed apart, one face's products are enough for both.
struct MirroredFaces {
  int a = 0, b = 0;
  std::vector<int> sign, parity;
  explicit operator bool() const { return a != b; }
};
MirroredFaces mirrored_faces(const ModalElement& element);

// Derivatives along all axes of the first `columns` modes, as the first `rows` modes: [axis][row].
Matrix stacked_derivatives(const ModalElement& element, int rows, int columns);
// Derivatives of the test functions: [axis][mode].
Matrix stacked_weak_derivatives(const ModalElement& element);
// [face][value] x modes; of mirrored faces the first has the even and the second the odd modes' part of the first's trace.
Matrix stacked_traces(const ModalElement& element);
// Modes x [face][value]; of mirrored faces the first stands for the sum, the second for the difference of what is lifted.
Matrix stacked_lifts(const ModalElement& element);

}  // namespace swell
