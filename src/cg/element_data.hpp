// SPDX-License-Identifier: Apache-2.0
// The data that the kernels of continuous elements read, as doubles on the host: matrices, geometry, material, faces, in the
// layouts of kernels/cg_*.h.
#pragma once

#include "cg/numbering.hpp"
#include "model/diffusion.hpp"

namespace swell {

// How the cells of one shape are integrated: all in one way.
struct ElementKind {
  Shape shape;
  bool affine = true;     // every cell is straight: one set of geometry for each
  bool varying = false;   // material varies inside some cell
  bool steady = false;    // there is no mass
  int lanes = 1;
};

// Gauss products on tensor elements, cubature on simplices: exact for the mass matrix of a straight element.
Cubature element_rule(const ReferenceElement& element);

// Whether reference matrices serve all cells: straight simplices with one material in each.
bool constant_inside(const ElementKind& kind);

// Matrices of kernels/continuous/simplex.h; a single 0 for tensor elements, whose tables are in the kernel source.
std::vector<double> element_matrices(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule);

// Matrices of kernels/continuous/vertices.h, for every shape.
std::vector<double> row_matrices(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule);

// Floating point operations of one product a M + b K on an element; b K alone where the kind is steady.
double product_flops(const ReferenceElement& element, const ElementKind& kind, const Cubature& rule);

// [batch][...][lane] for the cells in the slots of the batches; 0 in empty slots, whose cell is -1.
using Slots = std::vector<std::int64_t>;
// Consecutive slots hold cells far apart: prefetches the nodes of a cell some slots ahead.
void ask_ahead(const Mesh& mesh, const Slots& slots, std::size_t slot);
std::vector<double> element_geometry(const Mesh& mesh, const ElementKind& kind, const Cubature& rule, const Slots& slots);
// Throws InputError where rhoC or k is not above 0 (rhoC may be anything where the kind is steady), naming place and value.
std::vector<double> element_material(const DiffusionProblem& problem, const ElementKind& kind, const Cubature& rule,
                                     const Slots& slots);
// The point in the middle of the reference element.
Matrix middle_point(Shape shape);
// Quadrature of the source for kernels/continuous/source.h.
struct SourceData {
  std::vector<double> points, weight, values;
};
SourceData source_data(const DiffusionProblem& problem, const ReferenceElement& element, const ElementKind& kind,
                       const Cubature& rule, const Slots& slots);
bool has_source(const DiffusionProblem& problem);
bool source_has_places(const DiffusionProblem& problem);  // it differs in space

// The shapes of the faces of all elements: each has nodes and points of its own.
std::vector<Shape> face_shapes(const Elements& elements);
// Faces of one shape with a flux or a heat transfer, and the points at which they are integrated.
struct FaceData {
  std::int64_t count = 0;
  int nodes = 0, points = 0;
  std::vector<std::int32_t> unknown;   // [face][node]
  std::vector<std::int32_t> boundary;  // [face]
  std::vector<double> place;           // [face][point][dim]
  std::vector<double> weight;          // [face][point]: of the rule times the face's measure
  std::vector<double> transfer;        // [face][point]: weight times h; 0 on faces with a flux
  std::vector<double> trace;           // [point][node]
  bool transfers = false;              // some face has a heat transfer
};
FaceData face_data(const DiffusionProblem& problem, const Elements& elements, Shape face, const Numbering& numbering);

}  // namespace swell
