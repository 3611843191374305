// SPDX-License-Identifier: Apache-2.0
#include "element/shape.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>

namespace swell {

namespace {

struct ShapeFacts {
  Shape shape;
  std::string_view name;
  int dimension;
  int vertices;
  int faces;
  int face_vertices;
  double measure;
  std::array<std::array<int, 4>, 6> face;  // vertex numbers, ascending
};

// clang-format off
constexpr std::array<ShapeFacts, 6> facts = {{
  {Shape::point, "point", 0, 1, 0, 0, 1.0, {}},
  {Shape::line, "line", 1, 2, 2, 1, 2.0, {{{1}, {0}}}},
  {Shape::triangle, "triangle", 2, 3, 3, 2, 2.0, {{{1, 2}, {0, 2}, {0, 1}}}},
  {Shape::quadrilateral, "quadrilateral", 2, 4, 4, 2, 4.0, {{{0, 2}, {1, 3}, {0, 1}, {2, 3}}}},
  {Shape::tetrahedron, "tetrahedron", 3, 4, 4, 3, 4.0 / 3.0, {{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}}},
  {Shape::hexahedron, "hexahedron", 3, 8, 6, 4, 8.0,
   {{{0, 2, 4, 6}, {1, 3, 5, 7}, {0, 1, 4, 5}, {2, 3, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}}}},
}};

constexpr int point_orientations[1][1] = {{0}};
constexpr int line_orientations[2][2] = {{0, 1}, {1, 0}};
constexpr int triangle_orientations[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
// The permutations that keep opposite corners opposite: p[0] + p[3] = p[1] + p[2] = 3.
constexpr int quadrilateral_orientations[8][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {1, 0, 3, 2}, {1, 3, 0, 2},
                                                  {2, 0, 3, 1}, {2, 3, 0, 1}, {3, 1, 2, 0}, {3, 2, 1, 0}};
// clang-format on

const ShapeFacts& facts_of(Shape shape) { return facts[static_cast<std::size_t>(shape)]; }

}  // namespace

int dimension(Shape shape) { return facts_of(shape).dimension; }
int vertex_count(Shape shape) { return facts_of(shape).vertices; }
int face_count(Shape shape) { return facts_of(shape).faces; }
double reference_measure(Shape shape) { return facts_of(shape).measure; }
std::string_view shape_name(Shape shape) { return facts_of(shape).name; }

Shape face_shape(Shape shape) {
  switch (shape) {
    case Shape::line: return Shape::point;
    case Shape::triangle:
    case Shape::quadrilateral: return Shape::line;
    case Shape::tetrahedron: return Shape::triangle;
    case Shape::hexahedron: return Shape::quadrilateral;
    case Shape::point: break;
  }
  throw std::logic_error("A point has no faces.");
}

Shape face_shape(Shape shape, int /*face*/) { return face_shape(shape); }

std::optional<Shape> shape_from_name(std::string_view name) {
  for (const ShapeFacts& f : facts)
    if (f.name == name) return f.shape;
  return std::nullopt;
}

std::span<const int> face_vertices(Shape shape, int face) {
  const ShapeFacts& f = facts_of(shape);
  assert(face >= 0 && face < f.faces);
  return {f.face[face].data(), static_cast<std::size_t>(f.face_vertices)};
}

int orientation_count(Shape face) {
  switch (face) {
    case Shape::point: return 1;
    case Shape::line: return 2;
    case Shape::triangle: return 6;
    case Shape::quadrilateral: return 8;
    default: break;
  }
  throw std::logic_error("Only points, lines, triangles and quadrilaterals are faces of other shapes.");
}

std::span<const int> orientation(Shape face, int number) {
  assert(number >= 0 && number < orientation_count(face));
  switch (face) {
    case Shape::point: return point_orientations[number];
    case Shape::line: return line_orientations[number];
    case Shape::triangle: return triangle_orientations[number];
    case Shape::quadrilateral: return quadrilateral_orientations[number];
    default: break;
  }
  throw std::logic_error("Only points, lines, triangles and quadrilaterals are faces of other shapes.");
}

int find_orientation(Shape face, std::span<const int> vertex_map) {
  for (int number = 0; number < orientation_count(face); ++number)
    if (std::ranges::equal(orientation(face, number), vertex_map)) return number;
  return -1;
}

}  // namespace swell
