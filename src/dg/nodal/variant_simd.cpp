// SPDX-License-Identifier: Apache-2.0
// Variants on a CPU: blocks of registers, non-temporal stores, and the distance of prefetches.
#include "dg/nodal/variant_lists.hpp"

#include <algorithm>

namespace swell {

namespace {

struct Tile {
  int rows = 1, fields = 1;
  double reuse() const { return static_cast<double>(rows) * fields / (rows + fields); }  // products for each load
  bool operator==(const Tile&) const = default;
};

// Blocks of the product that fit into the registers, the one with the most multiplications for each load first: for
// each number of fields the most rows, evenly shared out, and a few less.
std::vector<Tile> tiles(int fields, int rows, int registers) {
  std::vector<Tile> all;
  for (int c = 1; c <= fields; ++c) {
    if (fields % c != 0) continue;
    const int most = std::max(1, (registers - 1 - c) / c);  // sums, a column of values and one entry of the matrix
    const int least = (rows + most - 1) / most;
    for (int blocks = least; blocks <= least + 2 && blocks <= rows; ++blocks) {
      const Tile tile{(rows + blocks - 1) / blocks, c};
      if (std::find(all.begin(), all.end(), tile) == all.end()) all.push_back(tile);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Tile& a, const Tile& b) { return a.reuse() > b.reuse(); });
  return all;
}

// Tiles that reuse less than this part of the best one's are not worth a measurement.
constexpr double useful_reuse = 0.6;

struct Memory {
  int stream = 0, early = 0, own = 0;
};

// Rows of a tile with all sums of the volume's part in registers, besides an entry of the matrix and a few values.
std::vector<Tile> cover_tiles(const FluxCover& cover, int fields, int dim, int rows, int registers) {
  const int sums = static_cast<int>(cover.rows.size()) + dim * static_cast<int>(cover.columns.size());
  const int most = std::max(1, std::min(rows, (registers - 5) / sums)), blocks = (rows + most - 1) / most;
  std::vector<Tile> all;
  for (const int count : {(rows + blocks - 1) / blocks, (rows + blocks) / (blocks + 1), most})
    for (int c = fields; c >= 1; --c) {
      const Tile tile{count, c};
      if (fields % c != 0 || (count * c > registers - 2 && c > 1)) continue;
      if (std::find(all.begin(), all.end(), tile) == all.end()) all.push_back(tile);
      break;
    }
  return all;
}

Variant make_variant(int lanes, Tile tile, Memory memory, bool cover) {
  Variant v;
  v.text = Variant::Text::simd;
  v.batch = lanes;
  v.constants = {{"TILE_ROWS", tile.rows},
                 {"TILE_FIELDS", tile.fields},
                 {"STREAM", memory.stream},
                 {"PREFETCH_EARLY", memory.early},
                 {"PREFETCH_OWN", memory.own}};
  (cover ? v.constants : v.derived).emplace_back("COVER", cover);
  return v;
}

}  // namespace

std::vector<Variant> simd_variants(const VariantSizes& sizes, int lanes) {
  auto blocks = tiles(sizes.fields(), sizes.element.node_count, sizes.info.vector_registers);
  std::erase_if(blocks, [best = blocks.front().reuse()](const Tile& t) { return t.reuse() < useful_reuse * best; });
  const bool quadrature = by_points(sizes.group), simplex = !is_tensor(sizes.element.shape) && !sizes.group.pairs;
  std::vector<Tile> covering;
  if (!quadrature && simplex && sizes.problem.model.linear && sizes.cover.size() > 0 && sizes.cover.size() < sizes.fields())
    covering = cover_tiles(sizes.cover, sizes.fields(), sizes.element.dim, sizes.element.node_count, sizes.info.vector_registers);
  // Fewer products pay where a tile has more than one row: the values are read once for each. Elastic tetrahedra, two rows,
  // gained 10 to 46 % at orders 1 to 3 and 12 to 19 % at 5 to 7 (`bench/gpu defaults --device cpu:2`, two runs).
  const bool covers = !covering.empty() && 3 * sizes.cover.size() <= 2 * sizes.fields() && covering.front().rows >= 2;
  // Small elements: non-temporal stores pay, and the streams are too short for the processor to foresee (docs/decisions/0001).
  // Maxwell on tetrahedra of order 4, double, one thread of a busy machine: such stores gained 13 to 28 % in four runs of
  // `swell tune`; above that order nothing lasted from one run to the next. With fewer products memory counts for more:
  // acoustics gained 5 to 7 % from all three at orders 4 and 7.
  const bool small = sizes.scalars() <= 6 * 10;
  const Memory usual = covers ? Memory{1, 1, 1} : Memory{sizes.scalars() <= 6 * 35, small, small};
  // The block of the products to the points of a weight-adjusted mass and back.
  const Tile adjust = sizes.moving > 0 ? tiles(sizes.moving, sizes.points.volume, sizes.info.vector_registers).front() : Tile{};
  std::vector<Variant> all;
  const auto add = [&](Tile tile, Memory memory, bool cover) {
    Variant v = make_variant(lanes, tile, memory, cover);
    if (sizes.moving > 0) v.derived.insert(v.derived.end(), {{"ADJUST_ROWS", adjust.rows}, {"ADJUST_FIELDS", adjust.fields}});
    const auto same = [&](const Variant& other) { return other.constants == v.constants; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(v));
  };
  const Tile first = covers ? covering.front() : blocks.front();
  add(first, usual, covers);
  if (!simplex) {  // no product, and nothing is prefetched
    add(first, {!usual.stream, usual.early, usual.own}, false);
    return all;
  }
  for (const Tile& tile : covering) add(tile, usual, true);
  for (const Tile& tile : blocks) add(tile, usual, false);
  if (quadrature) return all;  // neither streams nor asks ahead
  for (const int stream : {usual.stream, 1 - usual.stream})
    for (const int early : {usual.early, 1 - usual.early})
      for (const int own : {usual.own, 1 - usual.own}) add(first, {stream, early, own}, covers);
  return all;
}

}  // namespace swell
