// SPDX-License-Identifier: Apache-2.0
// The numbers that the operator's kernels read for one group of elements: geometry, material and matrices, in the layout of
// kernels/nodal/simplex.h, quadrature.h, tensor.h and gauss.h, as doubles on the host.
#pragma once

#include <optional>
#include <vector>

#include "dg/layout.hpp"
#include "dg/variant.hpp"
#include "mesh/geometry.hpp"

namespace swell {

// Reference points at which a group's geometry and material are known.
struct GroupPoints {
  Matrix volume;   // empty for straight dense shapes with one material; on tensor shapes Gauss points in lattice order
  Matrix face;     // on the reference face; of prisms and pyramids on that of their first face
  Vector weights;  // of the volume points, for the energy
  Vector face_weights;
  // For prisms and pyramids: on the other kind of their faces. Both kinds have as many points: what one lacks repeats its last point,
  // with weight 0.
  Matrix other_face;
  Vector other_weights;
  bool bent = false;  // prisms and pyramids whose map has a degree of 2 and above

  const Matrix& on(const ReferenceElement& element, int face_number) const { return is_other(element, face_number) ? other_face : face; }
  const Vector& weights_on(const ReferenceElement& element, int face_number) const {
    return is_other(element, face_number) ? other_weights : face_weights;
  }

 private:
  static bool is_other(const ReferenceElement& element, int face_number) {
    return face_shape(element.shape, face_number) != face_shape(element.shape, 0);
  }
};
// Degree to which products are integrated where weights alone vary.
int adjusted_degree(int order);
GroupPoints group_points(const ReferenceElement& element, const Group& group, int geometry_order);

// The points of all faces, in coordinates of the element.
Matrix stacked_face_points(const ReferenceElement& element, const Matrix& on_face);
Matrix stacked_face_points(const ReferenceElement& element, const GroupPoints& points);
// From the nodes of a face to points on it, in the order of the nodes: the same for every face of this shape. Columns behind the last
// node of a face are 0.
Matrix trace_matrix(const ReferenceElement& element, Shape side, const Matrix& on_face);

// The mass of prisms and pyramids that are not affine, exactly as the volume points integrate it: functions in which it falls into
// blocks on the diagonal, of this many rows each. On prisms they are the triangle's modes times Lagrange polynomials through the Gauss
// points of the line, on straight pyramids those of element/pyramid.hpp. On bent pyramids no functions are orthogonal whatever the map:
// their modes make a single block.
struct MassBlocks {
  int rows = 0;  // 0: none
  Matrix to_nodes, from_nodes;
  Matrix points;         // of straight pyramids: where a function takes the Jacobian from
  Matrix in_layer;       // of the others: the functions of a block at the volume points that it takes
  Vector layer_weights;  // what has gone from the weights of a block's points into its functions
};
MassBlocks mass_blocks(const ReferenceElement& element, const Group& group, const GroupPoints& points);
// The inverse of each block for a cell, [block][row][column].
// `map` at the volume points, or, on pyramids, at the points of the functions.
void inverse_blocks(const MassBlocks& blocks, const GroupPoints& points, const CellMap& map, std::int64_t cell, double* out);
// Words of the geometry of an element of a dense shape that is curved.
int curved_geometry_words(const ReferenceElement& element, const GroupPoints& points, const MassBlocks& blocks);

// Packs rows in blocks of tile.rows, each block [column][row].
std::vector<double> pack(const Matrix& matrix, int tile_rows);
// The matrices of one kernel source, one behind the other.
std::vector<double> group_matrices(const ReferenceElement& element, const Group& group, const GroupPoints& points,
                                   const Variant& variant);

struct GroupData {
  std::vector<double> geometry, normals, material, material_face;
  std::vector<std::int32_t> neighbour;
  // Only on GPUs and no material varies inside an element: `material` then holds the different ones.
  std::vector<std::int32_t> material_of;
  bool homogeneous = false;  // there is one
  // Only where material changes with time: places and regions of the points, and of both sides of the face points.
  std::vector<double> points, face_own, face_behind;
  std::vector<std::int32_t> point_region, own_region, behind_region;
};
GroupData group_data(const Problem& problem, const ReferenceElement& element, const Layout& layout, const Group& group,
                     const GroupPoints& points, const MaterialField& material, const AdjustedMass& adjusted);

// Jacobian's cofactors J grad r_d as [d][axis] and J itself, from dx_i/dr_j as [i][j].
double cofactors(int dim, const double* jacobian, double* out);
// The unit normal at a point of a face, from J grad r_d there (any scale).
void outward_normal(Shape shape, int face, const double* scaled, double* n);

// The form in which kernels hold the maps of a group of tensor elements, with the values of MAP in kernels/nodal/lines.h.
enum class TensorMap : std::uint8_t { affine, multilinear, at_points };
TensorMap tensor_map(const Group& group, const ReferenceElement& element, int geometry_order);
// Words of an element.
int tensor_geometry_words(const ReferenceElement& element, TensorMap map);
// Whether the Gauss points integrate unknown times derivative times metric terms exactly: weak and strong form are then
// the same.
bool exact_products(int dim, int geometry_order);

// J grad r_d at the Gauss points of a tensor element and n |J_face| at those of its faces. Where the map's own metric
// terms are polynomials that the rule integrates exactly, these; else the map is interpolated with the next higher
// order, the most that the rule integrates exactly, and on hexahedra the terms are in curl form (Kopriva 2006). In both
// cases the weak form of a constant flux vanishes to rounding.
class TensorMetrics {
 public:
  TensorMetrics(const Mesh& mesh, const ReferenceElement& element);
  void look(std::int64_t cell);
  const double* volume() const { return volume_.data(); }    // [point][J grad r_d .., 1/J]
  const double* normals() const { return normals_.data(); }  // [face][point][axis]

 private:
  void look_through_nodes(std::int64_t cell);

  const ReferenceElement& element_;
  std::optional<ReferenceElement> finer_;  // where the map is interpolated
  CellMap volume_map_, face_map_, node_map_;
  Matrix values_, face_values_;  // from nodes to points
  std::array<Matrix, 3> slopes_;
  std::vector<double> volume_, normals_, jacobians_;
};

// Whether the weak form of a constant flux is exact with p + 1 Gauss points and the metric terms of the map itself.
bool exact_for_constants(const ReferenceElement& element, int geometry_order);

// J grad r_d and 1/J at the nodes of a line, quadrilateral or hexahedron, of the map that is interpolated there. On hexahedra
// the terms are in curl form (Kopriva 2006): their derivatives by the nodes add up to nothing, and both sides of a face have the
// same normals.
class NodalMetrics {
 public:
  NodalMetrics(const Mesh& mesh, const ReferenceElement& element);
  void look(std::int64_t cell);
  const double* at(int node) const { return values_.data() + node * values_.cols(); }  // [J grad r_d .., 1/J]
  double jacobian(int node) const { return 1 / values_(node, values_.cols() - 1); }

 private:
  const ReferenceElement& element_;
  CellMap map_;
  Matrix values_;
};

}  // namespace swell
