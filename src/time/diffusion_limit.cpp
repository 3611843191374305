// SPDX-License-Identifier: Apache-2.0
#include "time/diffusion_limit.hpp"

#include <array>

#include "base/error.hpp"

namespace swell {

namespace {

constexpr double safety = 1.05;  // for cells, phases and materials between those that were measured

struct Row {
  Shape shape;
  std::array<double, 12> eigenvalues;  // order 1, 2, ...; 0 where the shape ends earlier
};

constexpr Row table[] = {
#include "time/diffusion_table.inc"
};

}  // namespace

// Found by powers of the operator on regular, flat, tall, thin and sheared pyramids of orders 1 to 4: 0.43 at most.
constexpr double pyramid_of_hexahedron = 0.5;

double diffusion_eigenvalue(Shape shape, int order) {
  // A prism's metric has the eigenvalue of its line in units of that of its triangle.
  if (shape == Shape::prism) return diffusion_eigenvalue(Shape::triangle, order);
  if (shape == Shape::pyramid) return pyramid_of_hexahedron * diffusion_eigenvalue(Shape::hexahedron, order);
  for (const Row& row : table)
    if (row.shape == shape && order >= 1 && order <= static_cast<int>(row.eigenvalues.size()) && row.eigenvalues[order - 1] > 0)
      return safety * row.eigenvalues[order - 1];
  throw InputError("No stable time step of viscous terms is known on the {} of order {}; give time.dt in the case.", shape_name(shape),
                   order);
}

double diffusion_limit(std::string_view scheme, int order) {
  if (scheme == "lsrk54") return 4.6567;
  if (scheme == "rk4") return 2.7852;
  if (scheme == "ssprk33") return 2.5127;
  if (scheme == "ab3") return 6.0 / 11.0;
  if (scheme == "rkp1") return order == 1 ? 2.0 : 2.5127;  // that of order 2 + 1; those of more stages reach further
  throw InputError("No stable time step of viscous terms is known for the scheme '{}'; take lsrk54.", scheme);
}

}  // namespace swell
