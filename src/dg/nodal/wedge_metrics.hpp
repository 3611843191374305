// SPDX-License-Identifier: Apache-2.0
// The metric terms of bent prisms and pyramids, whose maps have a degree of 2 and above.
#pragma once

#include <optional>
#include <vector>

#include "dg/group_data.hpp"

namespace swell {

// n |J_face| at points of the faces of a bent prism or pyramid. Quadrilateral faces have those of the hexahedra beside them: where these
// interpolate the map (TensorMetrics), the curl form by the face's own nodes, which is theirs restricted to the face.
class WedgeNormals {
 public:
  // The points of each face, on the reference face.
  WedgeNormals(const Mesh& mesh, const ReferenceElement& element, const std::vector<Matrix>& points);
  void look(std::int64_t cell, int face);
  const double* at(int point) const { return normals_.data() + 3 * static_cast<std::ptrdiff_t>(point); }

 private:
  struct OfFace {
    CellMap map;                   // at the points
    std::optional<CellMap> nodes;  // of the curl form
    Matrix values;                 // from these nodes to the points
  };
  void take_curl_form(const OfFace& of_face, std::int64_t cell);

  Shape shape_;
  std::optional<ReferenceElement> finer_;  // a quadrilateral of the order of the interpolation
  std::vector<OfFace> faces_;
  std::vector<double> jacobians_, normals_;
};

// J grad r_d at the volume points, so that the weak form of a constant flux vanishes to rounding with these normals:
//   sum_d (d phi/dr_d, J grad r_d) = <phi, n |J_face|>   for all functions phi of the element.
// The smallest change of J grad r_d (as in Crean et al. 2018) takes away what the rules of the volume and of the faces leave of it: the
// gradient, in reference coordinates, of one function of the element for each axis of space. Such a function exists where the normals
// add up to nothing. They do, since both kinds of normals have the same integrals along the edges, as long as the order of the map is
// at most one above that of the functions.
class WedgeMetrics {
 public:
  WedgeMetrics(const Mesh& mesh, const ReferenceElement& element, const GroupPoints& points);
  void look(std::int64_t cell);
  const double* volume() const { return volume_.data(); }    // [point][J grad r_d .., 1/J]
  const double* normals() const { return normals_.data(); }  // [face][point][axis]

 private:
  void close();

  const ReferenceElement& element_;
  const GroupPoints& points_;
  CellMap map_;
  WedgeNormals on_faces_;
  std::array<Matrix, 3> slopes_;  // d phi_i / dr_d at the volume points, phi_i the modes
  Matrix traces_;                 // phi_i at the points of all faces, times their weights
  Matrix inverse_;                // of (grad phi_i, grad phi_j), in all but the constant
  std::vector<double> jacobians_, volume_, normals_;
};

}  // namespace swell
