// SPDX-License-Identifier: Apache-2.0
#include "sim/whole_mesh.hpp"

#include <fmt/ranges.h>

#include <bit>
#include <limits>

#include "base/error.hpp"

namespace swell {

namespace {

// Fowler, Noll and Vo's hash 1a, by words of 8 bytes.
template <class T>
std::uint64_t hashed(std::uint64_t so_far, const std::vector<T>& values) {
  static_assert(sizeof(T) == 8);
  for (const T value : values) so_far = (so_far ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211u;
  return so_far;
}

}  // namespace

std::string fingerprint(const Mesh& mesh) {
  std::uint64_t hash = hashed(14695981039346656037u, mesh.points);
  for (const CellBlock& block : mesh.blocks) hash = hashed(hash, block.nodes);
  return fmt::format("{} cells: {} of order {}, {:016x}", mesh.cell_count(), mesh.shapes_in_words(), mesh.geometry_order(), hash);
}

Locator::Hit locate(const Locator& locator, const Mesh& mesh, Ranks& ranks, const std::vector<double>& point,
                    const std::string& place) {
  constexpr double nowhere = std::numeric_limits<double>::infinity();
  Locator::Hit hit = locator.find(point.data());
  const bool own = hit.cell >= 0 && hit.cell < mesh.own_count();
  const double number = own ? static_cast<double>(mesh.number_of(hit.cell)) : nowhere;
  double smallest = number;
  ranks.smallest(std::span(&smallest, 1));
  if (smallest == nowhere) throw InputError("{}: the point ({}) lies outside the mesh.", place, fmt::join(point, ", "));
  if (number != smallest) hit.cell = -1;
  return hit;
}

}  // namespace swell
