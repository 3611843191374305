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

// With the exact mass on tensor shapes; and the schemes whose order is that of the space.
constexpr Row modal[] = {
#include "time/stability_modal.inc"
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

double stable_constant(std::string_view scheme, Shape shape, int order, bool exact_mass) {
  const bool of_space = scheme == "rkp1";
  return found(of_space || (exact_mass && !is_simplex(shape)) ? std::span<const Row>(modal) : std::span<const Row>(table),
               scheme, shape, order);
}

double ader_fraction(Shape shape, int order) { return std::min(1.0, found(modal, "ader", shape, order)); }

// The spectral radius less 1 of a step at cfl = 1 over all waves of an infinite regular mesh of triangles or squares, orders 4 to
// 7; it falls at least with the square of cfl. Of a program that shares nothing with this one; a test holds the operator to
// these numbers. Waves that do not change along an axis are the plane's own in space, so these stand for space too, and order 7
// for those above it.
constexpr int first_growing_order = 4;
constexpr std::array<double, 4> growth_on_triangles{1.21e-6, 1.36e-5, 3.0e-5, 2.67e-5},
    growth_on_squares{2.04e-6, 1.94e-5, 4.43e-5, 8.05e-5};

double ader_growth(Shape shape, int order, double cfl) {
  if (order < first_growing_order) return 0;
  const auto& growth = is_simplex(shape) ? growth_on_triangles : growth_on_squares;
  return growth[std::min<std::size_t>(order - first_growing_order, growth.size() - 1)] * cfl * cfl;
}

// By the same program: with these no wave of an infinite regular mesh of triangles or squares grows by more than rounding, at any
// cfl up to 0.9. At orders 4 and 5 weights from 0.95 to 1.05 do so, at 6 and 7 from 0.7 to 0.8.
constexpr std::array<AderMemory, 4> memory_of_orders{{{1, 1.0}, {1, 1.0}, {2, 0.75}, {3, 0.75}}};

AderMemory ader_memory(int order) {
  const int place = order - first_growing_order;
  return place >= 0 && place < static_cast<int>(memory_of_orders.size()) ? memory_of_orders[place] : AderMemory{};
}

double ader_largest_cfl(Shape shape, int order) { return std::max(1.0, found(modal, "ader", shape, order)); }

}  // namespace swell
