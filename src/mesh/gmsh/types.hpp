// SPDX-License-Identifier: Apache-2.0
// Gmsh's element types: their numbers, shapes, orders (Gmsh reference manual, "MSH file format").
#pragma once

#include <string>

#include "element/shape.hpp"

namespace swell::gmsh {

struct ElementType {
  int number = 0;
  int dim = 0;
  Shape shape = Shape::line;
  int order = 1;
  int nodes = 1;
};

constexpr int largest_order = 4;

// Null for types that Swell does not read.
const ElementType* find_type(std::int64_t number);
const ElementType& type_of(Shape shape, int order);
// Why a type is not read, as the end of a sentence.
std::string why_not(std::int64_t number);

}  // namespace swell::gmsh
