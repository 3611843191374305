// SPDX-License-Identifier: Apache-2.0
#include "time/stability.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/error.hpp"

namespace swell {

namespace {

constexpr double safety = 0.95;  // for cells, phases and materials between those that were measured

struct Row {
  std::string_view scheme;
  Shape shape;
  std::array<double, 12> constants;  // order 1, 2, ...; 0 where the shape ends earlier
};

constexpr Row table[] = {
#include "time/stability_table.inc"
};

// The schemes whose order is that of the space.
constexpr Row of_order[] = {
#include "time/stability_of_order.inc"
};

double found(std::span<const Row> rows, std::string_view scheme, Shape shape, int order) {
  for (const Row& row : rows)
    if (row.scheme == scheme && row.shape == shape && order >= 1 && order <= static_cast<int>(row.constants.size()) &&
        row.constants[order - 1] > 0.0)
      return safety * row.constants[order - 1];
  throw InputError("No stable time step is known for the scheme '{}' on the {} of order {}; give time.dt in the case.",
                   scheme, shape_name(shape), order);
}

}  // namespace

// On one pyramid with nothing coming in the spectral radius of the derivative against a wave, over surface by volume, is 1.04 times that
// of a hexahedron at order 1 and less than it above (orders 1 to 6, flat, tall and sheared ones).
constexpr double pyramid_of_hexahedron = 0.95;

double stable_constant(std::string_view scheme, Shape shape, int order) {
  // The rates of a prism's triangle and of its line add up, as their parts of the surface do.
  if (shape == Shape::prism) return std::min(stable_constant(scheme, Shape::triangle, order), stable_constant(scheme, Shape::line, order));
  if (shape == Shape::pyramid) return pyramid_of_hexahedron * stable_constant(scheme, Shape::hexahedron, order);
  return found(scheme == "rkp1" ? std::span<const Row>(of_order) : std::span<const Row>(table), scheme, shape, order);
}

double ader_fraction(Shape shape, int order) { return std::min(1.0, found(of_order, "ader", shape, order)); }

// Found by programs that share nothing with this one: with these no wave of an infinite regular mesh of lines, triangles or
// squares grows by more than rounding, at any cfl up to 0.9 that was tried: as well with weights from 0.7 to 1 at order 2, 0.5 to 0.75 at
// order 3, 1 to 1.1 at order 4, 0.95 to 1 at order 5, 0.65 to 0.75 at order 6 and 0.6 to 0.75 at order 7. A test holds the operator
// to it. At orders 2 and 3 nothing would grow without; there it is the error in time that is carried away (decision 0016).
constexpr int first_carrying_order = 2, first_growing_order = 4;
constexpr std::array<AderMemory, 6> memory_of_orders{{{1, 1.0}, {1, 0.75}, {1, 1.0}, {1, 0.97}, {2, 0.7}, {3, 0.65}}};

AderMemory ader_memory(int order) {
  const int place = order - first_carrying_order;
  return place >= 0 && place < static_cast<int>(memory_of_orders.size()) ? memory_of_orders[place] : AderMemory{};
}

// The spectral radius less 1 of a step of order 7 that carries nothing, at cfl = 1 over all waves of an infinite regular mesh of
// triangles or squares, and of order 8 on lines, where it is largest; it falls at least with the square of cfl.
constexpr double growth_on_lines = 7.66e-5, growth_on_triangles = 2.67e-5, growth_on_squares = 8.05e-5;

double ader_growth(Shape shape, int order, double cfl) {
  if (order < first_growing_order || ader_memory(order)) return 0;
  return (shape == Shape::line ? growth_on_lines : is_simplex(shape) ? growth_on_triangles : growth_on_squares) * cfl * cfl;
}

double ader_largest_cfl(Shape shape, int order) { return std::max(1.0, found(of_order, "ader", shape, order)); }

}  // namespace swell
