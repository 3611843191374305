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
  std::array<Shape, 2> sides;  // shapes of faces, the first one first
  double measure;
  std::array<std::array<int, 4>, 6> face;       // vertex numbers, ascending
  std::array<std::array<int, 3>, 6> direction;  // as of face_direction()
};

// clang-format off
constexpr std::array<ShapeFacts, 8> facts = {{
  {Shape::point, "point", 0, 1, 0, {}, 1.0, {}, {}},
  {Shape::line, "line", 1, 2, 2, {Shape::point, Shape::point}, 2.0, {{{1}, {0}}}, {{{1}, {-1}}}},
  {Shape::triangle, "triangle", 2, 3, 3, {Shape::line, Shape::line}, 2.0, {{{1, 2}, {0, 2}, {0, 1}}},
   {{{1, 1}, {-1, 0}, {0, -1}}}},
  {Shape::quadrilateral, "quadrilateral", 2, 4, 4, {Shape::line, Shape::line}, 4.0, {{{0, 2}, {1, 3}, {0, 1}, {2, 3}}},
   {{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}}},
  {Shape::tetrahedron, "tetrahedron", 3, 4, 4, {Shape::triangle, Shape::triangle}, 4.0 / 3.0,
   {{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}}, {{{1, 1, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}},
  {Shape::hexahedron, "hexahedron", 3, 8, 6, {Shape::quadrilateral, Shape::quadrilateral}, 8.0,
   {{{0, 2, 4, 6}, {1, 3, 5, 7}, {0, 1, 4, 5}, {2, 3, 6, 7}, {0, 1, 2, 3}, {4, 5, 6, 7}}},
   {{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}}},
  {Shape::prism, "prism", 3, 6, 5, {Shape::triangle, Shape::quadrilateral}, 4.0,
   {{{0, 1, 2}, {3, 4, 5}, {0, 2, 3, 5}, {0, 1, 3, 4}, {1, 2, 4, 5}}},
   {{{0, 0, -1}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {1, 1, 0}}}},
  {Shape::pyramid, "pyramid", 3, 5, 5, {Shape::quadrilateral, Shape::triangle}, 8.0 / 3.0,
   {{{0, 1, 2, 3}, {0, 2, 4}, {0, 1, 4}, {1, 3, 4}, {2, 3, 4}}},
   {{{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}, {1, 0, 1}, {0, 1, 1}}}},
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

std::span<const Shape> face_shapes(Shape shape) {
  const std::array<Shape, 2>& sides = facts_of(shape).sides;
  return {sides.data(), shape == Shape::point ? 0U : sides[0] == sides[1] ? 1U : 2U};
}

Shape face_shape(Shape shape) {
  const auto sides = face_shapes(shape);
  if (sides.size() != 1) throw std::logic_error(sides.empty() ? "A point has no faces." : "The faces of this shape have two shapes.");
  return sides.front();
}

Shape face_shape(Shape shape, int face) {
  const auto sides = face_shapes(shape);
  const int first = shape == Shape::prism ? 2 : 1;  // faces of the first shape
  return sides.size() == 1 || face < first ? sides.front() : sides.back();
}

int axis_vertex(Shape shape, int axis) {
  if (is_tensor(shape)) return 1 << axis;
  return shape == Shape::pyramid && axis == 2 ? 4 : axis + 1;
}

std::array<double, 3> reference_middle(Shape shape) {
  switch (shape) {
    case Shape::triangle:
    case Shape::tetrahedron: {
      const double all = -1 + 2.0 / (dimension(shape) + 1);
      return {all, all, all};
    }
    case Shape::prism: return {-1.0 / 3, -1.0 / 3, 0};
    case Shape::pyramid: return {-0.2, -0.2, -0.6};
    default: return {};
  }
}

bool reference_holds(Shape shape, const double* r, double tolerance) {
  double sum = 0;
  for (int d = 0; d < dimension(shape); ++d) {
    if (!(r[d] >= -1 - tolerance)) return false;
    if (is_tensor(shape) && r[d] > 1 + tolerance) return false;
    sum += r[d] + 1;
  }
  switch (shape) {
    case Shape::quadrilateral:
    case Shape::hexahedron: return true;
    case Shape::prism: return r[0] + r[1] <= tolerance && r[2] <= 1 + tolerance;
    case Shape::pyramid: return r[0] + r[2] <= tolerance && r[1] + r[2] <= tolerance;
    default: return sum <= 2 + tolerance;
  }
}

std::optional<Shape> shape_from_name(std::string_view name) {
  for (const ShapeFacts& f : facts)
    if (f.name == name) return f.shape;
  return std::nullopt;
}

std::span<const int> face_vertices(Shape shape, int face) {
  const ShapeFacts& f = facts_of(shape);
  assert(face >= 0 && face < f.faces);
  return {f.face[face].data(), static_cast<std::size_t>(vertex_count(face_shape(shape, face)))};
}

const std::array<int, 3>& face_direction(Shape shape, int face) { return facts_of(shape).direction[face]; }

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
