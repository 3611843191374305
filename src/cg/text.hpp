// SPDX-License-Identifier: Apache-2.0
// Kernel text of continuous elements: constants and tables, the case's own expressions, then kernels/cg_*.h.
#pragma once

#include "cg/element_data.hpp"

namespace swell {

// element_apply, element_diagonals; lanes are elements.
ProgramText element_text(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule,
                         Precision precision);
// vertex_apply, vertex_diagonal; threads own unknowns.
ProgramText vertex_text(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule,
                        Precision precision);
// gather, gather_faces, face_apply, face_diagonal, invert.
ProgramText gather_text(const ReferenceElement& element, const FaceData& faces, Precision precision);
// load_volume, load_faces, set_fixed, sample: `load_points` points in a cell.
ProgramText load_text(const HeatProblem& problem, const ReferenceElement& element, const FaceData& faces,
                      int load_points);

// The kernel texts of this room, by their path below src/. Written by cmake/embed.cmake.
std::string_view cg_texts(std::string_view path);

}  // namespace swell
