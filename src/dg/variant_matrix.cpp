// SPDX-License-Identifier: Apache-2.0
// Variants by matrix cores: octets of elements, tiles of nodes for each warp, and room in shared memory without conflicts.
#include <algorithm>
#include <cmath>
#include <set>

#include "dg/variant_lists.hpp"

namespace swell {

namespace {

constexpr int registers_of_processor = 65536;

// Words that an element gets in shared memory: at least `words`, so that the lanes of a warp, which read pairs of fields
// of 4 nodes of 8 elements, meet in as few banks as may be.
int room_of(int words, int pairs, Precision precision) {
  const int at_once = precision == Precision::double_ ? 8 : 16, banks = at_once;  // lanes, and pairs in a row of banks
  int best = words, fewest = at_once + 1;
  for (int room = words; room < words + 2 * banks; room += 2) {
    std::vector<int> used(banks, 0);
    for (int lane = 0; lane < at_once; ++lane) ++used[(lane / 4 * room / 2 + lane % 4 * pairs) % banks];
    const int conflicts = *std::max_element(used.begin(), used.end());
    if (conflicts < fewest) fewest = conflicts, best = room;
  }
  return best;
}

}  // namespace

std::vector<Variant> matrix_variants(const VariantSizes& sizes) {
  const ReferenceElement& element = sizes.element;
  const bool cores = sizes.info.tensor_cores >= 80;
  const int pairs = (sizes.fields() + 1) / 2, room = 2 * pairs, tiles = (element.node_count + 7) / 8;
  const int fragments = sizes.problem.precision == Precision::double_ ? 1 : 2, step = 4 * fragments;
  const auto padded = [&](int count) { return (count + step - 1) / step * step * room; };
  const int own = room_of(padded(element.node_count), pairs, sizes.problem.precision);
  const int trace = element.face_count * element.face_node_count;
  const int jump =
      room_of(std::max(padded(trace), element.node_count * room), pairs, sizes.problem.precision);
  std::vector<std::pair<double, Variant>> scored;
  std::set<std::string> known;
  for (const int octets : {1, 2, 4})
    for (const int in_warp : {1, 2, 3, 4})
      for (const int axes : {element.dim, 1})
        for (const int wanted : {0, 512, 672, 896}) {  // threads of a processor; fewer registers for each, more to wait with
          const int warps = (tiles + in_warp - 1) / in_warp, resident = wanted / (32 * warps * octets);
          Variant v;
          v.text = Variant::Text::matrix;
          v.batch = 8 * octets;
          v.threads = 32 * warps * octets;
          const std::int64_t words = std::int64_t{v.batch} * (own + jump + element.face_count * 4);
          v.shared = sizes.bytes(words + (cores ? 0 : 3 * v.threads));
          v.resident = resident;
          v.constants = {{"OCTETS", octets}, {"TILES", in_warp}, {"AXES", axes}};
          v.derived = {{"OWN_WORDS", own}, {"JUMP_ROOM", jump}, {"FRAGMENTS", fragments}, {"LINE_PAD", 0}};
          // Registers that sums and slopes take of the 255 that a thread can have.
          const int registers = 2 / fragments * 4 * pairs * (in_warp + axes);
          if (in_warp > tiles || (wanted > 0 && resident < 2) || v.threads > 512 || registers > 200) continue;
          if (resident > 0 && registers_of_processor / (resident * v.threads) < std::min(registers + 24, 80)) continue;
          if (resident > 0 && resident * static_cast<std::int64_t>(v.shared + 1024) > sizes.info.shared_bytes) continue;
          if (!known.insert(v.name()).second) continue;
          const double threads = std::abs(std::log2(v.threads / 128.0)), pressure = registers > 160 ? 1 : 0;
          scored.push_back({threads + 0.5 * (octets - 1) + (axes == 1 ? 0.5 : 0) + pressure + (resident ? 0.1 : 0), v});
        }
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Variant> all;
  for (auto& [score, v] : scored) all.push_back(std::move(v));
  return all;
}

}  // namespace swell
