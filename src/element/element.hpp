// SPDX-License-Identifier: Apache-2.0
// A reference element of given shape and order: everything that the discretisations need from it, as matrices.
#pragma once

#include <vector>

#include "element/basis.hpp"

namespace swell {

// Orders go from 1 to this: 12 on the line and in 2D, 10 in 3D.
int max_order(Shape shape);

struct ReferenceElement {
  ReferenceElement(Shape shape, int order);

  Shape shape;
  int order;
  int dim;
  int node_count;
  int face_count;
  int face_node_count;  // of the largest face

  Matrix nodes;        // node_count x dim, in lattice order
  Matrix vandermonde;  // V_ij = mode j at node i
  Matrix inverse_vandermonde;
  Matrix mass;                       // (V V^T)^-1
  // D_r, D_s, D_t. On pyramids, whose functions' derivatives are not among them, their L2 projection: exact for polynomials up to
  // the order, and in all integrals with functions of the element.
  std::array<Matrix, 3> derivative;
  // node_count x (face_count * face_node_count): M^-1 times the integrals over the reference faces (each face with the
  // measure of its own reference shape), with the exact mass matrix. On tensor shapes a column has entries along one
  // line only. Columns behind the nodes of a face with fewer of them are 0.
  Matrix lift;
  std::vector<int> face_nodes;  // [face][i]: volume node; face nodes in the lattice order of the face, then the last one again

  int face_node(int face, int i) const { return face_nodes[face * face_node_count + i]; }
  int face_size(int face) const;  // nodes of this face
  // Neighbour's volume nodes that coincide with my face nodes i when my face meets its face `face` in this orientation; then the
  // last one again, as above.
  std::vector<int> neighbour_nodes(int face, int orientation) const;
  // points x node_count: values of the nodal interpolant at points.
  Matrix interpolation(const Matrix& points) const;
  // Derivatives of the nodal interpolant at points.
  std::array<Matrix, 3> interpolation_gradients(const Matrix& points) const;
};

// Nodal values of one order at the nodes of another (L2 projection downwards is Matrix projection()).
Matrix interpolation_between(const ReferenceElement& from, const ReferenceElement& to);
Matrix projection_between(const ReferenceElement& from, const ReferenceElement& to);

}  // namespace swell
