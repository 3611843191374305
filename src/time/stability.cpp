// SPDX-License-Identifier: Apache-2.0
#include "time/stability.hpp"

#include <array>

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

}  // namespace

double stable_constant(std::string_view scheme, Shape shape, int order) {
  for (const Row& row : table)
    if (row.scheme == scheme && row.shape == shape && order >= 1 && order <= static_cast<int>(row.constants.size()) &&
        row.constants[order - 1] > 0.0)
      return safety * row.constants[order - 1];
  throw InputError("No stable time step is known for the scheme '{}' on the {} of order {}; give time.dt in the case.",
                   scheme, shape_name(shape), order);
}

}  // namespace swell
