// SPDX-License-Identifier: Apache-2.0
#include "mesh/gmsh/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace swell::gmsh {
namespace {

constexpr ElementType types[] = {
    {15, 0, Shape::point, 1, 1},          {1, 1, Shape::line, 1, 2},           {8, 1, Shape::line, 2, 3},
    {26, 1, Shape::line, 3, 4},           {27, 1, Shape::line, 4, 5},          {2, 2, Shape::triangle, 1, 3},
    {9, 2, Shape::triangle, 2, 6},        {21, 2, Shape::triangle, 3, 10},     {23, 2, Shape::triangle, 4, 15},
    {3, 2, Shape::quadrilateral, 1, 4},   {10, 2, Shape::quadrilateral, 2, 9}, {36, 2, Shape::quadrilateral, 3, 16},
    {37, 2, Shape::quadrilateral, 4, 25}, {4, 3, Shape::tetrahedron, 1, 4},    {11, 3, Shape::tetrahedron, 2, 10},
    {29, 3, Shape::tetrahedron, 3, 20},   {30, 3, Shape::tetrahedron, 4, 35},  {5, 3, Shape::hexahedron, 1, 8},
    {12, 3, Shape::hexahedron, 2, 27},    {92, 3, Shape::hexahedron, 3, 64},   {93, 3, Shape::hexahedron, 4, 125},
    {6, 3, Shape::prism, 1, 6},           {13, 3, Shape::prism, 2, 18},        {90, 3, Shape::prism, 3, 40},
    {91, 3, Shape::prism, 4, 75},         {7, 3, Shape::pyramid, 1, 5},        {14, 3, Shape::pyramid, 2, 14},
    {118, 3, Shape::pyramid, 3, 30},      {119, 3, Shape::pyramid, 4, 55},
};

template <std::size_t n>
bool in(const std::array<int, n>& list, std::int64_t number) {
  return std::find(list.begin(), list.end(), number) != list.end();
}

}  // namespace

const ElementType* find_type(std::int64_t number) {
  for (const ElementType& type : types)
    if (type.number == number) return &type;
  return nullptr;
}

const ElementType& type_of(Shape shape, int order) {
  const ElementType* found = std::find_if(std::begin(types), std::end(types), [&](const ElementType& type) {
    return type.shape == shape && (type.order == order || shape == Shape::point);
  });
  assert(found != std::end(types));
  return *found;
}

std::string why_not(std::int64_t number) {
  constexpr std::array incomplete{16, 17, 18, 19, 20, 22, 24, 32, 33, 39, 40, 41, 79, 99, 100, 101, 111, 125};
  constexpr std::array high{25, 28, 31, 38, 42, 43, 44, 45,  46,  47,  48,  49,  50,  51,  62,  63, 64,
                            65, 66, 71, 94, 95, 96, 97, 98, 106, 107, 108, 109, 110, 120, 121, 122, 123, 124};
  if (in(incomplete, number))
    return "a serendipity element without inner nodes; set Mesh.SecondOrderIncomplete = 0 and mesh again";
  if (in(high, number))
    return fmt::format("of an order above {}; lower Mesh.ElementOrder and mesh again", largest_order);
  return "unknown";
}

}  // namespace swell::gmsh
