// SPDX-License-Identifier: Apache-2.0
// The shapes of elements: their vertices, faces and the ways in which two faces can meet. A point is only ever a face of
// a line.
//
// Reference simplices have vertices (-1,-1[,-1]), (1,-1[,-1]), (-1,1[,-1]), (-1,-1,1); face f lies opposite vertex f
// and lists the other vertices in ascending order. Reference tensor shapes are [-1,1]^d with vertex i + 2j + 4k at
// (2i-1, 2j-1, 2k-1); face 2d lies at coordinate d = -1 and face 2d+1 at +1, its vertices in ascending order. The prism has the
// triangle at t = -1 and at t = +1, its first two faces, then those at r = -1, at s = -1 and at r + s = 0. The pyramid has the
// square at t = -1, its first face, and the apex (-1,-1,1), so that r and s go from -1 to -t; then come the faces at r = -1,
// s = -1, r + t = 0 and s + t = 0. Vertices of faces ascend.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace swell {

enum class Shape : std::uint8_t { point, line, triangle, quadrilateral, tetrahedron, hexahedron, prism, pyramid };

constexpr bool is_simplex(Shape s) {
  return s == Shape::point || s == Shape::line || s == Shape::triangle || s == Shape::tetrahedron;
}
// Products of lines.
constexpr bool is_tensor(Shape s) { return s == Shape::quadrilateral || s == Shape::hexahedron; }
int dimension(Shape shape);
int vertex_count(Shape shape);
int face_count(Shape shape);
Shape face_shape(Shape shape);  // of line: point; of triangle and quadrilateral: line; of shapes whose faces are all of one shape
Shape face_shape(Shape shape, int face);
// Those of all its faces, each once.
std::span<const Shape> face_shapes(Shape shape);
double reference_measure(Shape shape);  // point 1, line 2, triangle 2, quadrilateral 4, tetrahedron 4/3, hexahedron 8, prism 4, pyramid 8/3
// The mean of the vertices of the reference shape, the same in each direction that it is given for.
std::array<double, 3> reference_middle(Shape shape);
// A point of the reference shape, to this tolerance.
bool reference_holds(Shape shape, const double* r, double tolerance);
std::string_view shape_name(Shape shape);
std::optional<Shape> shape_from_name(std::string_view name);

// The vertex at the end of a reference axis that begins at vertex 0.
int axis_vertex(Shape shape, int axis);

// Local vertex numbers of a face.
std::span<const int> face_vertices(Shape shape, int face);
// The face's outward normal, as so much of the gradient of each reference coordinate: times the Jacobian of the map, its length
// is that of the face's own map from its reference shape.
const std::array<int, 3>& face_direction(Shape shape, int face);

// Two cells that share a face list its vertices in different orders. In orientation o, vertex i of my face is vertex
// orientation(face_shape, o)[i] of the neighbour's face. Orientation 0 is the identity.
// point: 1, line: 2, triangle: 6, quadrilateral: 8 (the symmetries of the square in lexicographic vertex order).
int orientation_count(Shape face);
std::span<const int> orientation(Shape face, int number);
// The number of the orientation with this vertex map, or -1 where no symmetry of the face does it.
int find_orientation(Shape face, std::span<const int> vertex_map);

}  // namespace swell
