// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "base/host_threads.hpp"
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
  constexpr double most = std::numeric_limits<double>::infinity();
  std::array<double, 3> low{most, most, most}, high{-most, -most, -most};
  std::mutex one_at_a_time;
  for_pieces(count, [&](std::int64_t begin, std::int64_t end) {
    auto lowest = std::array{most, most, most}, highest = std::array{-most, -most, -most};
    for (std::int64_t c = begin; c < end; ++c) {
      const auto x = centroid(c);
      for (int d = 0; d < mesh.dim; ++d) lowest[d] = std::min(lowest[d], x[d]), highest[d] = std::max(highest[d], x[d]);
    }
    const std::lock_guard lock(one_at_a_time);
    for (int d = 0; d < mesh.dim; ++d) low[d] = std::min(low[d], lowest[d]), high[d] = std::max(high[d], highest[d]);
  });
  double extent = 0;
  for (int d = 0; d < mesh.dim; ++d) extent = std::max(extent, high[d] - low[d]);
  const int bits = mesh.dim <= 2 ? 31 : 21;
  const double steps = static_cast<double>((std::uint64_t{1} << bits) - 1);
  std::vector<std::pair<std::uint64_t, std::int64_t>> places(count);
  for_pieces(count, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      const auto x = centroid(c);
      std::array<std::uint64_t, 3> grid{};
      if (extent > 0)
        for (int d = 0; d < mesh.dim; ++d) grid[d] = static_cast<std::uint64_t>((x[d] - low[d]) / extent * steps);
      places[c] = {hilbert(grid, mesh.dim, bits), c};
    }
  });
  sort_distinct(places);
  std::vector<std::int64_t> order(count);
  for_pieces(count, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) order[i] = places[i].second;
  });
  return order;
}

}  // namespace swell
