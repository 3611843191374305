// SPDX-License-Identifier: Apache-2.0
#include "mesh/brick_cells.hpp"

#include <iterator>
#include <string_view>

#include "base/error.hpp"

namespace swell {

namespace {

// A brick's three pyramids with their apex at one of its corners, for each corner; orient_cells() turns every second one round.
const Cells& pyramids(int apex) {
  static const std::vector<Cells> all = [] {
    std::vector<Cells> of_corner(8);
    for (int corner = 0; corner < 8; ++corner)
      for (int axis = 0; axis < 3; ++axis) {
        std::vector<int> pyramid;
        for (int other = 0; other < 8; ++other)
          if ((other >> axis & 1) != (corner >> axis & 1)) pyramid.push_back(other);
        pyramid.push_back(corner);
        of_corner[corner].push_back(std::move(pyramid));
      }
    return of_corner;
  }();
  return all[apex];
}

}  // namespace

const Cells& cut(Shape shape) {
  static const Cells line{{0, 1}};
  static const Cells triangles{{0, 1, 3}, {0, 3, 2}};
  static const Cells rectangle{{0, 1, 2, 3}};
  // Kuhn (1960): one tetrahedron for each order in which the path from corner 0 to corner 7 takes the axes.
  static const Cells tetrahedra{{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}};
  static const Cells brick{{0, 1, 2, 3, 4, 5, 6, 7}};
  static const Cells prisms{{0, 1, 3, 4, 5, 7}, {0, 3, 2, 4, 7, 6}};
  switch (shape) {
    case Shape::line: return line;
    case Shape::triangle: return triangles;
    case Shape::quadrilateral: return rectangle;
    case Shape::tetrahedron: return tetrahedra;
    case Shape::hexahedron: return brick;
    case Shape::prism: return prisms;
    case Shape::pyramid: return pyramids(0);
    case Shape::point: break;
  }
  throw InputError("mesh.box.element must be line, triangle, quadrilateral, tetrahedron, hexahedron, prism, pyramid or mixed.");
}

namespace {

const Cells none;

// Bricks of a mixed box by (i + j) mod 3 and k mod 4: whole ones (H), two prisms (P), tetrahedra (T), pyramids with their apex at the
// lowest corner (L) or at the highest (U). A prism's brick has triangles above and below, one of pyramids on the three sides of the
// apex, and their diagonals are those of the tetrahedra. With this order every pair of shapes meets in every kind of face that both
// have, and each shape itself.
constexpr std::string_view mixed_bricks[] = {"HPP", "HPP", "UTL", "LPU"};
constexpr std::int64_t mixed_across = 3, mixed_up = std::size(mixed_bricks);

const Cells& cut_mixed(Shape shape, char brick) {
  switch (shape) {
    case Shape::tetrahedron: return brick == 'T' ? cut(shape) : none;
    case Shape::hexahedron: return brick == 'H' ? cut(shape) : none;
    case Shape::prism: return brick == 'P' ? cut(shape) : none;
    default: return brick == 'L' ? pyramids(0) : brick == 'U' ? pyramids(7) : none;
  }
}

}  // namespace

std::int64_t mixed_period(int axis) { return axis < 2 ? mixed_across : mixed_up; }

const Cells& cut_at(Shape shape, const std::array<std::int64_t, 3>& at, int dim, bool mixed) {
  if (mixed && dim == 3) return cut_mixed(shape, mixed_bricks[at[2] % mixed_up][static_cast<std::size_t>((at[0] + at[1]) % mixed_across)]);
  // Pairs of triangulated rectangles alternate with pairs of whole ones.
  if (mixed) return ((at[0] + 2 * at[1]) % 4 < 2) == (shape == Shape::triangle) ? cut(shape) : none;
  // Eight bricks round the apex that they share.
  if (shape == Shape::pyramid) return pyramids(7 ^ static_cast<int>(at[0] % 2 + 2 * (at[1] % 2) + 4 * (at[2] % 2)));
  return cut(shape);
}

}  // namespace swell
