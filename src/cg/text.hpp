// SPDX-License-Identifier: Apache-2.0
// Kernel source of continuous elements: constants and tables, the case's own expressions, then kernels/cg_*.h.
#pragma once

#include "cg/element_data.hpp"
#include "solve/vectors.hpp"

namespace swell {

// The blocks of a shape: the unknowns there is room for in each and, on GPUs, its threads and shared memory.
struct BlockGroup {
  std::int64_t most = 0;
  int threads = 0;
  std::size_t shared = 0;
  int chain = 1;
  bool follows = false;  // another shape's blocks are before these
};
// block_apply, block_diagonal.
ProgramText block_text(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule,
                       const Vectors& vectors, const BlockGroup& group);
// block_load.
ProgramText block_load_text(const DiffusionProblem& problem, const ReferenceElement& element, const ElementKind& kind,
                            const Cubature& rule, const BlockGroup& group);
// gather_sums.
ProgramText gather_sums_text(Precision precision);
// vertex_apply, vertex_diagonal; threads own unknowns. `adds`: to what elements of other shapes have given.
ProgramText vertex_text(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule,
                        Precision precision, bool adds);
// vertex_load.
ProgramText vertex_load_text(const DiffusionProblem& problem, const ReferenceElement& element, const ElementKind& kind,
                             const Cubature& rule, bool adds);
// fill_material: elements of so many nodes in batches of `slots`, `piece` points of them at once; where `apart`, what is
// written lies element by element.
struct MaterialBatch {
  int dim = 3, corners = 4, slots = 1, piece = 1;
  bool apart = false;
};
ProgramText material_text(const MaterialBatch& batch, Precision computed, Precision stored);
// gather_faces, face_apply, face_diagonal, invert.
ProgramText gather_text(Shape face, const FaceData& faces, Precision precision);
// load_faces, set_fixed, sample.
ProgramText load_text(const DiffusionProblem& problem, const Elements& elements, const FaceData& faces);

// The kernel sources of this room, by their path below src/. Written by cmake/embed.cmake.
std::string_view cg_texts(std::string_view path);

}  // namespace swell
