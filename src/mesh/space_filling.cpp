// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <utility>

#include "mesh/geometry.hpp"

namespace swell {
namespace {

// The place along the Hilbert curve of a point whose coordinates have `bits` bits each: the transposed form of the
// curve of Skilling (2004, AIP Conf. Proc. 707, 381), then the bits interleaved.
std::uint64_t hilbert(std::array<std::uint64_t, 3> x, int dim, int bits) {
  if (dim == 1) return x[0];
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  for (std::uint64_t q = top; q > 1; q >>= 1) {
    const std::uint64_t lower = q - 1;
    for (int d = 0; d < dim; ++d) {
      if (x[d] & q) {
        x[0] ^= lower;
      } else {
        const std::uint64_t swap = (x[0] ^ x[d]) & lower;
        x[0] ^= swap;
        x[d] ^= swap;
      }
    }
  }
  for (int d = 1; d < dim; ++d) x[d] ^= x[d - 1];
  std::uint64_t flip = 0;
  for (std::uint64_t q = top; q > 1; q >>= 1)
    if (x[dim - 1] & q) flip ^= q - 1;
  for (int d = 0; d < dim; ++d) x[d] ^= flip;
  std::uint64_t place = 0;
  for (int b = bits - 1; b >= 0; --b)
    for (int d = 0; d < dim; ++d) place = place << 1 | (x[d] >> b & 1);
  return place;
}

}  // namespace

std::vector<std::int64_t> space_filling_order(const Mesh& mesh) {
  const std::int64_t count = mesh.cell_count();
  const auto centroid = [&](std::int64_t cell) {
    std::array<double, 3> sum{};
    const int vertices = vertex_count(mesh.shape_of(cell));
    for (int v = 0; v < vertices; ++v) {
      const auto x = mesh.vertex(cell, v);
      for (int d = 0; d < mesh.dim; ++d) sum[d] += x[d] / vertices;
    }
    return sum;
  };
  std::array<double, 3> low{}, high{};
  for (std::int64_t c = 0; c < count; ++c) {
    const auto x = centroid(c);
    for (int d = 0; d < mesh.dim; ++d) {
      low[d] = c == 0 ? x[d] : std::min(low[d], x[d]);
      high[d] = c == 0 ? x[d] : std::max(high[d], x[d]);
    }
  }
  double extent = 0;
  for (int d = 0; d < mesh.dim; ++d) extent = std::max(extent, high[d] - low[d]);
  const int bits = mesh.dim <= 2 ? 31 : 21;
  const double steps = static_cast<double>((std::uint64_t{1} << bits) - 1);
  std::vector<std::pair<std::uint64_t, std::int64_t>> places(count);
  for (std::int64_t c = 0; c < count; ++c) {
    const auto x = centroid(c);
    std::array<std::uint64_t, 3> grid{};
    if (extent > 0)
      for (int d = 0; d < mesh.dim; ++d) grid[d] = static_cast<std::uint64_t>((x[d] - low[d]) / extent * steps);
    places[c] = {hilbert(grid, mesh.dim, bits), c};
  }
  std::sort(places.begin(), places.end());
  std::vector<std::int64_t> order(count);
  for (std::int64_t c = 0; c < count; ++c) order[c] = places[c].second;
  return order;
}

}  // namespace swell
