// SPDX-License-Identifier: Apache-2.0
// Variants on a CPU: blocks of registers, stores past the caches, and how far ahead memory is asked for.
#include "dg/variant_lists.hpp"

#include <algorithm>

namespace swell {

namespace {

// The block of the product with the most multiplications for each load that fits into the registers.
std::pair<int, int> best_tile(int fields, int rows, int registers) {
  std::pair<int, int> best{1, 1};
  double score = 0;
  for (int c = 1; c <= fields; ++c) {
    if (fields % c != 0) continue;
    const int most = std::max(1, (registers - 1 - c) / c);  // sums, a column of values and one entry of the matrix
    const int blocks = (rows + most - 1) / most;
    const int r = (rows + blocks - 1) / blocks;
    const double reuse = static_cast<double>(r) * c / (r + c);
    if (reuse > score) score = reuse, best = {r, c};
  }
  return best;
}

}  // namespace

std::vector<Variant> simd_variants(const Problem& problem, const ReferenceElement& element, const Device& device) {
  const int fields = static_cast<int>(problem.model.fields.size()), scalars = element.node_count * fields;
  const auto [rows, columns] = best_tile(fields, element.node_count, device.info().vector_registers);
  Variant v;
  v.text = Variant::Text::simd;
  v.batch = device.lanes(problem.precision);
  // Small elements: stores past the caches pay, and the streams are too short for the processor to foresee
  // (docs/decisions/0001).
  v.constants = {{"TILE_ROWS", rows},
                 {"TILE_FIELDS", columns},
                 {"STREAM", scalars <= 6 * 20},
                 {"PREFETCH_EARLY", scalars <= 6 * 10},
                 {"PREFETCH_OWN", scalars <= 6 * 10}};
  return {v};
}

}  // namespace swell
