// SPDX-License-Identifier: Apache-2.0
// Variants by matrix cores: octets of elements, tiles of nodes for each warp, and room in shared memory without conflicts.
#include <algorithm>
#include <cmath>
#include <set>

#include "dg/nodal/variant_lists.hpp"

namespace swell {

namespace {

constexpr int registers_of_processor = 65536;

// Words that an element gets in shared memory: at least `words`, so that the lanes of a warp, which read fields of 4 nodes of 8
// elements, meet in as few banks as may be. An even number of fields is read in pairs, an odd one field by field.
// Where they also read words of rows of `moving` words one by one, in as few banks as may be too.
int room_of(int words, int fields, Precision precision, int moving = 0) {
  const int width = fields % 2 == 0 ? 2 : 1, step = static_cast<int>(16 / bytes_of(precision));
  const int at_once = static_cast<int>(128 / (width * bytes_of(precision)));  // lanes, and what they read in a row of banks
  int best = 0, fewest = 2 * at_once * width + 1;
  for (int room = (words + step - 1) / step * step; room < words + 2 * at_once; room += step) {
    std::vector<int> used(at_once, 0);
    for (int lane = 0; lane < at_once; ++lane) ++used[(lane / 4 * room + lane % 4 * fields) / width % at_once];
    int conflicts = *std::max_element(used.begin(), used.end());
    if (moving > 0) {
      const int banks = static_cast<int>(128 / bytes_of(precision));
      std::vector<int> words_of_bank(banks, 0);
      for (int lane = 0; lane < banks; ++lane) ++words_of_bank[(lane / 4 * room + lane % 4 * moving) % banks];
      conflicts += *std::max_element(words_of_bank.begin(), words_of_bank.end());
    }
    if (conflicts < fewest) fewest = conflicts, best = room;
  }
  return best;
}

// How a warp works through its octet: what makes a variant.
struct Way {
  int octets, in_warp, axes, ahead = 0;
  int wanted = 0;  // threads of a processor: fewer registers for each, more to wait with
  bool teams = false, bulk = false, preload = false;
};

// The fastest choice on an H200 for the models of 3D (bench/results): jumps of small elements are made where they are lifted;
// later a warp has few enough tiles of nodes for its registers, and enough to use what it loads of the traces. With many
// fields, in double, one tile and one slope at a time are all that registers have room for.
Way usual_way(int tiles, int dim, int fields, Precision precision) {
  const bool many = fields > 8, few = fields <= 4;
  if (precision == Precision::double_) {
    const int axes = many && tiles > 2 ? 1 : dim;
    if (tiles == 1) return {1, 1, axes, 3, 512, false, false, false};
    if (tiles == 2 && many) return {2, 1, axes, 0, 512, false, false, true};
    if (tiles == 2) return {1, 2, axes, few ? 2 : 3, 0, false, true, true};
    if (tiles > 13 && few) return {1, 2, axes, 0, 512, false, false, false};
    return {1, !many && tiles >= 6 && tiles <= 13 ? 2 : 1, axes, 0, 0, false, tiles < 6 && !few && !many, false};
  }
  if (tiles <= 2) return {1, tiles, dim, 3, 384, false, false, true};
  if (tiles == 3 && few) return {1, 3, dim, 2, 0, false, false, false};
  if (tiles == 3) return {1, 3, dim, many ? 1 : 4, 384, false, false, false};
  if (tiles <= 5) return {2, 3, dim, 0, 0, false, false, false};
  return {1, tiles <= 7 ? 2 : 3, dim, 0, 0, false, tiles > 7 && !many, false};
}

// How far a way is from the usual one.
double unlike(const Way& a, const Way& b) {
  return 0.4 * (a.octets - b.octets) + 0.5 * std::abs(a.in_warp - b.in_warp) + 0.4 * (a.axes != b.axes) +
         (a.ahead > 0) * (b.ahead > 0) * 0.2 * std::abs(a.ahead - b.ahead) + 0.5 * ((a.ahead > 0) != (b.ahead > 0)) +
         0.1 * (a.wanted != b.wanted) + 0.2 * (a.teams != b.teams) + 0.2 * (a.bulk != b.bulk) + 0.2 * (a.preload != b.preload);
}

}  // namespace

std::vector<Variant> matrix_variants(const VariantSizes& sizes) {
  const ReferenceElement& element = sizes.element;
  const Precision precision = sizes.problem.precision;
  const bool cores = sizes.info.tensor_cores >= 80;
  const int pairs = (sizes.fields() + 1) / 2, room = sizes.fields(), tiles = (element.node_count + 7) / 8;
  const int fragments = precision == Precision::double_ ? 1 : 2, step = 4 * fragments;
  const auto padded = [&](int count) { return (count + step - 1) / step * step * room; };
  const int trace = element.face_count * element.face_node_count, trace_steps = (trace + step - 1) / step,
            volume_steps = (element.node_count + step - 1) / step;
  const int own = room_of(padded(element.node_count), room, precision), rates = element.node_count * room;
  // Blocks of 16 bytes that lie in shared memory as they lie in global memory.
  const bool blocks = sizes.bytes(sizes.scalars()) % 16 == 0 && (sizes.info.bulk_copies || !cores);
  const Way usual = usual_way(tiles, element.dim, sizes.fields(), precision);
  std::vector<std::pair<double, Variant>> scored;
  std::set<std::string> known;
  const auto add = [&](const Way& way) {
    const auto& [octets, in_warp, axes, ahead, wanted, teams, bulk, preload] = way;
    const bool fused = ahead > 0;
    const int warps = (tiles + in_warp - 1) / in_warp;
    const int balance = padded(element.node_count) / room * sizes.moving, weighed = (sizes.points.volume + 7) / 8 * 8 * sizes.moving;
    const int jump = room_of(std::max(fused ? rates : std::max(padded(trace), rates), balance + weighed), room, precision, sizes.moving);
    Variant v;
    v.text = Variant::Text::matrix;
    v.batch = 8 * octets;
    v.threads = 32 * warps * octets;
    v.resident = wanted / v.threads;
    const std::int64_t words = std::int64_t{v.batch} * (own + jump + normal_words(sizes) + (bulk ? own : 0)) + (bulk ? 4 : 0);
    v.shared = sizes.bytes(words + (cores ? 0 : 3 * v.threads));
    v.constants = {{"OCTETS", octets}, {"TILES", in_warp}, {"AXES", axes}, {"AHEAD", ahead}, {"TEAMS", teams}, {"BULK", bulk}, {"PRELOAD", preload}};
    v.derived = {{"FRAGMENTS", fragments}, {"FUSED", fused}, {"CACHED", 0}, {"PAST", 0}, {"ROW_PAD", 0}};
    if (sizes.moving > 0) v.derived.emplace_back("BALANCE_ROOM", balance);
    add_layout(v, sizes, {room, own, jump, bulk ? own : jump});
    // Registers that sums, slopes and traces take of the 255 that a thread can have.
    const int parts = preload ? in_warp * std::max(volume_steps * element.dim, fused ? 0 : trace_steps) * fragments * fragments : 0;
    const int registers =
        2 / fragments * (4 * pairs * (in_warp + axes) + (fused ? ahead * fragments * sizes.fields() : 0) + parts);
    if ((bulk && !blocks) || in_warp > tiles || (wanted > 0 && v.resident < 2) || v.threads > 512 || registers > 200) return;
    if (v.resident > 0 && registers_of_processor / (v.resident * v.threads) < std::min(registers + 24, 80)) return;
    if (v.resident * static_cast<std::int64_t>(v.shared + 1024) > sizes.info.shared_bytes) return;
    if (!known.insert(v.name()).second) return;
    scored.push_back({unlike(way, usual) + (registers > 195 ? 1 : 0), v});
  };
  for (const int axes : {element.dim, 1})
    for (const bool bulk : {false, true}) {
      if (tiles <= 5)
        for (const int wanted : {0, 384, 512, 640})
          for (const int ahead : {3, 1, 2, 4})
            for (const bool preload : {false, true})
              if (!preload || tiles <= 3) add({1, tiles, axes, std::min(trace_steps, ahead), wanted, false, bulk, preload});
      for (const int octets : {1, 2})
        for (const int in_warp : {1, 2, 3, 4}) {
          for (const int wanted : {0, 512, tiles <= 2 ? 768 : 672})
            for (const bool preload : {false, true})
              if (!preload || tiles <= 3) add({octets, in_warp, axes, 0, wanted, false, bulk, preload});
          if (tiles <= 2) add({octets, in_warp, axes, 0, 0, true, bulk});
        }
    }
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Variant> all;
  for (auto& [score, v] : scored) all.push_back(std::move(v));
  return all;
}

}  // namespace swell
