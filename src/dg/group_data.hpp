// SPDX-License-Identifier: Apache-2.0
// The numbers that the operator's kernels read for one group of elements: geometry, material and matrices, in the layout of
// kernels/nodal/simplex.h, quadrature.h and tensor.h, as doubles on the host.
#pragma once

#include <vector>

#include "dg/layout.hpp"
#include "dg/variant.hpp"

namespace swell {

// Reference points at which a group's geometry and material are known.
struct GroupPoints {
  Matrix volume;   // empty for straight simplices with one material
  Matrix face;     // on the reference face
  Vector weights;  // of the volume points, for the energy
  Vector face_weights;
};
GroupPoints group_points(const ReferenceElement& element, const Group& group, int geometry_order);

// From the nodes of a face to points on it, in the order of the nodes: the same for every face.
Matrix trace_matrix(const ReferenceElement& element, const Matrix& on_face);

// Packs rows in blocks of tile.rows, each block [column][row].
std::vector<double> pack(const Matrix& matrix, int tile_rows);
// The matrices of one kernel text, one behind the other.
std::vector<double> group_matrices(const ReferenceElement& element, const Group& group, const GroupPoints& points,
                                   const Variant& variant);

struct GroupData {
  std::vector<double> geometry, normals, material, material_face;
  std::vector<std::int32_t> neighbour;
  // Only where threads are lanes and no material varies inside an element: `material` then holds the different ones.
  std::vector<std::int32_t> material_of;
  bool homogeneous = false;  // there is one
  // Only where material changes with time: places and regions of the points, and of both sides of the face points.
  std::vector<double> points, face_own, face_behind;
  std::vector<std::int32_t> point_region, own_region, behind_region;
};
GroupData group_data(const Problem& problem, const ReferenceElement& element, const Layout& layout, const Group& group,
                     const GroupPoints& points, const MaterialField& material);

// Jacobian's cofactors J grad r_d as [d][axis] and J itself, from dx_i/dr_j as [i][j].
double cofactors(int dim, const double* jacobian, double* out);
// The unit normal at a point of a face, from J grad r_d there (any scale).
void outward_normal(Shape shape, int face, const double* scaled, double* n);
// J grad r_d at the nodes of a tensor element, in the form whose discrete divergence vanishes (Kopriva 2006), then 1/J:
// [node][dim*dim + 1].
void tensor_metrics(const ReferenceElement& element, const double* coordinates, double* out);

}  // namespace swell
