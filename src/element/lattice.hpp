// SPDX-License-Identifier: Apache-2.0
// Integer points of a shape's lattice and their numbers: what nodes, modes and file formats are counted with.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "element/shape.hpp"

namespace swell {

using LatticeIndex = std::array<int, 3>;  // (i,j,k); directions that the shape lacks stay 0

int lattice_count(Shape shape, int order);
// All indices in lattice order: i fastest; i+j+k <= order on simplices, each <= order on tensor shapes, i+j <= order and k <= order
// on prisms, i+k <= order and j+k <= order on pyramids.
std::vector<LatticeIndex> lattice_indices(Shape shape, int order);
// The place of an index in that order.
int lattice_number(Shape shape, int order, LatticeIndex index);
// The polynomial degree of the mode of this number: the largest in any direction, on simplices and along a pyramid's layers the sum.
int mode_degree(Shape shape, LatticeIndex mode);

// Vertex coordinates in steps of a lattice of order 1: 0 or 1 along each axis.
LatticeIndex lattice_vertex(Shape shape, int vertex);
// The lattice point of `shape` under the affine map of face coordinates that sends vertex 0, 1, 2 of a face lattice to
// the given vertices of `shape`, three of them for triangles and squares. Faces of all our shapes are points or affine images of the
// line, the triangle or the square.
LatticeIndex lattice_on_face(Shape shape, int order, std::span<const int> vertices, LatticeIndex on_face);

// Small simplices that fill the lattice of a shape, of every `stride`-th point: dim + 1 lattice numbers each. On tensor shapes
// each small cube falls into the simplices of Kuhn; on the others, those of the cubes in sums of the lattice indices.
std::vector<std::int32_t> lattice_simplices(Shape shape, int order, int stride = 1);

}  // namespace swell
